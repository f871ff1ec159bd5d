"""The layer has no bias, which the cuDNN kernel needs."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding, judge_argument

CODE = "CDN106"
NEEDED = "use_bias=True"
SAYS = "use_bias is {found}; Keras hands only layers with a bias to cuDNN"
ADVICE = "Leave use_bias out. A bias of zeros computes the same numbers; it is trained from then on."


def find(case: Case) -> Finding:
    """YES where `use_bias` counts as false."""
    return judge_argument(case, "use_bias", lambda value: not value)
