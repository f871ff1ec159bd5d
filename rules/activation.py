"""The activation of an LSTM or GRU is not tanh."""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding, judge_argument

CODE = "CDN101"
NEEDED = 'activation="tanh"'
SAYS = "activation is {found}; the cuDNN kernel computes tanh and nothing else"
ADVICE = 'Leave activation out, or give it "tanh". The model then computes other numbers and has to be trained again.'


def find(case: Case) -> Finding:
    """YES where the activation is anything but Keras's own tanh."""
    return judge_argument(case, "activation", lambda value: value != "tanh")
