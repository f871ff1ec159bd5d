"""Dropout is applied at inference on the cuDNN path."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding, judge_argument

CODE = "CDN601"
NEEDED = "dropout=0"
SAYS = "dropout is {found}; on a GPU this release applies it at inference too"
ADVICE = "Move to Keras 3.9 or later."


def find(case: Case) -> Finding:
    """YES where the rate is not 0."""
    return judge_argument(case, "dropout", lambda value: value != 0)
