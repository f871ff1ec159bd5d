"""Orthogonal weights in half precision, as Keras itself draws them or stops (undrawn_weights.py asked releases)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from line_verdicts import wrong
from test_integer_inputs import name

EVIDENCE = Path(__file__).resolve().parents[2] / "fixtures" / "evidence" / "undrawn_weights.json"
ANSWERS = [json.loads(line) for line in EVIDENCE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("asked", ANSWERS, ids=name)
def test_weights_that_cannot_be_drawn_stop_the_layer(asked: dict[str, Any]) -> None:
    cases = [(f"layers.{line}(keras.Input((3, 4)))", letter) for line, letter in asked["lines"].items()]
    assert wrong(cases, asked, name(asked)) == []
