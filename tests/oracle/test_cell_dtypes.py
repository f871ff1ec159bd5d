"""Several cells in another dtype than the stack around them, as Keras itself takes them (cell_dtypes.py asked)."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from line_verdicts import wrong
from test_integer_inputs import name

EVIDENCE = Path(__file__).resolve().parents[2] / "fixtures" / "evidence" / "cell_dtypes.json"
ANSWERS = [json.loads(line) for line in EVIDENCE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("asked", ANSWERS, ids=name)
def test_cells_in_another_dtype_than_their_stack_stop_where_they_stopped(asked: dict[str, Any]) -> None:
    cases = [
        (re.sub(r"\b(?=(RNN|LSTMCell|GRUCell|StackedRNNCells)\()", "layers.", line) + "(keras.Input((3, 4)))", letter)
        for line, letter in asked["lines"].items()
    ]
    assert wrong(cases, asked, name(asked)) == []
