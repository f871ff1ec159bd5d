"""Threads of real users, run as they would run them: fixtures/clinic says what a right answer names."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FOLDER = Path(__file__).parents[2] / "fixtures" / "clinic"
THREADS: list[dict[str, Any]] = [
    thread
    for path in sorted(FOLDER.glob("*.toml"))
    for thread in tomllib.loads(path.read_text(encoding="utf-8"))["thread"]
]


def command(thread: dict[str, Any], folder: Path) -> list[str]:
    """The command line of a thread; its files are written into the folder."""
    target = ["--target", thread["target"]] if "target" in thread else []
    files = {"train.log": thread.get("log"), "model.py": thread.get("source")}
    for name, text in files.items():
        if text is not None:
            (folder / name).write_text(text, encoding="utf-8")
    named = [name for name, text in files.items() if text is not None]
    return ["log" if "log" in thread else "check", *named, *target]


def answer(thread: dict[str, Any], folder: Path) -> str:
    """What the program says, on one line."""
    done = subprocess.run(
        [sys.executable, "-m", "cudnnlint", *command(thread, folder)],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    # what the user's own lines say is no answer
    return " ".join(" ".join(line for line in done.stdout.split("\n") if not line.startswith("    | ")).split())


def failings(thread: dict[str, Any], told: str) -> list[str]:
    """What is missing in an answer, and what misleads."""
    missing = [f"missing: {words}" for words in thread["must"] if words not in told]
    return missing + [f"misleading: {words}" for words in thread["never"] if words in told]


@pytest.mark.parametrize("thread", THREADS, ids=lambda thread: thread["link"].removeprefix("https://github.com/"))
def test_a_thread_is_answered(thread: dict[str, Any], tmp_path: Path) -> None:
    failed = failings(thread, answer(thread, tmp_path))
    if thread.get("solved", True):
        assert not failed
    else:
        assert failed, "solved now: strike `solved = false`"
        assert thread["why"].endswith(".")


def test_the_threads_are_many_and_each_is_told_once() -> None:
    links = [thread["link"] for thread in THREADS]
    assert len(links) == len(set(links)) >= 40
    assert all(thread["must"] and ("log" in thread or "source" in thread) for thread in THREADS)
