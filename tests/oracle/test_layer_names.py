"""Names of layers, as Keras itself takes them (layer_names.py asked releases)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from line_verdicts import wrong
from test_integer_inputs import name

EVIDENCE = Path(__file__).resolve().parents[2] / "fixtures" / "evidence" / "layer_names.json"
ANSWERS = [json.loads(line) for line in EVIDENCE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("asked", ANSWERS, ids=name)
def test_a_name_stops_where_it_stopped(asked: dict[str, Any]) -> None:
    cases = [(f"layers.LSTM(2, name={text!r})(keras.Input((3, 4)))", letter) for text, letter in asked["names"].items()]
    assert wrong(cases, asked, name(asked)) == []
