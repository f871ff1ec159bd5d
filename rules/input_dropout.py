"""The inputs are subject to the layer's own dropout, which this release cannot do in cuDNN."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding, judge_argument

CODE = "CDN104"
NEEDED = "dropout=0"
SAYS = "dropout is {found}; this Keras takes its loop as soon as a layer has dropout, even at inference"
ADVICE = "Put a Dropout layer in front, or move to Keras 3.9 or later."


def find(case: Case) -> Finding:
    """YES where the rate is not 0."""
    return judge_argument(case, "dropout", lambda value: value != 0)
