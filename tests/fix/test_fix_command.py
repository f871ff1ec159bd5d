"""`check --fix` and its companions, from the command line: what is written, what is said, and the exit status."""

from __future__ import annotations

import io
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from newest_releases import NEWEST
from shell_run import Run

from cudnnlint.core.edit import Edit
from cudnnlint.core.place import SourcePlace
from cudnnlint.fix import convert
from cudnnlint.probe.verify import Verified
from cudnnlint.rewriters.source import source_text

SAVED = Path(__file__).resolve().parents[2] / "fixtures" / "saved" / "legacy"
KERAS = ("--target", f"keras@{NEWEST}:tensorflow")
SAFE = "import keras\n\nlayer = keras.layers.LSTM(8, unroll=True)  # short\n"
BOTH = "import keras\n\nlayer = keras.layers.LSTM(8, unroll=True, recurrent_dropout=0.5)\n"
Command = Callable[..., Run]


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], Path]:
    """A function that writes a program and tells where."""

    def write(text: str, name: str = "program.py") -> Path:
        path = tmp_path / name
        path.write_bytes(text.encode())
        return path

    return write


def typed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Put bytes on standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_what_keeps_the_numbers_is_fixed_and_all_is_well(run: Command, program: Callable[[str], Path]) -> None:
    path = program(SAFE)
    done = run("--fix", *KERAS, "program.py")
    assert (done.status, done.err) == (0, "Fixed 1 finding.\n")
    assert path.read_text() == "import keras\n\nlayer = keras.layers.LSTM(8)  # short\n"
    again = run("--fix", *KERAS, "program.py")
    assert (again.status, again.err) == (0, "")


@pytest.mark.parametrize(
    ("asks", "fixed"),
    [
        ("", True), ("model.save('m.keras')\n", True), ("isinstance(model, keras.Model)\n", True),
        ("model.get_layer('lstm')\n", False), ("model.load_weights('m.weights.h5')\n", False),
        ("isinstance(model.layers[0], keras.layers.RNN)\n", False),
    ],
)  # fmt: skip
def test_a_layer_of_another_class_waits_where_layers_are_asked_for_by_name_or_class(
    asks: str, fixed: bool, run: Command, program: Callable[[str], Path]
) -> None:
    model = "keras.Sequential([keras.layers.RNN(keras.layers.LSTMCell(4))])"
    path = program(f"import keras\n\nmodel = {model}\n{asks}")
    assert run("--fix", *KERAS, "program.py").status == (0 if fixed else 1)
    assert ("LSTMCell" in path.read_text()) is not fixed
    run("--fix", "--unsafe-fixes", *KERAS, "program.py")
    assert "LSTMCell" not in path.read_text()


def test_what_changes_numbers_waits_to_be_asked_for(run: Command, program: Callable[[str], Path]) -> None:
    path = program(BOTH)
    done = run("--fix", *KERAS, "program.py", "--output-format", "json")
    assert done.status == 1
    assert [found["code"] for found in json.loads(done.out)] == ["CDN103"]
    assert "recurrent_dropout" in path.read_text()
    assert run("--fix", "--unsafe-fixes", *KERAS, "program.py").status == 0
    assert path.read_text() == "import keras\n\nlayer = keras.layers.LSTM(8)\n"


def test_the_configuration_may_ask_for_it_and_the_flag_may_refuse(
    run: Command, program: Callable[[str], Path], tmp_path: Path
) -> None:
    path = program(BOTH)
    (tmp_path / "cudnnlint.toml").write_text("unsafe-fixes = true\n")
    assert run("--fix", "--no-unsafe-fixes", *KERAS, "program.py").status == 1
    assert "recurrent_dropout" in path.read_text()
    assert run("--fix", *KERAS, "program.py").status == 0
    assert "recurrent_dropout" not in path.read_text()


def test_a_diff_shows_it_and_writes_nothing(run: Command, program: Callable[[str], Path]) -> None:
    path = program(SAFE)
    done = run("--diff", *KERAS, "program.py")
    assert done.status == 1
    assert done.out.splitlines()[:2] == ["--- program.py", "+++ program.py"]
    assert "-layer = keras.layers.LSTM(8, unroll=True)  # short" in done.out
    assert "+layer = keras.layers.LSTM(8)  # short" in done.out
    assert path.read_text() == SAFE
    program(BOTH.replace("unroll=True, ", ""))
    assert (run("--diff", *KERAS, "program.py").status, run("--diff", *KERAS, "program.py").out) == (0, "")
    assert run("--diff", "--unsafe-fixes", *KERAS, "program.py").status == 1


def test_a_diff_says_which_files_it_could_not_read(run: Command, program: Callable[..., Path]) -> None:
    program("def (", "broken.py")
    done = run("--diff", *KERAS, "broken.py", "nothing.py")
    assert (done.status, done.out) == (1, "")
    assert done.err.splitlines() == [
        "broken.py: Its syntax is not valid Python: invalid syntax.",
        "nothing.py: The file cannot be opened: No such file or directory.",
    ]


def test_a_hook_can_be_told_that_something_was_fixed(run: Command, program: Callable[[str], Path]) -> None:
    program(SAFE)
    assert run("--fix", "--exit-non-zero-on-fix", *KERAS, "program.py").status == 1
    assert run("--fix", "--exit-non-zero-on-fix", *KERAS, "program.py").status == 0


def test_standard_input_comes_out_fixed(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, SAFE.replace("\n", "\r\n").encode())
    done = run("--fix", *KERAS, "--stdin-filename", "unsaved.py", "-")
    assert done.status == 0
    assert done.out == "import keras\r\n\r\nlayer = keras.layers.LSTM(8)  # short\r\n"
    typed(monkeypatch, b"x = 1\n")
    assert run("--fix", *KERAS, "--stdin-filename", "unsaved.py", "-").out == "x = 1\n"
    typed(monkeypatch, SAFE.encode())
    diff = run("--diff", *KERAS, "--stdin-filename", "unsaved.py", "-")
    assert diff.status == 1
    assert diff.out.startswith("--- unsaved.py\n")


def test_the_edits_in_the_json_are_those_that_are_applied(run: Command, program: Callable[[str], Path]) -> None:
    program(SAFE)
    (found,) = json.loads(run(*KERAS, "program.py", "--output-format", "json").out)
    assert found["fix"]["applicability"] == "safe"
    edits = [
        Edit(
            SourcePlace("program.py", *edit["location"].values(), *edit["end_location"].values()), edit["content"]
        )
        for edit in found["fix"]["edits"]
    ]  # fmt: skip
    assert all(list(edit["location"]) == ["row", "column"] for edit in found["fix"]["edits"])
    assert source_text.apply(SAFE, edits) == SAFE.replace(", unroll=True", "")


def test_every_format_carries_the_edits(run: Command, program: Callable[[str], Path]) -> None:
    program(BOTH)
    sarif = json.loads(run(*KERAS, "program.py", "--output-format", "sarif").out)
    changes = [result["fixes"][0]["artifactChanges"][0]["replacements"] for result in sarif["runs"][0]["results"]]
    assert len(changes) == 2
    assert all(change[0]["deletedRegion"]["startLine"] == 3 for change in changes)
    rdjson = json.loads(run(*KERAS, "program.py", "--output-format", "rdjson").out)
    assert all(found["suggestions"][0]["range"]["start"]["line"] == 3 for found in rdjson["diagnostics"])
    report = json.loads(run(*KERAS, "program.py", "--output-format", "report").out)
    assert (report["summary"]["fixable"], report["summary"]["fixable_unsafe"]) == (1, 1)
    lines = run(*KERAS, "program.py", "--output-format", "concise").out.splitlines()
    assert ["[*]" in line for line in lines[:2]] == [True, False]
    lines = run(*KERAS, "--unsafe-fixes", "program.py", "--output-format", "concise").out.splitlines()
    assert ["[*]" in line for line in lines[:2]] == [True, True]
    assert "1 finding may be fixable with --fix, 1 more with --unsafe-fixes" in run(*KERAS, "program.py").out


def test_a_fix_that_cannot_be_written_says_why(run: Command, program: Callable[[str], Path]) -> None:
    text = "import keras\n\ndef make(kind, *more):\n    return kind(8, *more)\n\nmake(keras.layers.LSTM, 'relu')\n"
    path = program(text)
    (found,) = json.loads(run(*KERAS, "program.py", "--output-format", "json").out)
    assert found["fix"]["applicability"] == "displayonly"
    assert (
        "cudnnlint cannot make this edit: activation may come from any of the spread arguments."
        in (found["fix"]["message"])
    )
    assert found["fix"]["edits"] == []
    assert run("--fix", "--unsafe-fixes", *KERAS, "program.py").status == 1
    assert path.read_text() == text


def test_what_is_silenced_is_not_fixed(run: Command, program: Callable[[str], Path]) -> None:
    text = SAFE.replace("# short", "# noqa: CDN105")
    path = program(text)
    assert run("--fix", *KERAS, "program.py").status == 0
    assert path.read_text() == text


def test_a_file_that_another_one_builds_from_is_fixed_with_it(run: Command, program: Callable[..., Path]) -> None:
    parts = program(
        "import keras\n\ndef make(rate):\n    return keras.layers.LSTM(8, recurrent_dropout=rate)\n", "parts.py"
    )
    main = program("from parts import make\n\nmake(0.5)\nmake(0.25)\n", "main.py")
    done = run("--fix", "--unsafe-fixes", *KERAS, ".")
    assert done.status == 0, done.out
    assert parts.read_text().endswith("return keras.layers.LSTM(8)\n")
    assert main.read_text() == "from parts import make\n\nmake(0.5)\nmake(0.25)\n"


NOTEBOOK = """{"cells": [
 {"cell_type": "markdown", "metadata": {}, "source": ["caf\\u00e9"]},
 {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": 3,
  "source": ["%matplotlib inline\\n", "import keras\\n", "name = 'caf\\u00e9'\\n"]},
   {"source": [
    "layer = keras.layers.LSTM(\\n",
    "    8,  # units\\n",
    "    unroll=True,\\n",
    ")\\n",
    "text = '\\u00fc\\\\n'"
   ], "cell_type": "code", "metadata": {}, "outputs": [], "execution_count": null},
 {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": null,
  "source": "keras.layers.GRU(8, unroll=True)"}
], "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}"""


def test_of_a_notebook_only_the_lines_at_fault_change(run: Command, program: Callable[..., Path]) -> None:
    path = program(NOTEBOOK, "notebook.ipynb")
    assert run("--fix", *KERAS, "notebook.ipynb").status == 0
    wanted = NOTEBOOK.replace('    "    unroll=True,\\n",\n', "").replace("GRU(8, unroll=True)", "GRU(8)")
    assert path.read_text() == wanted


def test_a_notebook_with_a_cell_that_cannot_be_read_is_left_as_it_is_and_its_fixes_are_advice(
    run: Command, program: Callable[..., Path]
) -> None:
    broken = NOTEBOOK.replace("keras.layers.GRU(8, unroll=True)", "def (")
    path = program(broken, "notebook.ipynb")
    found = json.loads(run("--output-format", "json", *KERAS, "notebook.ipynb").out)
    assert {one["fix"]["applicability"] for one in found if one["fix"]} == {"displayonly"}
    assert "fixable" not in run(*KERAS, "notebook.ipynb").out
    assert run("--fix", *KERAS, "notebook.ipynb").status == 1
    assert path.read_text() == broken


def test_a_saved_model_goes_beside_the_old_one(run: Command, tmp_path: Path) -> None:
    old = tmp_path / "model.keras"
    shutil.copy(SAVED / "keras-3.15.1-slow.keras", old)
    before = old.read_bytes()
    done = run("--fix", "model.keras", "--output-format", "json")
    assert done.status == 1
    assert "model.cudnn.keras: written" in done.err
    assert old.read_bytes() == before
    assert {found["code"] for found in json.loads(done.out)} == {"CDN101", "CDN103", "CDN106", "CDN107"}
    done = run("--fix", "--unsafe-fixes", "model.keras", "--output-file", "other.keras")
    assert done.status == 1  # relu needs new weights
    assert "2 fall back" in done.out
    assert (tmp_path / "other.keras").exists()
    assert old.read_bytes() == before


def test_inference_makes_safe_what_changes_training_only(run: Command, tmp_path: Path) -> None:
    shutil.copy(SAVED / "keras-3.15.1-cells.keras", tmp_path / "model.keras")
    before = (tmp_path / "model.keras").read_bytes()
    diff = run("--diff", "--for", "inference", "model.keras")
    assert (diff.status, diff.out) == (1, "")
    assert "model.cudnn.keras: would be written" in diff.err
    assert sorted(path.name for path in tmp_path.iterdir()) == [".git", "model.keras"]
    done = run("--fix", "--for", "inference", "--in-place", "model.keras")
    assert done.status == 0, done.out
    assert (tmp_path / "model.keras").read_bytes() != before
    assert sorted(path.name for path in tmp_path.iterdir()) == [".git", "model.keras"]


def test_one_output_file_is_for_one_model(run: Command, tmp_path: Path) -> None:
    for name in ("a.keras", "b.keras"):
        shutil.copy(SAVED / "keras-3.15.1-cells.keras", tmp_path / name)
    done = run("--fix", "a.keras", "b.keras", "--output-file", "c.keras")
    assert (done.status, done.out) == (2, "")
    assert "one fixed model" in done.err
    both = run("--fix", "--in-place", "a.keras", "--output-file", "c.keras")
    assert both.status == 2


def test_verify_goes_with_a_fix(run: Command, tmp_path: Path) -> None:
    done = run("check", str(tmp_path), "--verify")
    assert (done.status, done.out) == (2, "")
    assert "use it with --fix or --diff" in done.err


def differing(monkeypatch: pytest.MonkeyPatch, difference: float) -> None:
    """Make the two files compute numbers this far apart."""
    monkeypatch.setattr(convert, "must_have_a_framework", lambda: None)
    monkeypatch.setattr(convert, "compare", lambda old, new: Verified(difference, scale=1.0, releases=("keras 3",)))


@pytest.mark.parametrize(("difference", "written"), [(1e-7, True), (0.5, False)])
def test_verify_writes_only_what_computes_the_same(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, difference: float, written: bool
) -> None:
    differing(monkeypatch, difference)
    model = Path(shutil.copy(SAVED / "keras-3.15.1-slow.keras", tmp_path / "slow.keras"))
    done = run(str(model), *KERAS, "--fix", "--verify", "--output-format", "concise")
    assert (tmp_path / "slow.cudnn.keras").exists() is written
    assert ("verified: largest difference" if written else "nothing was written") in done.err


def test_verify_says_that_source_is_not_run(run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    differing(monkeypatch, 0)
    source = tmp_path / "model.py"
    source.write_text("import keras\n\nlayer = keras.layers.LSTM(4, unroll=True)\n")
    done = run(str(source), *KERAS, "--fix", "--verify")
    assert "unroll" not in source.read_text()
    assert "the changes in source were not verified" in done.err


@pytest.mark.slow
def test_verify_runs_real_keras(run: Command, tmp_path: Path) -> None:
    pytest.importorskip("keras")
    model = Path(shutil.copy(SAVED / "keras-3.15.1-slow.keras", tmp_path / "slow.keras"))
    done = run(str(model), *KERAS, "--fix", "--for", "inference", "--verify", "--output-format", "concise")
    assert "verified: largest difference" in done.err, done.err
    assert (tmp_path / "slow.cudnn.keras").exists()
