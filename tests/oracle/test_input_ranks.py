"""An input of each rank and each number of states, as Keras itself takes them (input_ranks.py asked releases)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from cudnnlint import check_many

sys.path.insert(0, str(Path(__file__).resolve().parent))

import input_ranks
from test_state_dtypes import IMPORTS, target

EVIDENCE = Path(__file__).resolve().parents[2] / "fixtures" / "evidence" / "input_ranks.json"
ANSWERS = [json.loads(line) for line in EVIDENCE.read_text(encoding="utf-8").splitlines()]


def wrong(path: Path, cases: list[tuple[str, str]], asked: dict[str, Any], point: str = "") -> list[str]:
    """The lines whose last layer is said to do otherwise than the letter beside it; `point` is another release."""
    said = verdicts_by_line(path, [line for line, _ in cases], asked, point)
    return [line for line, letter in cases if not fits(said[line], letter)]


def verdicts_by_line(path: Path, lines: list[str], asked: dict[str, Any], point: str = "") -> dict[str, set[str]]:
    """The verdicts of the last layer of each line."""
    text = [IMPORTS[asked["framework"]], "layers = keras.layers", *lines]
    path.write_text("\n".join(text) + "\n", encoding="utf-8")
    (report,) = check_many([path], target=point or target(asked))
    said: dict[int, dict[int, set[str]]] = {}
    for layer in report.files[0].layers:
        verdicts = said.setdefault(layer.place.row - 3, {}).setdefault(layer.place.column, set())
        verdicts.update(one.verdict.value for one in layer.judgements)
    last = {row: places[max(places)] for row, places in said.items()}
    return {line: last.get(row, set()) for row, line in enumerate(lines)}


def fits(verdicts: set[str], letter: str) -> bool:
    """Return whether a layer that stopped is said to stop, and one that ran to run."""
    return verdicts == {"raises"} if letter == "s" else bool(verdicts) and verdicts <= {"cudnn", "fallback"}


@pytest.mark.parametrize("asked", ANSWERS, ids=target)
def test_an_input_stops_where_it_stopped(tmp_path: Path, asked: dict[str, Any]) -> None:
    cases = [
        (f"{input_ranks.CLASSES[kind]}(keras.Input({input_ranks.SIZES[: rank - 1]}))", letter)
        for kind, answers in asked["ranks"].items()
        for rank, letter in zip(input_ranks.RANKS, answers, strict=True)
        if letter != "n"
    ]
    assert wrong(tmp_path / "ranks.py", cases, asked) == []


@pytest.mark.parametrize("asked", ANSWERS, ids=target)
def test_states_stop_where_they_stopped(tmp_path: Path, asked: dict[str, Any]) -> None:
    cases = [
        (f"{input_ranks.CLASSES[kind]}(keras.Input((5, 4)), initial_state=[{'keras.Input((4,)), ' * count}])", letter)
        for kind, answers in asked["states"].items()
        for count, letter in zip(input_ranks.COUNTS, answers, strict=True)
    ]
    assert wrong(tmp_path / "states.py", cases, asked) == []


@pytest.mark.parametrize("asked", ANSWERS, ids=target)
def test_an_open_number_of_features_stops_where_it_stopped(tmp_path: Path, asked: dict[str, Any]) -> None:
    cases = [(f"{input_ranks.CLASSES[kind]}(keras.Input((5, None)))", letter) for kind, letter in asked["open"].items()]
    assert wrong(tmp_path / "open.py", cases, asked) == []


@pytest.mark.parametrize("asked", ANSWERS, ids=target)
def test_what_comes_out_has_the_rank_that_it_had(tmp_path: Path, asked: dict[str, Any]) -> None:
    """An LSTM behind the layer runs where that gives three dimensions, and stops where it gives another number."""
    cases = []
    for kind, answers in asked["behind"].items():
        for rank, out in answers.items():
            text = input_ranks.BEHIND[kind].replace("{permuted}", str(tuple(range(int(rank) - 1, 0, -1))))
            line = f"y = {text}(keras.Input({input_ranks.SIZES[: int(rank) - 1]})); layers.LSTM(7)(y)"
            cases.append((line, "r" if out == input_ranks.TAKEN else "s"))
    assert wrong(tmp_path / "behind.py", cases, asked) == []
