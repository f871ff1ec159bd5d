"""Checks what is very large, and says how long it took and how much memory.

    python tests/faults/large.py                    everything: some minutes
    python tests/faults/large.py --only notebook    one thing (may be given several times)
    python tests/faults/large.py --scale 100        a hundredth of each, which takes seconds

After each run: the status is 0 or 1, standard error holds no traceback, and the layers that were put in are found, or
a note says that some are not. Exit 1 if something of it is not so.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGET = ("--target", "keras@3.15:tensorflow")
LAYER = "import keras\n\nlayer = keras.layers.LSTM(8, unroll=True)\n"
LAYERS = 10  # that are put into each


def folder(place: Path, scale: int) -> None:
    """Write 100,000 files into one folder, and what is none beside them."""
    for number in range(100_000 // scale):
        (place / f"f{number:06}.py").write_text(LAYER if number < LAYERS else "x = 1\n")
    os.mkfifo(place / "pipe.py")
    (place / "loop.py").symlink_to("loop.py")
    (place / "circle").symlink_to(".")


def lines(place: Path, scale: int) -> None:
    """Write a file of 100,000 lines, with a layer every so often."""
    every = 100_000 // scale // LAYERS
    text = "".join(LAYER.splitlines(True)[-1] + f"x{number} = {number} + 1\n" * (every - 1) for number in range(LAYERS))
    (place / "lines.py").write_text("import keras\n" + text)


def notebook(place: Path, scale: int) -> None:
    """Write a notebook of 50 MB, nearly all of it figures."""
    figure = {"output_type": "display_data", "data": {"image/png": "A" * (5_000_000 // scale)}, "metadata": {}}
    cell = {"cell_type": "code", "source": LAYER.splitlines(True), "outputs": [figure], "metadata": {},
            "execution_count": 1}  # fmt: skip
    whole = {"cells": [cell] * LAYERS, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (place / "notebook.ipynb").write_text(json.dumps(whole))


def code(place: Path, scale: int) -> None:
    """Write a notebook of 50 MB of code."""
    rows = "".join(f"name_{number:07} = 'some text of a line'\n" for number in range(1_250_000 // scale // LAYERS))
    cell = {"cell_type": "code", "source": LAYER + rows, "outputs": [], "metadata": {}, "execution_count": 1}
    whole = {"cells": [cell] * LAYERS, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (place / "code.ipynb").write_text(json.dumps(whole))


#: By the name of the option: what it is, and what writes it into a folder, so many times smaller.
THINGS: dict[str, tuple[str, Callable[[Path, int], None]]] = {
    "folder": ("100,000 files", folder),
    "lines": ("100,000 lines", lines),
    "notebook": ("a notebook of 50 MB of figures", notebook),
    "code": ("a notebook of 50 MB of code", code),
}


def checked(what: str, make: Callable[[Path, int], None], scale: int) -> str:
    """Check one thing, print a row, and return what is wrong with it, "" for nothing."""
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch) / "tree"
        place.mkdir()
        (place / ".git").mkdir()
        make(place, scale)
        command = [sys.executable, "-m", "cudnnlint", "check", "--no-cache", "--jobs", "1", "--output-format", "report"]
        environ = {**os.environ, "PYTHONPATH": str(ROOT)}
        with open(Path(scratch) / "out", "wb") as out, open(Path(scratch) / "err", "wb") as err:
            run = subprocess.Popen([*command, *TARGET, "."], cwd=place, env=environ, stdout=out, stderr=err)
            _, status, used = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
        said = (Path(scratch) / "err").read_text("utf-8", "replace")
        if run.returncode not in (0, 1) or said:
            return f"{what}: status {run.returncode}: {said[-500:]}"
        report = json.loads((Path(scratch) / "out").read_text())
    found = report["summary"]["layers"]
    notes = [note for file in report["files"] for note in file["notes"]]
    seconds, memory = used.ru_utime + used.ru_stime, used.ru_maxrss >> 10
    print(f"| {what} | {seconds:.0f} | {memory} | {found} | {len(notes)} |", flush=True)
    return "" if found == LAYERS or notes else f"{what}: {found} of {LAYERS} layers, and no note"


def main() -> int:
    """Check everything that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=list(THINGS))
    parser.add_argument("--scale", type=int, default=1)
    options = parser.parse_args()
    print("| what | processor seconds | MiB | layers found | notes |\n|---|---|---|---|---|")
    wrong = [checked(*THINGS[name], options.scale) for name in options.only or THINGS]
    for one in filter(None, wrong):
        print(one)
    return int(any(wrong))


if __name__ == "__main__":
    sys.exit(main())
