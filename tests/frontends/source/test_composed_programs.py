"""Programs of what people write, whether the interpreter follows it or not, held against Python itself.

A small sample of what `composed/comparing.py` does over thousands of programs.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from cudnnlint.core.names import Names

sys.path.insert(0, str(Path(__file__).parent / "composed"))

from comparing import RECORDS, Tally
from pieces import DISTURBANCES, EDGES, MAKERS, VALUES, Draw

pytestmark = pytest.mark.skipif(sys.version_info < (3, 11), reason="some pieces are written for Python 3.11")
#: The share of layers that may be unknown in the recorded programs, of those whose value Python fixes.
RECORDED_UNKNOWN = 0.03
#: Faults in the recorded programs with a hidden expression: five programs that set the defaults of a function, a method
#: of a class or a descriptor, or ask a cached function, by way of what was handed out. They are not mended.
OPENED_FAULTS = 10
#: Single pieces of which one in so many is run here, and the share of layers that may be unknown in them.
EVERY = 8
UNKNOWN = 0.08
PROGRAMS = 10
OPENED = 30


@pytest.mark.parametrize(("kind", "pieces"), [("values", VALUES), ("makers", MAKERS), ("disturbances", DISTURBANCES)])
def test_no_piece_is_told_otherwise_than_python_runs_it(kind: str, pieces: list[str], names: Names) -> None:
    draw, tally = Draw(0), Tally()
    for piece in pieces[::EVERY]:
        assert tally.add(draw.of(piece, kind), names) == []
    assert tally.counts["programs"] == len(pieces[::EVERY])
    assert tally.unknown_share() <= UNKNOWN


def test_no_edge_is_told_otherwise_than_python_runs_it(names: Names) -> None:
    draw, tally = Draw(0), Tally()
    for piece in EDGES:
        assert tally.add(draw.of(piece, "edges"), names) == []
    assert tally.counts["programs"] == len(EDGES)
    assert tally.counts["missing (disturbed)"] == 0


@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_that_rests_on_something_unknown_is_told_otherwise_than_python_runs_it(seed: int, names: Names) -> None:
    draw, tally = Draw(seed), Tally()
    for _ in range(OPENED):
        assert tally.add(draw.opened(), names) == []
    assert tally.counts["programs"] > OPENED / 2


@pytest.mark.parametrize("seed", [1, 2])
def test_no_program_of_several_is_told_otherwise_than_python_runs_it(seed: int, names: Names) -> None:
    draw, tally = Draw(seed), Tally()
    for _ in range(PROGRAMS):
        assert tally.add(draw.program(), names) == []
    assert tally.counts["programs"] > PROGRAMS / 2


def test_the_recorded_programs_have_no_more_faults_than_are_known() -> None:
    rows = json.loads(RECORDS.read_text(encoding="utf-8"))
    assert sum(row["programs"] for row in rows) > 2000
    assert {row["opened"] for row in rows} == {True, False}
    faults = {row["opened"]: 0 for row in rows}
    for row in rows:
        faults[row["opened"]] += row["wrong"] + row["missing"] + row["missing (disturbed)"]
    assert faults[False] == 0
    assert faults[True] <= OPENED_FAULTS
    unknown = sum(row["unknown"] for row in rows)
    assert unknown < RECORDED_UNKNOWN * (unknown + sum(row["right"] for row in rows))
