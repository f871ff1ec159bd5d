"""States, cells and names that stop in some releases, as Keras itself takes them (stops.py asked releases)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from test_input_ranks import verdicts_by_line
from test_integer_inputs import name

EVIDENCE = Path(__file__).resolve().parents[2] / "fixtures" / "evidence" / "stops.json"
ANSWERS = [json.loads(line) for line in EVIDENCE.read_text(encoding="utf-8").splitlines()]
RAN, STOPPED = {"cudnn", "fallback"}, {"raises"}
#: Names that TensorFlow takes in the scope of a model only; what is around the layer decides.
WITHIN = ("name='_a'", "name='-a'")


@pytest.mark.parametrize("asked", ANSWERS, ids=name)
def test_a_line_stops_where_it_stopped(tmp_path: Path, asked: dict[str, Any]) -> None:
    lines = {line: letter for line, letter in asked["lines"].items() if letter != "n"}
    old = asked["framework"] == "keras" and asked["keras"].startswith("2.")
    point = f"{name(asked)}:tensorflow@{asked['tensorflow']}" if old else name(asked)
    said = verdicts_by_line(tmp_path / "stops.py", list(lines), asked, point)
    expected = {line: STOPPED if letter == "s" else RAN for line, letter in lines.items()}
    doubts = {line for line in lines if said[line] == {"unknown"} and any(text in line for text in WITHIN)}
    assert {line: found for line, found in said.items() if line not in doubts and not found <= expected[line]} == {}
