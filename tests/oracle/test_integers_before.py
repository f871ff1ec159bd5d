"""Integers in layers before a recurrent one, as Keras itself takes them (integers_before.py asked releases)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import integers_before
from line_verdicts import verdicts_by_line
from test_integer_inputs import name

EVIDENCE = Path(__file__).resolve().parents[2] / "fixtures" / "evidence" / "integers_before.json"
ANSWERS = [json.loads(line) for line in EVIDENCE.read_text(encoding="utf-8").splitlines()]
#: Rescaling gives floats for integers, so that the layer before it alone decides.
BEHIND = "x = keras.Input((6, 4), dtype={dtype!r}); y = {layer}; layers.LSTM(7)(layers.Rescaling(1.0)(y))"


@pytest.mark.parametrize("asked", ANSWERS, ids=name)
def test_integers_stop_where_they_stopped(asked: dict[str, Any]) -> None:
    lines = {
        BEHIND.format(dtype=dtype, layer=integers_before.LAYERS[layer]): letter
        for layer, letters in asked["found"].items()
        for dtype, letter in zip(integers_before.DTYPES, letters, strict=True)
        if letter != "n"
    }
    said = verdicts_by_line(list(lines), asked, name(asked))
    assert [line for line, letter in lines.items() if ("raises" in said[line]) is not (letter in "st")] == []
