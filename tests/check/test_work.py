"""The work that files take: it grows with their size, not with its square, and what could take long has an end.

Work is counted, in calls of Python functions, readings and trials, and never in seconds.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from newest_releases import NEWEST
from shell_run import Run

from cudnnlint.core.edit import Edit
from cudnnlint.core.place import SourcePlace
from cudnnlint.fix import candidates, search
from cudnnlint.frontends import notebook as books
from cudnnlint.frontends.source import reader
from cudnnlint.rulebook import loader

Command = Callable[..., Run]
KERAS = ("--target", f"keras@{NEWEST}:tensorflow")
#: How much more work twice the size may be.
TWICE = 2.3
LINE = "layer{number} = keras.layers.LSTM({number}, unroll=True, name='l{number}')\n"
RELEASES = """\
import keras
import tensorflow as tf

if tf.__version__ == "2.17.0" or tf.__version__ == "2.19.0":
    layer = keras.layers.LSTM(8, activation="relu")
else:
    layer = keras.layers.LSTM(8)
"""


def counted(work: Callable[[], object]) -> int:
    """Return how many functions are called while work is done, in this thread and in those that it starts."""
    events = 0

    def count(frame: Any, event: str, what: Any) -> None:
        nonlocal events
        events += event in ("call", "c_call")

    before = sys.getprofile()
    threading.setprofile(count)
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
        threading.setprofile(None)  # type: ignore[arg-type]
    return events


def notebook(cells: int) -> str:
    """A notebook with a layer in each cell."""
    texts = ["import keras\n", *(LINE.format(number=number) for number in range(1, cells))]
    made = [{"cell_type": "code", "source": text, "metadata": {}, "outputs": []} for text in texts]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def program(layers: int) -> str:
    """A program with a layer that can be fixed in each line."""
    return "import keras\n" + "".join(LINE.format(number=number) for number in range(1, layers))


@pytest.mark.parametrize(("text", "name"), [(notebook, "book.ipynb"), (program, "program.py")])
@pytest.mark.parametrize("options", [(), ("--diff", "--unsafe-fixes")], ids=["check", "diff"])
def test_twice_as_many_layers_are_twice_the_work(
    text: Callable[[int], str], name: str, options: tuple[str, ...], run: Command
) -> None:
    def work(size: int) -> int:
        Path(name).write_text(text(size))
        return counted(lambda: run(name, "--output-format", "concise", "--jobs", "1", *options, *KERAS))

    work(2)  # what is imported and prepared once
    start, once, twice = work(2), work(60), work(120)
    assert (twice - start) / (once - start) < TWICE


def test_twice_as_many_cells_are_twice_the_work_of_reading_them() -> None:
    names = loader.load().tables.names

    def work(size: int) -> int:
        data = notebook(size).encode()
        return counted(lambda: books.read("book.ipynb", data, names, None))

    work(2)
    assert work(400) / work(200) < TWICE


def test_what_is_left_at_the_end_of_the_process_is_not_looked_through_for_garbage() -> None:
    told = "atexit.register(lambda: print('set apart:', gc.get_freeze_count() > 10_000))"
    code = f"import atexit, gc, sys; {told}; from cudnnlint.__main__ import main; sys.argv[1:] = ['rules']; main()"
    own = {**os.environ, "PYTHONPATH": str(Path(reader.__file__).parents[3])}
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=own)
    assert done.stdout.endswith("set apart: True\n")


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the files that are read, in their order."""
    found: list[str] = []
    read = reader._read

    def noted(path: str, *more: Any) -> Any:
        found.append(path)
        return read(path, *more)

    monkeypatch.setattr(reader, "_read", noted)
    return found


def verdicts(done: Run) -> set[tuple[int, str]]:
    """The row of each layer, with its verdicts."""
    layers = [layer for file in json.loads(done.out)["files"] for layer in file["layers"]]
    return {(layer["row"], one["verdict"]) for layer in layers for one in layer["verdicts"]}


def test_a_file_that_asks_for_releases_is_not_read_for_all_of_them_where_that_takes_too_many_steps(
    run: Command, readings: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("program.py").write_text(RELEASES)
    arguments = ("program.py", "--output-format", "report", *KERAS)
    known = run(*arguments)
    every = len(readings)
    readings.clear()
    Path("cudnnlint.toml").write_text("[limits]\nrelease-steps = 1\n")
    left = run(*arguments)
    assert len(readings) == 4 < every  # each time the file is read once without answers, and once with some
    assert verdicts(known) <= verdicts(left)  # what is not asked stays open: both ways are listed


def test_fixes_that_fail_are_not_tried_for_ever(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("program.py").write_text(program(16))
    trials: list[int] = []
    judged = search.FixSearch._judged

    def noted(self: search.FixSearch, found: Any) -> Any:
        trials.append(len(found))
        return judged(self, found)

    monkeypatch.setattr(search.FixSearch, "_judged", noted)
    monkeypatch.setattr(search, "better", lambda *_: False)
    Path("cudnnlint.toml").write_text("[limits]\nfix-readings = 20\n")
    arguments = ("program.py", "--output-format", "json", *KERAS)
    run(*arguments)
    assert len(trials) == 20
    trials.clear()
    Path("cudnnlint.toml").write_text("[limits]\nfix-steps = 1\n")
    found = json.loads(run(*arguments).out)
    assert len(trials) == search.LEAST_TRIALS
    said = {one["fix"]["message"].partition("cannot make this edit: ")[2] for one in found if one["fix"]}
    assert f"{candidates.UNTRIED}." in said
    assert {one["fix"]["applicability"] for one in found if one["fix"]} == {"displayonly"}


def candidate(number: int, rows: range, content: str = "") -> candidates.Candidate:
    """A fix that edits some lines."""
    edits = tuple(Edit(SourcePlace("a.py", row, 1, row, 5), content) for row in rows)
    fix: Any = type("Fix", (), {"applicability": None})
    return candidates.Candidate("a.py", (number,), fix, frozenset(), frozenset(), [edits])


def test_fixes_that_go_together_are_found_without_comparing_each_with_each(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[object] = []
    meet = candidates._meet

    def noted(left: candidates.Candidate, right: candidates.Candidate) -> bool:
        compared.append(left)
        return meet(left, right)

    monkeypatch.setattr(candidates, "_meet", noted)
    batch, rest = candidates.compatible([candidate(number, range(number, number + 1)) for number in range(1, 400)])
    assert (len(batch), rest, compared) == (399, [], [])


def test_fixes_that_meet_are_kept_apart_and_the_smaller_one_takes_over_what_the_wider_one_does() -> None:
    part, whole = candidate(1, range(1, 2)), candidate(2, range(1, 4))
    other, wider = candidate(3, range(3, 4), "x"), candidate(4, range(1, 6))
    batch, rest = candidates.compatible([part, whole, other, wider])
    assert [one.findings for one in batch] == [(1,), (2,), (4,)]
    assert [one.findings for one in rest] == [(3,)]
    assert [len(one.edits) for one in batch] == [5, 5, 5]
