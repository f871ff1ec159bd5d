"""An input of each rank and each number of states, as Keras itself takes them (input_ranks.py asked releases)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import input_ranks
from line_verdicts import wrong
from test_state_dtypes import target

EVIDENCE = Path(__file__).resolve().parents[2] / "fixtures" / "evidence" / "input_ranks.json"
ANSWERS = [json.loads(line) for line in EVIDENCE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("asked", ANSWERS, ids=target)
def test_an_input_stops_where_it_stopped(asked: dict[str, Any]) -> None:
    cases = [
        (f"{input_ranks.CLASSES[kind]}(keras.Input({input_ranks.SIZES[: rank - 1]}))", letter)
        for kind, answers in asked["ranks"].items()
        for rank, letter in zip(input_ranks.RANKS, answers, strict=True)
        if letter != "n"
    ]
    assert wrong(cases, asked) == []


@pytest.mark.parametrize("asked", ANSWERS, ids=target)
def test_states_stop_where_they_stopped(asked: dict[str, Any]) -> None:
    cases = [
        (f"{input_ranks.CLASSES[kind]}(keras.Input((5, 4)), initial_state=[{'keras.Input((4,)), ' * count}])", letter)
        for kind, answers in asked["states"].items()
        for count, letter in zip(input_ranks.COUNTS, answers, strict=True)
    ]
    assert wrong(cases, asked) == []


@pytest.mark.parametrize("asked", ANSWERS, ids=target)
def test_an_open_number_of_features_stops_where_it_stopped(asked: dict[str, Any]) -> None:
    cases = [(f"{input_ranks.CLASSES[kind]}(keras.Input((5, None)))", letter) for kind, letter in asked["open"].items()]
    assert wrong(cases, asked) == []


@pytest.mark.parametrize("asked", ANSWERS, ids=target)
def test_what_comes_out_has_the_rank_that_it_had(asked: dict[str, Any]) -> None:
    """An LSTM behind the layer runs where that gives three dimensions, and stops where it gives another number."""
    cases = []
    for kind, answers in asked["behind"].items():
        for rank, out in answers.items():
            text = input_ranks.BEHIND[kind].replace("{permuted}", str(tuple(range(int(rank) - 1, 0, -1))))
            line = f"y = {text}(keras.Input({input_ranks.SIZES[: int(rank) - 1]})); layers.LSTM(7)(y)"
            cases.append((line, "r" if out == input_ranks.TAKEN else "s"))
    assert wrong(cases, asked) == []
