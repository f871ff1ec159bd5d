"""The two directions cannot share one kernel call."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN301"
NEEDED = "two directions that are alike"
SAYS = "the two directions differ in {found}; they take two kernel calls"
ADVICE = "Make the two directions alike."


def find(case: Case) -> Finding:
    """YES where the target could serve both directions at once and they do not fit."""
    return Finding(Truth.NO)
