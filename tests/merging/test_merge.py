"""`merge`: several reports as one, in every format, and a sentence for what does not go together."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from shell_run import Run
from shell_samples import keras_file

from cudnnlint.core.output_formats import FORMATS, WITH_EDITS
from cudnnlint.merging import report_schema

Command = Callable[..., Run]
SOURCE = """import keras


class Mine(keras.layers.LSTM):
    pass


def make(rate):
    return keras.layers.Bidirectional(keras.layers.GRU(8, recurrent_dropout=rate, reset_after=False))


make(0.5)
Mine(8, activation="relu",
     use_bias=False)
"""


#: The reports of the fixture below, which every test finds alike: each is made once.
WRITTEN: dict[str, bytes] = {}


@pytest.fixture
def reports(run: Command) -> list[str]:
    """The reports of two folders, each with source and a saved model."""
    for name in ("a", "b"):
        Path(name).mkdir()
        Path(name, "model.py").write_text(SOURCE)
        keras_file(Path(name, "model.keras"), {"recurrent_dropout": 0.2}, {})
        path = Path(f"{name}.json")
        if name not in WRITTEN:
            run("--output-format", "report", "--output-file", str(path), name)
            WRITTEN[name] = path.read_bytes()
        path.write_bytes(WRITTEN[name])
    return ["a.json", "b.json"]


def change(path: str, key: str, value: Any) -> None:
    data = json.loads(Path(path).read_text())
    *keys, last = key.split(".")
    at = data
    for one in keys:
        at = at[int(one)] if one.isdigit() else at[one]
    at[int(last) if last.isdigit() else last] = value
    Path(path).write_text(json.dumps(data))


@pytest.mark.parametrize("name", FORMATS)
def test_merged_reports_are_those_of_one_run_in_every_format(run: Command, reports: list[str], name: str) -> None:
    merged = run("merge", "--output-format", name, *reports)
    assert merged.status == 1
    if name == "html":  # what other releases do is in no report, so this page has no table of it
        one = run("--output-format", name, "a", "b").out
        assert set(re.findall(r"CDN\d{3}", merged.out)) == set(re.findall(r"CDN\d{3}", one))
        assert re.search(r"<h1>.*?</h1>", merged.out, re.S)[0] == re.search(r"<h1>.*?</h1>", one, re.S)[0]
    elif name in WITH_EDITS or name in ("gitlab", "junit", "github", "azure"):
        assert merged == run("--output-format", name, "a", "b")
    else:  # fixes were tried for the report and not for these, which say so
        same = [line for line in run("--output-format", name, "a", "b").out.splitlines() if "fix" not in line.lower()]
        assert set(same) - set(merged.out.splitlines()) <= {line for line in same if "[*]" in line or "help" in line}


def test_what_fails_is_what_made_check_fail_or_what_is_asked_for(run: Command) -> None:
    Path("pyproject.toml").write_text('[tool.cudnnlint]\nfail-on = "error"\n')
    Path("model.py").write_text("import keras\nkeras.layers.LSTM(8, recurrent_dropout=0.5)\n")
    assert run("--output-format", "report", "--output-file", "r.json", "model.py").status == 0
    Path("pyproject.toml").unlink()
    assert run("merge", "r.json").status == 0
    assert run("merge", "--fail-on", "warning", "r.json").status == 1
    assert run("merge", "--fail-on", "warning", "--exit-zero", "r.json").status == 0
    assert run("merge", "--fail-on", "error", "r.json").status == 0


def test_an_unknown_verdict_fails_when_asked_to_be_strict(run: Command) -> None:
    Path("model.py").write_text("import keras\nkeras.layers.LSTM(8, activation=chosen())\n")
    run("--output-format", "report", "--output-file", "r.json", "model.py")
    assert (run("merge", "r.json").status, run("merge", "--strict", "r.json").status) == (0, 1)


def test_statistics_and_output_file_work_as_for_check(run: Command, reports: list[str]) -> None:
    assert run("merge", "--statistics", *reports) == run("--statistics", "a", "b")
    assert run("merge", "--output-file", "all.json", "--output-format", "report", *reports).out == ""
    assert json.loads(Path("all.json").read_text()) == json.loads(run("--output-format", "report", "a", "b").out)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "a.json is not a report of cudnnlint: it is damaged, or not JSON."),
        ("[" * 100_000, "a.json is not a report of cudnnlint: it is damaged, or not JSON."),
        ("[]", "a.json is not a report of cudnnlint: write it with --output-format report."),
        ('{"version": "2.1.0"}', "a.json is not a report of cudnnlint: write it with --output-format report."),
        ('{"schema_version": 2}', "a.json has schema_version 2; this cudnnlint reads 1. Use the one that wrote it."),
        ('{"schema_version": 1}', "a.json is not a sound report of cudnnlint: tool is missing."),
    ],
)
def test_a_foreign_or_damaged_file_is_named_in_a_sentence(
    run: Command, reports: list[str], text: str, sentence: str
) -> None:
    Path("a.json").write_text(text)
    assert run("merge", *reports) == Run(2, "", f"cudnnlint: {sentence}\n")


@pytest.mark.parametrize(
    ("key", "value", "fault"),
    [
        ("files.0.path", 3, "files[0].path is not string"),
        ("files.0.layers.0.id", True, "files[0].layers[0].id is not integer"),
        ("files.0.layers.0.verdicts", [], "files[0].layers[0].verdicts is empty"),
        ("files.0.layers.0.verdicts.0.target", 7, "a verdict is for a target that its file does not have"),
        ("files.0.layers.0.verdicts.0.verdict", "fast", "files[0].layers[0].verdicts[0].verdict is none of"),
        ("files.0.targets.0.keras", "new", "Invalid version"),
        ("files.1.lines.0.row", 10**9, "has a line that no file has"),
        ("diagnostics.0.severity", "bad", "diagnostics[0].severity is none of"),
        ("diagnostics.0.path", "other.py", "diagnostics name other.py, which is not among the files"),
        ("summary.files", -1, "summary.files is less than 0"),
    ],
)
def test_what_is_wrong_with_a_damaged_report_is_named(
    run: Command, reports: list[str], key: str, value: Any, fault: str
) -> None:
    change("a.json", key, value)
    done = run("merge", *reports)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("cudnnlint: a.json is not a sound report of cudnnlint: ")
    assert fault in done.err


def test_a_file_that_is_not_there_is_named(run: Command) -> None:
    assert run("merge", "none.json").err == "cudnnlint: Cannot read none.json: No such file or directory.\n"


def test_reports_that_do_not_go_together_are_refused(run: Command, reports: list[str]) -> None:
    assert "a.json and a.json both hold" not in run("merge", "a.json").err
    Path("again.json").write_bytes(Path("a.json").read_bytes())
    assert run("merge", "a.json", "again.json").err == "cudnnlint: a.json and again.json both hold a/model.keras.\n"
    change("b.json", "tool.version", "9.9")
    assert "and b.json from 9.9: use one." in run("merge", *reports).err


def test_shards_that_do_not_go_together_are_refused(run: Command, reports: list[str]) -> None:
    for number in (1, 2, 3):
        run("--shard", f"{number}/3", "--output-format", "report", "--output-file", f"s{number}.json", "a", "b")
    run("--shard", "2/3", "--output-format", "report", "--output-file", "other.json", "a")
    assert run("merge", "s1.json", "s3.json").err == (
        "cudnnlint: Missing: shard 2 of 3. Give the report of every shard.\n"
    )
    assert run("merge", "s1.json").err.startswith("cudnnlint: Missing: shard 2, 3 of 3.")
    assert "s1.json and again.json are both shard 1 of 3." in _twice(run)
    assert "s1.json and other.json are shards of different runs" in run("merge", "s1.json", "other.json", "s3.json").err
    assert "a.json is a whole report, and others are shards" in run("merge", "s1.json", "a.json").err
    assert run("merge", "s1.json", "s2.json", "s3.json").status == 1


def _twice(run: Command) -> str:
    Path("again.json").write_bytes(Path("s1.json").read_bytes())
    return run("merge", "s1.json", "again.json").err


def test_a_later_version_may_write_more_keys(run: Command, reports: list[str]) -> None:
    change("a.json", "later", {"key": 1})
    change("a.json", "files.0.later", 1)
    assert run("merge", *reports).status == 1
    assert report_schema.fault({"schema_version": 1}) == "tool is missing"


CONSTANT = """import keras
UNROLL = True  # far above


def build():
    x = keras.Input((10, 4))
    y = keras.layers.LSTM(8, unroll=UNROLL)(x)
    return keras.Model(x, y)


model = build()
print("unrolled", UNROLL)
"""


def test_a_merged_page_shows_a_fix_in_lines_that_no_finding_is_in(run: Command) -> None:
    Path("model.py").write_text(CONSTANT)
    run("--output-format", "report", "--output-file", "r.json", "model.py")
    whole = run("--output-format", "html", "model.py").out
    merged = run("merge", "--output-format", "html", "r.json")
    assert merged.status == 1
    shown = re.findall(r"LSTM\(8.{0,60}", whole)
    assert len(shown) > 1  # the line that goes and the one that comes
    assert re.findall(r"LSTM\(8.{0,60}", merged.out) == shown
    data = json.loads(Path("r.json").read_text())
    assert data["diagnostics"][0]["location"]["row"] == 2
    assert {6, 7, 8} <= {line["row"] for line in data["files"][0]["lines"]}


def test_a_report_without_the_lines_of_a_fix_still_makes_a_page(run: Command) -> None:
    Path("model.py").write_text(CONSTANT)
    run("--output-format", "report", "--output-file", "r.json", "model.py")
    data = json.loads(Path("r.json").read_text())
    (lines,) = (file["lines"] for file in data["files"])
    for kept in ([], lines[:1], [{**line, "text": ""} for line in lines]):
        change("r.json", "files.0.lines", kept)
        assert run("merge", "--output-format", "html", "r.json").status == 1


NOTEBOOK = {
    "cells": [
        {"cell_type": "code", "source": "from keras.layers import LSTM\nOPTIONS = dict(recurrent_dropout=0.3)"},
        {"cell_type": "code", "source": "LSTM(4, **OPTIONS)\n"},
    ],
    "nbformat": 4,
}


@pytest.mark.parametrize("target", ["keras@3.4.1", "tensorflow@2.10"])
def test_the_page_of_one_report_is_the_page_of_its_check(target: str, run: Command) -> None:
    Path("a").mkdir()
    Path("a", "model.py").write_text(SOURCE)
    Path("a", "b.ipynb").write_text(json.dumps(NOTEBOOK))
    keras_file(Path("a", "model.keras"), {"recurrent_dropout": 0.2}, {})
    options = ("check", "a", "--target", target, "--no-cache", "--exit-zero", "--output-format")
    run(*options, "report", "--output-file", "a.json")
    page, merged = run(*options, "html"), run("merge", "a.json", "--output-format", "html", "--exit-zero")
    assert "Which releases of Keras do what" in page.out
    assert "backward" in page.out
    assert merged.out == page.out


def test_a_comparison_of_a_layer_that_is_not_there_is_no_sound_report(reports: list[str], run: Command) -> None:
    change(reports[0], "files.0.comparisons", [{"layers": [99], "ranges": []}])
    done = run("merge", reports[0])
    assert (done.status, "a layer that is not there" in done.err) == (2, True)
