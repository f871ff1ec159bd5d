"""What Windows and macOS do otherwise, as Linux can show it: drives, junctions, code pages, no fork, no locks."""

from __future__ import annotations

import io
import json
import ntpath
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from newest_releases import NEWEST
from shell_run import Run
from shell_samples import SOURCE

from cudnnlint import pipeline
from cudnnlint.core.report import Report
from cudnnlint.files import discovery, entries, executor
from cudnnlint.frontends.source.project.project import Folder
from cudnnlint.reporters import Look, machine, sarif
from cudnnlint.settings import baseline
from cudnnlint.settings.settings import Flags

HERE = Path(__file__).parent
SAVED = HERE.parents[1] / "fixtures" / "saved"
KERAS = ("--target", f"keras@{NEWEST}:tensorflow")
WINDOWS = {"path": ntpath, "sep": "\\", "getcwd": lambda: r"C:\code"}
PROGRAM = "import keras\n\nlayer = keras.layers.LSTM(8, unroll=True)\n"
posix = pytest.mark.skipif(sys.platform == "win32", reason="it shows on POSIX what Windows does")


def checked(path: str = "train.py", text: str = PROGRAM) -> pipeline.Outcome:
    flags = Flags(target=(KERAS[1],), jobs=1)
    return pipeline.check(pipeline.Request(("-",), flags, text.encode(), path))


def placed(report: Report, path: str) -> Report:
    """Return the report as if its one file had been at another path."""
    found = [
        replace(one, path=path, location=one.location and replace(one.location, path=path))
        for one in report.diagnostics
    ]
    return replace(report, files=tuple(replace(file, path=path) for file in report.files), diagnostics=tuple(found))


# ---------------------------------------------------------------- drives and separators


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        (r"src\a b\train.py", "src/a%20b/train.py"),
        (r"C:\code\src\train.py", "src/train.py"),
        (r"C:\else\train.py", "file:///C:/else/train.py"),
        (r"D:\models\größe.py", "file:///D:/models/gr%C3%B6%C3%9Fe.py"),
        (r"\\host\share\train.py", "file://host/share/train.py"),
    ],
)
def test_sarif_names_a_file_of_windows_by_a_uri(path: str, uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    report = checked().report
    windows = SimpleNamespace(**{**WINDOWS, "path": _Rooted()})
    monkeypatch.setattr(machine, "os", windows)
    monkeypatch.setattr(sarif, "os", windows)
    stream = io.StringIO()
    sarif.write(placed(report, path), stream, Look(100, False, False, False, False))
    (result,) = json.loads(stream.getvalue())["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


class _Rooted:
    """`ntpath` with a working folder of Windows."""

    def __getattr__(self, name: str) -> Any:
        return getattr(ntpath, name)

    def abspath(self, path: str) -> str:
        return ntpath.normpath(ntpath.join(r"C:\code", path))

    def realpath(self, path: str) -> str:
        return self.abspath(str(path))


@pytest.mark.parametrize(
    ("path", "inside"),
    [(r"C:\code\src\train.py", "../src/train.py"), (r"D:\models\train.py", "D:/models/train.py")],
)
def test_a_baseline_has_the_same_paths_as_elsewhere(path: str, inside: str, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = checked()
    ((file, diagnostics),) = outcome.judged
    monkeypatch.setattr(baseline, "os", SimpleNamespace(**{**WINDOWS, "path": _Rooted()}))
    written = json.loads(baseline.written(Path("C:/code/ci/base.json"), [(replace(file, path=path), diagnostics)]))
    assert [entry["path"] for entry in written["findings"]] == [inside]


def test_a_file_on_another_drive_is_read_and_so_is_what_it_imports(
    tmp_path: Path, run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "parts.py").write_text("import keras\n\n\ndef part():\n    return keras.layers.LSTM(8, unroll=True)\n")
    (tmp_path / "train.py").write_text("from parts import part\n\nlayer = part()\n")

    def on_another_drive(path: str, start: str = "") -> str:
        raise ValueError("path is on mount 'D:', start on mount 'C:'")

    monkeypatch.setattr(os.path, "relpath", on_another_drive)
    done = run("--force-exclude", "--output-format", "json", *KERAS, "train.py")
    assert [(one["path"], one["name"]) for one in json.loads(done.out)] == [("train.py", "unrolled-loop")]


def test_a_junction_is_not_walked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("real", "junction"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "train.py").write_text(SOURCE)
    scan = os.scandir

    class Entry:
        def __init__(self, entry: os.DirEntry[str]) -> None:
            self.entry, self.name, self.path = entry, entry.name, entry.path
            self.is_dir, self.is_file = entry.is_dir, entry.is_file

        def stat(self, follow_symlinks: bool = True) -> Any:
            return SimpleNamespace(st_reparse_tag=0xA0000003 if self.name == "junction" else 0)

    monkeypatch.setattr(entries, "sys", SimpleNamespace(platform="win32"))
    monkeypatch.setattr(os, "scandir", lambda path: [Entry(entry) for entry in scan(path)])
    found = [Path(one.path).as_posix() for one in discovery.discover((".",))]
    assert found == ["real/train.py"]


@posix
def test_a_project_may_be_the_root_of_a_disk(tmp_path: Path) -> None:
    (tmp_path / "parts.py").write_text("x = 1\n")
    found = Folder(os.sep, ()).at("parts.py", str(tmp_path / "train.py"))
    assert found is not None
    assert found.data == b"x = 1\n"


# ---------------------------------------------------------------- marks, ends of lines, code pages


def test_a_byte_order_mark_begins_no_setting_and_no_pattern(tmp_path: Path, run: Callable[..., Run]) -> None:
    (tmp_path / "cudnnlint.toml").write_bytes(b'\xef\xbb\xbftarget = ["keras@2.3.1:tensorflow"]\n')
    (tmp_path / ".gitignore").write_bytes(b"\xef\xbb\xbfold.py\r\n")
    for name in ("old.py", "train.py"):
        (tmp_path / name).write_text(PROGRAM)
    done = run("--output-format", "json", ".")
    assert {(one["path"], one["target"].partition(":")[0]) for one in json.loads(done.out)} == {
        ("train.py", "keras@2.3.1")
    }


def test_a_patch_has_the_bytes_of_the_files(tmp_path: Path, run: Callable[..., Run]) -> None:
    text = "# -*- coding: latin-1 -*-\nimport keras\n\nlayer = keras.layers.LSTM(8, unroll=True)  # größer\n"
    old = text.replace("\n", "\r\n").encode("latin-1")
    (tmp_path / "train.py").write_bytes(old)
    run("--fix", "--diff", "--output-file", "fix.patch", *KERAS, "train.py")
    patch = (tmp_path / "fix.patch").read_bytes()
    assert b"-layer = keras.layers.LSTM(8, unroll=True)  # gr\xf6\xdfer\r\n" in patch
    assert b"+layer = keras.layers.LSTM(8)  # gr\xf6\xdfer\r\n" in patch


def at_code_page(page: str, *command: str) -> bytes:
    environ = {**os.environ, "PYTHONIOENCODING": page}
    done = subprocess.run([sys.executable, "-m", "cudnnlint", *command], env=environ, capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr.decode()
    return done.stdout


@pytest.mark.parametrize("form", ["html", "junit"])
def test_what_programs_read_is_utf_8_whatever_the_code_page(form: str, tmp_path: Path) -> None:
    (tmp_path / "größe.py").write_text(PROGRAM)
    shown = at_code_page("cp1252", "--output-format", form, *KERAS, "größe.py")
    at_code_page("cp1252", "--output-format", form, "--output-file", "report", *KERAS, "größe.py")
    assert shown == (tmp_path / "report").read_bytes()
    assert "größe.py".encode() in shown


@pytest.mark.parametrize("command", [("train.py", *KERAS), ("--help",), ("rules",), ("explain", "CDN103")])
def test_what_people_read_needs_no_more_than_ascii(command: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(PROGRAM + "# größe → 1\n")
    assert at_code_page("ascii", *command).isascii()


# ---------------------------------------------------------------- processes


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """As many programs as processes are started for."""
    for number in range(executor.POOL_FROM):
        (tmp_path / f"p{number:02}.py").write_text(PROGRAM)
    return tmp_path


@posix
@pytest.mark.parametrize("start", ["spawn", "forkserver"])
def test_processes_that_are_not_forked_find_the_same(start: str, programs: Path, run: Callable[..., Run]) -> None:
    one = run("--jobs", "1", "--output-format", "json", *KERAS, ".")
    command = [sys.executable, HERE / "started_anew.py", start, "--jobs", "2", "--output-format", "json", *KERAS, "."]
    two = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (two.stdout, two.stderr) == (one.out, "")


def test_there_are_no_more_processes_than_windows_can_wait_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor, "MOST_PROCESSES", 61)
    assert executor.Executor(100).jobs == 61


@posix
def test_it_runs_without_what_windows_lacks(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_bytes(PROGRAM.replace("\n", "\r\n").encode())
    shutil.copy(SAVED / "k2_cudnn.h5", tmp_path)

    def windows(*command: str) -> tuple[int, bytes]:
        done = subprocess.run([sys.executable, HERE / "like_windows.py", *command], capture_output=True, check=False)
        assert b"Traceback" not in done.stderr, done.stderr.decode()
        return done.returncode, done.stdout

    assert windows("--write-baseline", "base.json", *KERAS, ".")[0] == 0
    assert windows("--fix", "-q", *KERAS, "train.py")[0] == 0
    assert (tmp_path / "train.py").read_bytes().endswith(b"\r\n\r\nlayer = keras.layers.LSTM(8)\r\n")
    status, _ = windows("convert", "k2_cudnn.h5", "new.keras")
    assert (status, (tmp_path / "new.keras").exists()) == (0, True)
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == [".git"]
