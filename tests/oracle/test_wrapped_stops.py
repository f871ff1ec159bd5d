"""Attention with masks and what a TimeDistributed holds: nothing is believed to run where Keras stopped."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from test_input_ranks import verdicts_by_line
from test_integer_inputs import name

EVIDENCE = Path(__file__).resolve().parents[2] / "fixtures" / "evidence" / "wrapped_stops.json"
ANSWERS = [json.loads(line) for line in EVIDENCE.read_text(encoding="utf-8").splitlines()]
RUNS, STOPS = {"cudnn", "depends", "fallback"}, {"raises", "unknown"}


@pytest.mark.parametrize("asked", ANSWERS, ids=name)
def test_a_layer_behind_one_that_stops_is_not_believed_to_run(tmp_path: Path, asked: dict[str, Any]) -> None:
    said = verdicts_by_line(tmp_path / "stops.py", list(asked["lines"]), asked, name(asked))
    expected = {line: STOPS if letter == "s" else RUNS for line, letter in asked["lines"].items()}
    assert {line: found for line, found in said.items() if not found or not found <= expected[line]} == {}


def test_releases_differ() -> None:
    letters = [tuple(asked["lines"].values()) for asked in ANSWERS]
    assert {"s", "r"} <= {letter for each in letters for letter in each}
    assert len(set(letters)) > 2
