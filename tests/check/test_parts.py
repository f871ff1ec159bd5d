"""Runs in parts: json-lines as files are finished, shards of a run, and what is read together."""

from __future__ import annotations

import io
import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from shell_run import Run
from shell_samples import keras_file, write

from cudnnlint.check import parts, read_all
from cudnnlint.check.groups import Groups, Scanned, grouped, shard

Command = Callable[..., Run]
LAYER = 'import keras\nlayer = keras.layers.LSTM({number}, activation="relu")\n'
HELPER = "import keras\n\n\ndef make(rate):\n    return keras.layers.LSTM(8, recurrent_dropout=rate)\n"
CALLER = "from {module} import make\n\nmake(0.{digit})\n"


@pytest.fixture
def tree() -> None:
    """Files of every kind, some of which call what others define, and many that have nothing to say."""
    for number in range(5):
        write(Path("alone"), f"a{number}.py", LAYER.format(number=number + 1))
        write(Path("idle"), f"i{number}.py", f"def f():\n    return {number}\n")
    write(Path("pkg"), "__init__.py")
    write(Path("pkg"), "helper.py", HELPER)
    write(Path("pkg"), "through.py", "from .helper import make as build\n\n\ndef make(rate):\n    return build(rate)\n")
    for digit in range(1, 4):
        write(Path("scripts"), f"s{digit}.py", CALLER.format(module="pkg.through", digit=digit))
    write(Path("."), "dynamic.py", 'import importlib\n\nimportlib.import_module("pkg.helper").make(0.7)\n')
    write(Path("."), "namesake.py", "from elsewhere import make\n\nmake(0.9)\n")
    write(Path("."), "broken.py", "import keras\nkeras.layers.LSTM(\n")
    keras_file(Path("model.keras"), {"recurrent_dropout": 0.2})
    write(Path("."), "damaged.h5", "no model")


def report(run: Command, *words: str) -> Any:
    return json.loads(run("--output-format", "report", "--exit-zero", *words).out)


@pytest.mark.usefixtures("tree")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_json_lines_says_what_json_says_in_the_same_order(run: Command, jobs: str) -> None:
    listed = json.loads(run("--output-format", "json", ".").out)
    lines = run("--output-format", "json-lines", "--jobs", jobs, ".")
    assert [json.loads(line) for line in lines.out.splitlines()] == listed
    assert (lines.status, lines.err) == (1, "")
    assert run("--output-format", "json-lines", "--output-file", "out.jsonl", "--exit-zero", ".") == Run(0, "", "")
    assert Path("out.jsonl").read_text() == lines.out


@pytest.mark.usefixtures("tree")
def test_json_lines_are_written_before_the_last_file_is_read(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "FIRST", 4)
    monkeypatch.setattr(parts, "LARGEST", 4)
    events: list[str] = []
    read, flush = read_all._attempt, io.TextIOWrapper.flush

    def attempt(*given: Any) -> Any:
        events.append("read")
        return read(*given)

    class Standing(io.TextIOWrapper):
        def flush(self) -> None:
            flush(self)
            events.append("written")

    monkeypatch.setattr(read_all, "_attempt", attempt)
    monkeypatch.setattr(sys, "stdout", Standing(io.BytesIO()))
    run("--output-format", "json-lines", "--jobs", "1", ".")
    assert events.index("written") < len(events) - 1 - events[::-1].index("read")
    assert events.count("written") >= 5


@pytest.mark.usefixtures("tree")
def test_json_lines_leave_the_old_file_where_a_run_cannot_go_on(run: Command) -> None:
    Path("out.jsonl").write_text("old")
    done = run("--output-format", "json-lines", "--output-file", "out.jsonl", "--target", "nonsense@1", ".")
    assert done.status == 2
    assert Path("out.jsonl").read_text() == "old"
    assert [path.name for path in Path().glob(".out*")] == []


@pytest.mark.usefixtures("tree")
@pytest.mark.parametrize("of", [1, 4])
def test_the_shards_of_a_run_are_the_run(run: Command, of: int) -> None:
    whole = report(run, ".")
    names = [f"shard{number}.json" for number in range(1, of + 1)]
    for number, name in enumerate(names, 1):
        run("--shard", f"{number}/{of}", "--output-format", "report", "--output-file", name, ".")
    shards = [json.loads(Path(name).read_text()) for name in names]
    counts = [one["summary"]["files"] for one in shards]
    assert sum(counts) == whole["summary"]["files"]
    assert max(counts) - min(counts) <= 1
    paths = [file["path"] for one in shards for file in one["files"]]
    assert sorted(paths) == sorted(file["path"] for file in whole["files"])
    random.Random(of).shuffle(names)
    assert json.loads(run("merge", "--output-format", "report", "--exit-zero", *names).out) == whole


@pytest.mark.usefixtures("tree")
def test_a_layer_that_other_shards_construct_has_all_its_calls(run: Command) -> None:
    found = [file for number in range(1, 5) for file in report(run, "--shard", f"{number}/4", ".")["files"]]
    (helper,) = [file for file in found if file["path"] == "pkg/helper.py"]
    callers = {step["path"] for layer in helper["layers"] for step in layer["via"]}
    assert callers == {"pkg/through.py", *(f"scripts/s{digit}.py" for digit in range(1, 4))}
    assert "namesake.py" not in {file["path"] for file in found}  # it imports another make


@pytest.mark.usefixtures("tree")
def test_a_run_in_many_parts_says_what_a_run_in_one_says(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = report(run, ".")
    for name, size in (("WHOLE", 0), ("FIRST", 1), ("LARGEST", 3)):
        monkeypatch.setattr(parts, name, size)
    assert report(run, ".") == whole


@pytest.mark.parametrize("text", ["0/3", "4/3", "1/0", "1", "a/b", "1/2/3", "-1/2"])
def test_a_shard_that_cannot_be_is_wrong_use(run: Command, text: str) -> None:
    done = run("check", f"--shard={text}", ".")
    assert (done.status, done.out) == (2, "")
    assert "--shard" in done.err


def test_a_shard_changes_no_file(run: Command) -> None:
    for option in ("--fix", "--diff", "--add-noqa", "--write-baseline=x"):
        done = run("--shard", "1/2", option, ".")
        assert done.status == 2
        assert "--shard cannot be combined with" in done.err


def test_groups_are_joined_by_imports_that_lead_to_a_layer_and_by_no_other() -> None:
    shows, idle = Scanned(True, True), Scanned(True)
    importing = [Scanned(True, imports=(number,)) for number in (0, 2, 1)]
    found = grouped([shows, importing[0], idle, importing[1], importing[2]])
    assert found == Groups((0, 0, 2, 3, 0), (True, True, False, False, True))
    assert grouped([Scanned(False), Scanned(False)]) == Groups((0, 1), (True, True))


@pytest.mark.parametrize("of", [1, 2, 3, 5, 16])
def test_every_file_is_in_exactly_one_shard_and_work_is_shared_evenly(of: int) -> None:
    chance = random.Random(of)
    for _ in range(20):
        count = chance.randrange(1, 60)
        files = [
            Scanned(chance.random() < 0.8, chance.random() < 0.3, tuple(chance.sample(range(count), min(count, 2))))
            for _ in range(count)
        ]
        groups = grouped(files)
        shards = [shard(groups, number, of) for number in range(1, of + 1)]
        assert sorted(index for one in shards for index in one) == list(range(count))
        sizes = [len(one) for one in shards]
        working = [sum(groups.works[index] for index in one) for one in shards]
        assert max(sizes) - min(sizes) <= 1
        assert max(working) - min(working) <= 1
