"""A class of the user's own that inherits from RNN: what it replaces decides whether the loop is certain."""

from __future__ import annotations

import pytest
from newest_releases import NEWEST

from cudnnlint.core.target import Release, Target
from cudnnlint.engine import judge
from cudnnlint.frontends.source import read
from cudnnlint.rulebook import loader

PROGRAM = """
import keras
class Own(keras.layers.RNN):
    def __init__(self, units):
        super().__init__(keras.layers.LSTMCell(units))
    def {method}(self, sequences, initial_state=None, **kwargs):
        {body}
Own(3)
"""


@pytest.mark.parametrize(
    ("method", "body", "verdict"),
    [
        ("call", "return super().call(sequences, **kwargs)", "fallback"),
        ("inner_loop", "return kernel(sequences)", "unknown"),
        ("inner_loop", "return kernel(sequences) if fast else super().inner_loop(sequences, **kwargs)", "unknown"),
        ("call", "return kernel(sequences)", "unknown"),
        ("other", "return kernel(sequences)", "fallback"),
    ],
)
def test_own_rnn(method: str, body: str, verdict: str) -> None:
    book = loader.load()
    model = read("own.py", PROGRAM.format(method=method, body=body).encode(), book.tables.names)
    [layer] = judge(model, (Target("keras", Release.at(NEWEST), "tensorflow"),), book).layers
    assert layer.judgements[0].verdict.value == verdict
