"""What lies in a stranger's repository beside the sources, and would take for ever or end in a traceback."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from newest_releases import NEWEST
from shell_run import Run

PROGRAM = "import keras\n\nlayer = keras.layers.LSTM(8, unroll=True)\n"
KERAS = ("--target", f"keras@{NEWEST}:tensorflow")
SLOW = "*a" * 20 + "*b"
DEEP = "[" * 5_000
#: Files beside the program; with them, the one layer is judged as without.
PASSED_OVER = {
    "a pattern that takes for ever": (".gitignore", f"{SLOW}\n"),
    "folders that take for ever": (".gitignore", "**/a/" * 20 + "b\n"),
    "a range backward": (".gitignore", "[z-a]\n"),
    "a deep uv.lock": ("uv.lock", f"a = {DEEP}\n"),
    "a deep pyproject.toml": ("pyproject.toml", f"a = {DEEP}\n"),
    "a deep Pipfile.lock": ("Pipfile.lock", DEEP * 20),
    "requirements that include themselves": ("requirements.txt", "-r requirements.txt\n" * 2_000),
}
REFUSED = {
    "a pattern that takes for ever": (f'exclude = ["{SLOW}"]\n', "holds a pattern that cannot be matched"),
    "a range backward": ('[per-file-ignores]\n"[z-a].py" = ["CDN103"]\n', "holds a pattern that cannot be matched"),
    "lists in lists": (f"exclude = {DEEP}\n", "it is nested too deeply"),
    "a number of thousands of digits": (f"exclude = {'1' * 5_000}\n", "4300"),
}


@pytest.fixture
def program() -> Path:
    """A program with a long name, which patterns are held against."""
    path = Path("a" * 200 + ".py")
    path.write_text(PROGRAM)
    return path


@pytest.mark.parametrize("case", PASSED_OVER)
def test_what_cannot_be_read_in_time_is_passed_over(case: str, program: Path, run: Callable[..., Run]) -> None:
    name, text = PASSED_OVER[case]
    Path(name).write_text(text)
    done = run("--output-format", "concise", ".")
    assert (done.status, done.out.count("CDN105")) == (1, 1), done


@pytest.mark.parametrize("case", REFUSED)
def test_settings_that_cannot_be_read_are_one_sentence(case: str, program: Path, run: Callable[..., Run]) -> None:
    text, said = REFUSED[case]
    Path("cudnnlint.toml").write_text(text)
    done = run(*KERAS, ".")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert said in done.err


def test_settings_larger_than_any_are_not_read(program: Path, run: Callable[..., Run]) -> None:
    with open("cudnnlint.toml", "wb") as file:
        file.truncate(1 << 31)
    done = run(*KERAS, ".")
    assert (done.status, done.err.endswith("it has more than 32 MiB.\n")) == (2, True)


def test_a_deep_baseline_is_one_sentence(program: Path, run: Callable[..., Run]) -> None:
    Path("baseline.json").write_text(DEEP * 20)
    done = run(*KERAS, "--baseline", "baseline.json", ".")
    assert (done.status, done.err.endswith("it is nested too deeply.\n")) == (2, True)


def test_folders_far_down_are_reported(run: Callable[..., Run]) -> None:
    folder = Path("d")
    folder.mkdir()
    for _ in range(101):
        folder /= "d"
        folder.mkdir()
    (folder / "m.py").write_text(PROGRAM)
    done = run(*KERAS, "--output-format", "concise", "d")
    assert (done.status, "CDN001 It is not looked into: it is 100 folders down." in done.out) == (1, True)
