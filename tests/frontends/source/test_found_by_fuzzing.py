"""Programs that ended in a fault once, found by the fuzzer: each is read, and so is the layer behind it."""

from __future__ import annotations

import pickle

import pytest

from cudnnlint.core.names import Names
from cudnnlint.frontends.source import read

PROGRAMS = {
    "a module that is called": "import keras\nkeras(1)",
    "nothing, more often than can be counted": "x, y = [] * 10**30, (1,) * -(10**30)",
    "a maxlen that is no number": "from keras.utils import pad_sequences\nLSTM(1)(pad_sequences([[1], [2, 3]], 'a'))",
    "a map that constructs layers as an argument": "LSTM(1, dropout=map(LSTM, [1, 2]))",
}


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_what_once_was_a_fault_is_read(text: str, names: Names) -> None:
    program = f"from keras.layers import LSTM\nLSTM(1)\n{text}\n"
    assert read("p.py", program.encode(), names).layers


@pytest.mark.parametrize(
    "value", ["b'a'", "1", "1j", "...", "range(2)", "Fraction(1)", "Decimal(1)", "np.int64(1)", "()"]
)
def test_only_a_text_is_the_name_of_a_layer(value: str, names: Names) -> None:
    program = f"""
import numpy as np
from decimal import Decimal
from fractions import Fraction
from keras.layers import LSTM
LSTM(1, name={value}, unroll={value})
"""
    model = read("p.py", program.encode(), names)
    assert [layer.name for layer in model.layers] == [None]
    assert b"frontends" not in pickle.dumps(model)  # what a worker hands over needs no interpreter to be read
