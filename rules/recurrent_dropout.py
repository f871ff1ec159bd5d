"""The recurrent state is subject to dropout."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding, judge_argument

CODE = "CDN103"
NEEDED = "recurrent_dropout=0"
SAYS = "recurrent_dropout is {found}; cuDNN has no dropout on the recurrent state"
ADVICE = "Set recurrent_dropout to 0. Inference stays the same; training loses a regulariser."


def find(case: Case) -> Finding:
    """YES where the rate is not 0."""
    return judge_argument(case, "recurrent_dropout", lambda value: value != 0)
