"""Threads of real users, run as they would run them: fixtures/clinic says what a right answer names."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from shell_run import Run

from cudnnlint import doctor
from cudnnlint.machine.gpus import Sources
from cudnnlint.probe.parent import Host

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FOLDER = Path(__file__).parents[2] / "fixtures" / "clinic"
FAKE_CHILD = Path(__file__).parents[1] / "probe" / "fake_child.py"
THREADS: list[dict[str, Any]] = [
    thread
    for path in sorted(FOLDER.glob("*.toml"))
    for thread in tomllib.loads(path.read_text(encoding="utf-8"))["thread"]
]
ASKED = ("log", "source", "model", "explain", "doctor")
EXCERPTS = ("    | ", "  | ")  # what the user's own lines say is no answer


def command(thread: dict[str, Any], folder: Path) -> list[str]:
    """The command line of a thread; its files are written into the folder."""
    if "explain" in thread:
        return ["explain", thread["explain"]]
    target = ["--target", thread["target"]] if "target" in thread else []
    files = {"train.log": thread.get("log"), "model.py": thread.get("source"), "model.json": thread.get("model")}
    for name, text in files.items():
        if text is not None:
            (folder / name).write_text(text, encoding="utf-8")
    named = [name for name, text in files.items() if text is not None]
    return ["log" if "log" in thread else "check", *named, *target]


def examined(machine: dict[str, Any], folder: Path) -> str:
    """What the doctor says of a machine; what is not told of it is as it should be."""
    version = machine.get("cudnn", 90300)
    answers = {
        "installed": [{
            "packages": machine["packages"],
            "wants": {},
            "needs": machine.get("needs", {}),
            "python": {"version": "3.11.7", "executable": "python", "paths": [str(folder)]},
        }],
        "about": [{
            "error": None, "cuda": True, "rocm": False, "built": machine.get("built", {}),
            "gpus": ["/physical_device:GPU:0"], "capabilities": machine.get("capabilities", []),
        }],
        "libraries": [{"path": "libcudnn.so", "error": None, "version": version}],
    }  # fmt: skip
    file = folder / "answers.json"
    file.write_text(json.dumps(answers), encoding="utf-8")
    host = Host(environment={"FAKE_ANSWERS": str(file)}, script=FAKE_CHILD, timeout=60)
    sources = Sources(nvml=lambda: None, smi=lambda arguments: machine["smi"] or None, root=folder)
    return doctor.run("text", host, sources, {"HOME": str(folder)})[0]


def answer(thread: dict[str, Any], folder: Path, run: Callable[..., Run]) -> str:
    """What the program says, on one line."""
    if "doctor" in thread:
        said = examined(thread["doctor"], folder)
    else:
        done = run(*command(thread, folder))
        assert done.status in (0, 1), done.err
        said = done.out
    return " ".join(" ".join(line for line in said.split("\n") if not line.startswith(EXCERPTS)).split())


def failings(thread: dict[str, Any], told: str) -> list[str]:
    """What is missing in an answer, and what misleads."""
    missing = [f"missing: {words}" for words in thread["must"] if words not in told]
    return missing + [f"misleading: {words}" for words in thread["never"] if words in told]


@pytest.mark.parametrize("thread", THREADS, ids=lambda thread: thread["link"].removeprefix("https://github.com/"))
def test_a_thread_is_answered(thread: dict[str, Any], tmp_path: Path, run: Callable[..., Run]) -> None:
    failed = failings(thread, answer(thread, tmp_path, run))
    if thread.get("solved", True):
        assert not failed
    else:
        assert failed, "solved now: strike `solved = false`"
        assert thread["why"].endswith(".")


def test_the_threads_are_many_and_each_is_told_once() -> None:
    links = [thread["link"] for thread in THREADS]
    assert len(links) == len(set(links)) >= 120
    assert all(thread["must"] and any(key in thread for key in ASKED) for thread in THREADS)
