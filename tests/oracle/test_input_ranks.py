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


def said_of(path: Path, lines: list[str], asked: dict[str, Any], point: str = "") -> dict[int, set[str]]:
    """The verdicts of a program, by the row of the layer; for the release that was asked, or another `point`."""
    text = [IMPORTS[asked["framework"]], "layers = keras.layers", *lines]
    path.write_text("\n".join(text) + "\n", encoding="utf-8")
    (report,) = check_many([path], target=point or target(asked))
    said: dict[int, set[str]] = {}
    for layer in report.files[0].layers:
        said.setdefault(layer.place.row - 3, set()).update(one.verdict.value for one in layer.judgements)
    return said


def fits(verdicts: set[str], letter: str) -> bool:
    """Return whether a layer that stopped is said to stop, and one that ran to run."""
    return verdicts == {"raises"} if letter == "s" else verdicts <= {"cudnn", "fallback"}


@pytest.mark.parametrize("asked", ANSWERS, ids=target)
def test_an_input_stops_where_it_stopped(tmp_path: Path, asked: dict[str, Any]) -> None:
    lines, letters = [], []
    for kind, answers in asked["ranks"].items():
        for rank, letter in zip(input_ranks.RANKS, answers, strict=True):
            if letter != "n":
                lines.append(f"{input_ranks.CLASSES[kind]}(keras.Input({input_ranks.SIZES[: rank - 1]}))")
                letters.append(letter)
    said = said_of(tmp_path / "ranks.py", lines, asked)
    wrong = [lines[row] for row, letter in enumerate(letters) if not fits(said.get(row, set()), letter)]
    assert wrong == []


@pytest.mark.parametrize("asked", ANSWERS, ids=target)
def test_states_stop_where_they_stopped(tmp_path: Path, asked: dict[str, Any]) -> None:
    lines, letters = [], []
    for kind, answers in asked["states"].items():
        for count, letter in zip(input_ranks.COUNTS, answers, strict=True):
            states = ", ".join(["keras.Input((4,))"] * count)
            lines.append(f"{input_ranks.CLASSES[kind]}(keras.Input((5, 4)), initial_state=[{states}])")
            letters.append(letter)
    said = said_of(tmp_path / "states.py", lines, asked)
    wrong = [lines[row] for row, letter in enumerate(letters) if not fits(said.get(row, set()), letter)]
    assert wrong == []


@pytest.mark.parametrize("asked", ANSWERS, ids=target)
def test_what_comes_out_has_the_rank_that_it_had(tmp_path: Path, asked: dict[str, Any]) -> None:
    """An LSTM behind the layer runs where that gives three dimensions, and stops where it gives another number."""
    lines, letters = [], []
    for kind, answers in asked["behind"].items():
        for rank, out in answers.items():
            text = input_ranks.BEHIND[kind].replace("{permuted}", str(tuple(range(int(rank) - 1, 0, -1))))
            given = f"{text}(keras.Input({input_ranks.SIZES[: int(rank) - 1]}))"
            lines.append(f"y = {given}; layers.LSTM(7)(y)")
            letters.append("r" if out == 3 else "s")
    text = [IMPORTS[asked["framework"]], "layers = keras.layers", *lines]
    (tmp_path / "behind.py").write_text("\n".join(text) + "\n", encoding="utf-8")
    (report,) = check_many([tmp_path / "behind.py"], target=target(asked))
    behind = [layer for layer in report.files[0].layers if layer.place.column > len("y = layers")]
    said = {layer.place.row - 3: {one.verdict.value for one in layer.judgements} for layer in behind}
    wrong = [lines[row] for row, letter in enumerate(letters) if not fits(said.get(row, set()), letter)]
    assert wrong == []
