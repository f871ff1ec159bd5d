"""A file that is not followed to its end: every format says so, and --strict fails it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from shell_samples import write

from cudnnlint.core.output_formats import FORMATS

LONG = "from keras.layers import LSTM\n" + "LSTM(1)\n" * 50
DEEP = "from keras.layers import LSTM, TimeDistributed\nx = LSTM(1)\n" + "x = TimeDistributed(x)\n" * 300


@pytest.fixture(autouse=True)
def _here(nothing_around: None) -> None:
    write(Path.cwd(), "cudnnlint.toml", "[limits]\nsteps = 20\n")
    write(Path.cwd(), "long.py", LONG)


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_says_that_a_file_was_cut_off(name: str, run: Callable[..., Any]) -> None:
    done = run("long.py", "--output-format", name, "--no-cache")
    assert done.status == 0
    assert "too large to be followed to its end" in " ".join(done.out.split())


def test_a_file_that_was_cut_off_fails_where_nothing_may_be_unknown(run: Callable[..., Any]) -> None:
    assert run("long.py", "--strict", "--no-cache").status == 1


def test_more_steps_follow_the_file_to_its_end(run: Callable[..., Any]) -> None:
    write(Path.cwd(), "cudnnlint.toml", "[limits]\nsteps = 2000\n")
    done = run("long.py", "--strict", "--no-cache", "--output-format", "report")
    assert (done.status, json.loads(done.out)["summary"]["layers"]) == (0, 50)


def test_a_cached_reading_does_not_outlive_its_limits(run: Callable[..., Any]) -> None:
    options = ("long.py", "--cache-dir", "kept", "--output-format", "json")
    assert "CDN501" in run(*options).out
    write(Path.cwd(), "cudnnlint.toml", "[limits]\nsteps = 2000\n")
    assert "CDN501" not in run(*options).out


@pytest.mark.parametrize("name", ["m.py", "m.ipynb"])
def test_a_file_larger_than_its_limit_is_not_read(name: str, run: Callable[..., Any]) -> None:
    write(Path.cwd(), "cudnnlint.toml", "[limits]\nsource-bytes = 100\nnotebook-bytes = 100\n")
    cell = {"cell_type": "code", "source": LONG}
    write(Path.cwd(), name, json.dumps({"cells": [cell], "nbformat": 4}) if name.endswith("b") else LONG)
    done = run(name, "--output-format", "concise", "--no-cache")
    assert (done.status, "larger than 100 bytes" in done.out) == (1, True)


@pytest.mark.parametrize("text", ["step = 20", "steps = 0", "steps = -1", "steps = 1.5", "steps = true", 'steps = "9"'])
def test_a_limit_that_there_is_not_is_an_error(text: str, run: Callable[..., Any]) -> None:
    write(Path.cwd(), "cudnnlint.toml", f"[limits]\n{text}\n")
    done = run("long.py", "--no-cache")
    assert done.status == 2
    assert "steps" in done.err


def test_wrappers_without_end_inside_one_another_are_cut_off(run: Callable[..., Any]) -> None:
    write(Path.cwd(), "cudnnlint.toml", "")
    write(Path.cwd(), "deep.py", DEEP)
    done = run("deep.py", "--strict", "--no-cache", "--output-format", "json")
    assert done.status == 1
    assert "Wrappers are too deep" in done.out
