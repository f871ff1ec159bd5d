"""Python files in the current folder are read, not run: no command imports `enum.py` or `numpy.py` of a stranger."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cudnnlint.__main__ import pass_over_current_folder

ROOT = Path(__file__).resolve().parents[2]
SAVED = ROOT / "fixtures" / "saved"
#: What `python -m` itself may import before it comes to cudnnlint, in one Python or another (SECURITY.md).
#: With -P there is nothing.
BEFORE = {"runpy", "importlib", "warnings", "contextlib", "collections", "keyword", "operator", "reprlib", "functools",
          "types", "pkgutil"}  # fmt: skip
OTHERS = {"numpy", "click", "libcst", "h5py", "packaging", "pathspec", "tomli", "keras", "tensorflow", "pygls", "rules",
          "lsprotocol", "fsspec", "yaml", "babel", "sitecustomize", "IPython"}  # fmt: skip
COMMANDS = {
    "version": ("--version",),
    "check": ("check", "m.py", "m.ipynb", str(SAVED / "k2_cells.h5"), "--no-cache", "--target", "keras@3.4.1"),
    "workers": ("check", "many", "--no-cache", "--jobs", "2", "--exit-zero"),
    "fix": ("check", "m.py", "--fix", "--unsafe-fixes", "--cache-dir", "kept"),
    "html": ("check", "m.py", "--output-format", "html", "--exit-zero", "--no-cache"),
    "sarif": ("check", "m.py", "--output-format", "sarif", "--exit-zero", "--no-cache"),
    "spanish": ("check", "m.py", "--lang", "es", "--exit-zero", "--no-cache"),
    "convert": ("convert", str(SAVED / "k2_cells.h5"), "new.keras"),
    "explain": ("explain", "CDN101"),
    "rules": ("rules",),
    "target": ("target", "m.py"),
    "log": ("log", "train.log", "--exit-zero"),
    "merge": ("merge", "report.json", "--exit-zero"),
    "clean": ("clean", "--cache-dir", "kept"),
    "server": ("server",),
}
SOURCE = "from keras.layers import LSTM\nLSTM(4, activation='relu')\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which every module is a stranger's; what runs is noted in the file `ran`."""
    here = tmp_path_factory.mktemp("hostile")
    for name in {*sys.stdlib_module_names, *OTHERS} - BEFORE:
        (here / f"{name}.py").write_text("open('ran', 'a').write(__name__ + '\\n')\nraise SystemExit(77)\n")
    (here / "many").mkdir()
    for number in range(30):
        (here / "many" / f"m{number}.py").write_text(SOURCE)
    (here / "m.ipynb").write_text('{"cells": [{"cell_type": "code", "source": "import enum"}], "nbformat": 4}')
    (here / "train.log").write_text("WARNING:tensorflow:Layer lstm will not use cuDNN kernels\n")
    return here


def started(folder: Path, *command: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run a command of a Python in the folder."""
    (folder / "m.py").write_text(SOURCE)
    around = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80", **environ}
    return subprocess.run(
        [sys.executable, *command], cwd=folder, env=around, input="", capture_output=True, text=True, encoding="utf-8"
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_imports_from_the_current_folder(command: str, folder: Path) -> None:
    if command == "merge":
        said = started(folder, "-m", "cudnnlint", "check", "m.py", "--output-format", "report", "--no-cache")
        (folder / "report.json").write_text(said.stdout)
    done = started(folder, "-m", "cudnnlint", *COMMANDS[command])
    assert not (folder / "ran").exists(), (folder / "ran").read_text()
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr


def test_processes_that_are_not_forked_do_not_either(folder: Path, tmp_path: Path) -> None:
    boot = tmp_path / "boot.py"
    boot.write_text(
        "import multiprocessing, sys\nfrom cudnnlint.__main__ import main\n"
        "if __name__ == '__main__':\n    multiprocessing.set_start_method('spawn')\n    main()\n"
    )
    done = started(folder, str(boot), *COMMANDS["workers"])
    if sys.version_info >= (3, 11):  # before, Python has no way to say so
        assert not (folder / "ran").exists(), (folder / "ran").read_text()
        assert done.returncode == 0, done.stderr


def test_what_the_editor_starts_imports_nothing_from_there_at_all(folder: Path) -> None:
    launch = (ROOT / "editors" / "vscode" / "src" / "launch.ts").read_text("utf-8")
    start = launch.partition('START = "')[2].partition('"')[0]
    early = [folder / f"{name}.py" for name in BEFORE]
    try:
        for path in early:
            path.write_text("open('ran', 'a').write(__name__ + '\\n')\nraise SystemExit(77)\n")
        done = started(folder, "-c", start, "--version")
    finally:
        for path in early:
            path.unlink()
    assert not (folder / "ran").exists()
    assert done.stdout.startswith("cudnnlint ")


def test_a_checkout_that_is_the_current_folder_still_starts() -> None:
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "-m", "cudnnlint", "explain", "CDN101"]
    assert subprocess.run(command, cwd=ROOT, env=environ, capture_output=True).returncode == 0


def test_the_path_is_left_alone_where_python_put_nothing_there() -> None:
    path = ["/site"]
    pass_over_current_folder(path, "/site/cudnnlint", safe=True)
    assert path == ["/site"]
