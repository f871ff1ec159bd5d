"""implementation=1 together with dropout stops the training."""

from __future__ import annotations

from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_argument
from cudnnlint.core.truth import Truth

CODE = "CDN212"
NEEDED = "implementation=2, or no dropout"
SAYS = "implementation is 1 and {found}; training stops with an error"
ADVICE = "Leave implementation out."


def find(case: Case) -> Finding:
    """YES where both hold."""
    one = judge_argument(case, "implementation", lambda value: value == 1)
    if one.truth is Truth.NO:
        return ABSENT_FAULT
    rate = judge_argument(case, "dropout", lambda value: value != 0)
    return Finding(one.truth & rate.truth, f"dropout is {rate.found}", one.place, one.origin)
