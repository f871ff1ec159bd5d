"""Programs that ended in a fault once, found by the fuzzer: each is read, and so is the layer behind it."""

from __future__ import annotations

import pytest

from cudnnlint.core.names import Names
from cudnnlint.frontends.source import read

PROGRAMS = {
    "a module that is called": "import keras\nkeras(1)",
}


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_what_once_was_a_fault_is_read(text: str, names: Names) -> None:
    program = f"from keras.layers import LSTM\nLSTM(1)\n{text}\n"
    assert read("p.py", program.encode(), names).layers
