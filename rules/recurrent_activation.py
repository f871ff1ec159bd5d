"""The recurrent activation of an LSTM or GRU is not sigmoid."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding, judge_argument

CODE = "CDN102"
NEEDED = 'recurrent_activation="sigmoid"'
SAYS = "recurrent_activation is {found}; the gates of the cuDNN kernel are sigmoids"
ADVICE = (
    'Leave recurrent_activation out, or give it "sigmoid". '
    "The model then computes other numbers and has to be trained again."
)


def find(case: Case) -> Finding:
    """YES where the gates use anything but Keras's own sigmoid."""
    return judge_argument(case, "recurrent_activation", lambda value: value != "sigmoid")
