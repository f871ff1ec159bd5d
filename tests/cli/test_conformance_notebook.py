"""The notebook for hosted GPUs: its commands are those of this program, its Python installs what can be had."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest
from shell_run import Run

from cudnnlint import probe
from cudnnlint.cli.cli import cli
from cudnnlint.probe import conformance

NOTEBOOK = Path(__file__).resolve().parents[2] / "docs" / "conformance.ipynb"
CELLS = ["".join(cell["source"]) for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"] if "outputs" in cell]
COMMANDS = [shlex.split(line[1:]) for cell in CELLS for line in cell.splitlines() if line.startswith("!cudnnlint ")]
(INSTALL,) = (cell for cell in CELLS if not cell.startswith("!"))


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_each_command_is_one_of_this_program(words: list[str]) -> None:
    command = cli.get_command(click.Context(cli), words[1])
    assert command is not None
    assert command.make_context(words[1], words[2:]).params


def test_each_framework_has_a_record_of_its_own() -> None:
    records = [words[words.index("--evidence") + 1] for words in COMMANDS if "--evidence" in words]
    assert len(set(records)) == len(records) == 4
    assert all(words[1:4] == ["probe", "--conformance", "--require-gpu"] for words in COMMANDS if "--evidence" in words)


@pytest.mark.parametrize(
    ("there", "taken"),
    [
        (("cudnnlint-0.1.0-py3-none-any.whl", "cudnnlint"), "cudnnlint-0.1.0-py3-none-any.whl"),
        (("cudnnlint",), "cudnnlint"),
        (("git+https://github.com/cudnnlint/cudnnlint",), "git+https://github.com/cudnnlint/cudnnlint"),
        ((), None),
    ],
)
def test_what_is_not_on_the_package_index_is_installed_from_elsewhere(
    there: tuple[str, ...], taken: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    for name in there:
        if name.endswith(".whl"):
            (tmp_path / name).touch()

    def pip(command: list[str]) -> Any:
        return SimpleNamespace(returncode=int(command[-1] not in there))

    monkeypatch.setattr(subprocess, "run", pip)
    if taken is None:
        with pytest.raises(SystemExit, match="upload the wheel beside this notebook"):
            exec(compile(INSTALL, str(NOTEBOOK), "exec"), {})
        return
    exec(compile(INSTALL, str(NOTEBOOK), "exec"), {})
    assert capsys.readouterr().out == f"Installed from {taken}\n"


def test_a_record_that_cannot_be_written_is_one_sentence(
    run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = probe.Installed("keras", "jax", {"keras": "3.15.1", "jax": "0.10.2"})
    monkeypatch.setattr(probe, "find", lambda wanted: found)
    monkeypatch.setattr(conformance, "run", lambda *given: given[4].keep({"results": []}))
    done = run("probe", "--conformance", "--evidence", "missing/record.json")
    assert done == Run(2, "", "cudnnlint: Cannot write missing/record.json: No such file or directory.\n")
