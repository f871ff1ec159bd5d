"""A GRU applies its reset gate before the matrix product."""

from __future__ import annotations

from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_argument

CODE = "CDN107"
NEEDED = "reset_after=True"
SAYS = "reset_after is {found}; the cuDNN GRU applies the reset gate after the matrix product"
ADVICE = "Leave reset_after out. The bias has another shape then, and the model has to be trained again."


def find(case: Case) -> Finding:
    """YES where `reset_after` counts as false; only a GRU has it."""
    if case.operation not in ("GRU", "v1.GRU"):
        return ABSENT_FAULT
    return judge_argument(case, "reset_after", lambda value: not value)
