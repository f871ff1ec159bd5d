"""What writing leaves behind when the system fails it: the old file or the new one, and nothing else."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from newest_releases import NEWEST
from shell_run import Run

Command = Callable[..., Run]
PROGRAM = "import keras\n\nlayer = keras.layers.LSTM(8, unroll=True)  # short\n"
SAVED = Path(__file__).resolve().parents[2] / "fixtures" / "saved"
KERAS = ("--target", f"keras@{NEWEST}:tensorflow")
#: The calls by which a file gets written, and what each may fail with.
CALLS = [
    ("os.mkdir", errno.ENOSPC), ("os.mkdir", errno.EROFS), ("os.mkdir", errno.EACCES),
    ("os.fsync", errno.ENOSPC), ("os.fsync", errno.EIO), ("os.chmod", errno.EPERM),
    ("os.replace", errno.ENOSPC), ("os.replace", errno.EACCES), ("os.replace", errno.EROFS),
]  # fmt: skip
COMMANDS = {
    "--fix": ("--fix", *KERAS, "program.py"),
    "--add-noqa": ("--add-noqa", *KERAS, "program.py"),
    "--write-baseline": ("--write-baseline", "baseline.json", *KERAS, "program.py"),
    "--output-file": ("--output-file", "report.txt", *KERAS, "program.py"),
    "--output-file, in pieces": ("--output-file", "r.jsonl", "--output-format", "json-lines", *KERAS, "program.py"),
}


def failing(number: int) -> Callable[..., Any]:
    def fails(*_: Any, **__: Any) -> None:
        raise OSError(number, os.strerror(number))

    return fails


def files() -> dict[str, bytes]:
    """What the folder holds."""
    return {path.name: path.read_bytes() for path in Path().iterdir() if path.is_file()}


@pytest.fixture
def project(tmp_path: Path) -> dict[str, bytes]:
    """A program and old results, as they are before a run."""
    for name, text in {"program.py": PROGRAM, "baseline.json": "old", "report.txt": "old", "r.jsonl": "old"}.items():
        (tmp_path / name).write_text(text)
    return files()


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("call", "number"), CALLS, ids=lambda value: str(value))
def test_a_write_that_fails_leaves_the_old_file_and_one_sentence(
    command: str, call: str, number: int, run: Command, project: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call, failing(number))
    done = run(*COMMANDS[command])
    assert done.status == 2
    assert done.err.startswith("cudnnlint: Cannot write ")
    assert done.err.endswith(f": {os.strerror(number)}.\n")
    assert files() == project


@pytest.mark.skipif(sys.platform == "win32", reason="there is no limit on the size of files")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_must_not_grow_is_left_as_it_was(command: str, run: Command, project: dict[str, bytes]) -> None:
    import resource

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8, limits[1]))
    try:
        done = run(*COMMANDS[command])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (done.status, done.err.endswith(f": {os.strerror(errno.EFBIG)}.\n")) == (2, True)
    assert files() == project


@pytest.mark.parametrize("call", ["os.fsync", "os.chmod", "os.replace"])
def test_ctrl_c_while_writing_leaves_nothing(
    call: str, run: Command, project: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(call, interrupted)
    assert run(*COMMANDS["--fix"]).status == 130
    assert files() == project


def test_ctrl_c_after_a_file_took_its_place_is_no_other_error(
    run: Command, project: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = os.replace

    def late(old: Path, new: Path) -> None:
        replace(old, new)
        if new.name == "program.py":
            raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", late)
    assert run(*COMMANDS["--fix"]).status == 130
    assert files().keys() == project.keys()
    assert b"unroll" not in files()["program.py"]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES, errno.EROFS])
@pytest.mark.parametrize("call", ["os.replace", "os.mkdir"])
@pytest.mark.parametrize("command", ["convert", "convert --in-place", "--fix --in-place", "--fix"])
def test_a_model_that_cannot_be_written_leaves_the_old_one(
    command: str, call: str, number: int, run: Command, rewritten_here: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "model.h5" if command.startswith("convert") else "model.keras"
    shutil.copy(SAVED / ("k2_cudnn.h5" if name == "model.h5" else "k3_own.keras"), name)
    if command.startswith("--fix"):
        make_fixable(Path(name))
    before = files()
    arguments = {
        "convert": ("convert", name, "new.keras"),
        "convert --in-place": ("convert", name, name, "--in-place"),
        "--fix --in-place": ("--fix", "--in-place", *KERAS, name),
        "--fix": ("--fix", *KERAS, name),
    }[command]
    monkeypatch.setattr(call, failing(number))
    done = run(*arguments)
    assert (done.status, done.err.endswith(f": {os.strerror(number)}.\n")) == (2, True), done
    assert files() == before
    assert [path.name for path in Path().iterdir() if path.name.startswith(".")] == [".git"]


def make_fixable(path: Path) -> None:
    """Let a layer of the model unroll, which a safe fix takes back."""
    import zipfile

    with zipfile.ZipFile(path) as old:
        members = {name: old.read(name) for name in old.namelist()}
    members["config.json"] = members["config.json"].replace(b'"unroll": false', b'"unroll": true')
    with zipfile.ZipFile(path, "w") as new:
        for name, content in members.items():
            new.writestr(name, content)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("arguments", [("rules",), ("--output-format", "json-lines", *KERAS, "program.py"), KERAS])
def test_standard_output_on_a_full_disk_is_one_sentence(
    arguments: tuple[str, ...], run: Command, project: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", open("/dev/full", "w"))  # noqa: SIM115
    done = run(*arguments)
    assert (done.status, done.err) == (2, "cudnnlint: Cannot write standard output: No space left on device.\n")
