"""The commands in the documents, run: `python -m cudnnlint.dev.examples [--check]`.

Every block marked ```console in README.md and below docs/ is a dialogue: lines that begin with `$ ` are commands, what
follows each is what it prints. They are run in a copy of docs/examples, in the order in which a page has them, and what
they print is written back; `--check` only compares, and exits 1 where they differ. A line `...` stands for any lines.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from cudnnlint.cli.cli import main as cudnnlint
from cudnnlint.dev.message_texts import ROOT

EXAMPLES = ROOT / "docs" / "examples"
BLOCK = re.compile(r"(?ms)^```console\n(.*?)^```$")
ELLIPSIS = "..."
# What changes the output of pytest and others: in CI, pytest prints messages of any length.
CHANGES_OUTPUT = ("CI", "BUILD_NUMBER", "PYTEST_ADDOPTS", "NO_COLOR", "FORCE_COLOR", "PY_COLORS", "GITHUB_ACTIONS")
PLACE = "/project"  # what stands for the folder that the commands are run in


def documents() -> list[Path]:
    """Return the documents that hold dialogues."""
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [path for path in found if "$ " in "".join(BLOCK.findall(path.read_text(encoding="utf-8")))]


def current(document: Path) -> str:
    """Return a document with what its commands print today."""
    text = document.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "examples"
        shutil.copytree(EXAMPLES, place)
        return BLOCK.sub(lambda block: f"```console\n{''.join(_answered(block[1], place))}```", text)


def _answered(block: str, place: Path) -> Iterator[str]:
    """Yield each command of a block with what it prints."""
    for part in re.split(r"(?m)^(?=\$ )", block):
        command, _, printed = part.partition("\n")
        if not command.startswith("$ "):
            yield part  # no dialogue: commands that a reader types
            continue
        now = run(command[2:], place)
        yield f"{command}\n{printed if alike(printed, now) else now}"


def alike(written: str, now: str) -> bool:
    """Return whether a written answer is what is printed now, where `...` stands for any lines."""
    parts = [re.escape(part) for part in re.split(rf"(?m)^{re.escape(ELLIPSIS)}\n", written)]
    return re.fullmatch(".*".join(parts), now, re.S) is not None


def run(command: str, place: Path) -> str:
    """Return what a command prints in a folder: cudnnlint in this process, anything else in a shell."""
    first, *rest = command.split(" | ")
    words = shlex.split(first.removesuffix(" 2>&1"))
    if words[0] != "cudnnlint":
        return _shell(command, place, "")
    printed = _cudnnlint(words[1:], place, first.endswith(" 2>&1"))
    return _shell(" | ".join(rest), place, printed) if rest else printed.replace(str(place), PLACE)


def _cudnnlint(words: list[str], place: Path, errors: bool) -> str:
    out, err, before = io.StringIO(), io.StringIO(), Path.cwd()
    os.chdir(place)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out if errors else err):
            cudnnlint([*words, "--jobs", "1", "--no-cache"] if _checks(words) else words)
    except SystemExit:
        return out.getvalue()
    finally:
        os.chdir(before)
    raise AssertionError("the command line ends with SystemExit")


def _checks(words: list[str]) -> bool:
    return words[0] not in ("explain", "rules", "target", "convert", "log", "doctor", "probe", "merge", "clean")


def _shell(command: str, place: Path, given: str) -> str:
    kept = {name: value for name, value in os.environ.items() if name not in CHANGES_OUTPUT}
    env = {**kept, "COLUMNS": "80", "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(command, shell=True, cwd=place, env=env, input=given, capture_output=True, text=True)
    return done.stdout.replace(str(place), PLACE)


def main() -> None:
    """Bring the documents up to date, or with `--check` say which are not."""
    stale = [path for path in documents() if current(path) != path.read_text(encoding="utf-8")]
    for path in stale:
        print(f"{path.relative_to(ROOT)}: a command prints something else")
        if "--check" not in sys.argv[1:]:
            path.write_text(current(path), encoding="utf-8")
    sys.exit(int(bool(stale) and "--check" in sys.argv[1:]))


if __name__ == "__main__":
    main()
