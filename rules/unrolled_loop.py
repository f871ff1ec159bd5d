"""The layer is unrolled, which excludes cuDNN."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding, judge_argument

CODE = "CDN105"
NEEDED = "unroll=False"
SAYS = "unroll is {found}; an unrolled layer is built step by step and never handed to cuDNN"
ADVICE = "Leave unroll out."


def find(case: Case) -> Finding:
    """YES where `unroll` counts as true."""
    return judge_argument(case, "unroll", bool)
