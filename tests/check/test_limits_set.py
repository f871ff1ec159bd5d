"""Limits that a configuration sets hold where they bite, and the highest values are safe."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from shell_samples import write

from cudnnlint.core.file_limits import BOUNDS

IMPORTS = "from keras.layers import LSTM, TimeDistributed\n"
DRAFT = IMPORTS + "LSTM(4, activation='relu')\n"
CALLS = "def f0(n): return LSTM(n)\n" + "".join(f"def f{i}(n): return f{i - 1}(n)\n" for i in range(1, 60))


def saved(inner: Any) -> str:
    """Return a model of Keras 3 that holds a layer."""
    return json.dumps({"class_name": "Sequential", "module": "keras", "config": {"name": "s", "layers": [inner]}})


LAYER = {"class_name": "LSTM", "module": "keras.layers", "config": {"name": "l", "units": 4}}


def within(models: int) -> str:
    """Return a model in so many models."""
    inner: Any = LAYER
    for number in range(models):
        inner = {"class_name": "Sequential", "module": "keras", "config": {"name": f"s{number}", "layers": [inner]}}
    return saved(inner)


@pytest.fixture
def report(nothing_around: None, run: Callable[..., Any]) -> Callable[..., str]:
    """Return what a run says of files, each by its name, with limits."""

    def said(limits: str, *options: str, **files: str) -> str:
        write(Path.cwd(), "cudnnlint.toml", f"[limits]\n{limits}\n")
        for name, text in files.items():
            write(Path.cwd(), name.replace("_", "."), text)
        first = next(iter(files)).replace("_", ".")
        done = run(first, "--no-cache", "--output-format", "json", "--target", "keras@3.4.1", "--verbose", *options)
        assert done.status < 2, done.err
        return str(done.out)

    return said


@pytest.mark.parametrize(
    ("limits", "name", "text", "says"),
    [
        ("config-bytes = 100", "m_json", saved(LAYER), "It has more than 100 bytes."),
        ("config-items = 3", "m_json", saved(LAYER), "more parts than any Keras configuration"),
        ("config-depth = 3", "m_json", saved(LAYER), "nested too deeply"),
        ("model-layers = 1", "m_json", saved(LAYER), "more than 1 layers"),
        ("model-calls = 1", "m_json", within(3), "call each other more often"),
        ("bracket-depth = 2", "m_py", DRAFT + "x = [[[1]]]\n", "nests brackets more than 2 deep"),
        ("deep-tokens = 5", "m_py", DRAFT + "x = " + "[" * 25 + "]" * 25 + "\n", "more than 20 brackets deep"),
        ("expression-parts = 5", "m_py", DRAFT + "x = 1 + 1 + 1 + 1 + 1 + 1 + 1\n", "more than 5 parts"),
        ("wrapped-layers = 1", "m_py", IMPORTS + "TimeDistributed(TimeDistributed(LSTM(1)))", "Wrappers are too deep"),
    ],
)
def test_beyond_a_limit_the_report_says_so(
    report: Callable[..., str], limits: str, name: str, text: str, says: str
) -> None:
    assert says not in report("", **{name: text})
    assert says in report(limits, **{name: text})


def test_calls_are_followed_as_deep_as_is_set(report: Callable[..., str]) -> None:
    arguments = IMPORTS + CALLS.replace("LSTM(n)", "n") + "LSTM(f55(4), activation=['relu', 'tanh'][f55(0)])\n"
    assert "CDN101" in report("call-depth = 90", m_py=arguments)
    assert "CDN101" not in report("call-depth = 9", m_py=arguments)


@pytest.mark.parametrize("limits", ["imported-files = 1", "imported-bytes = 10"])
def test_imports_are_followed_as_far_as_is_set(report: Callable[..., str], limits: str) -> None:
    files = {"a_py": IMPORTS + "from b import ACT\nLSTM(4, activation=ACT)\n", "b_py": "from c import ACT\n",
             "c_py": "ACT = 'relu'\n"}  # fmt: skip
    assert "CDN101" in report("", **files)
    assert "CDN101" not in report(limits, **files)


def test_folders_are_walked_as_deep_as_is_set(report: Callable[..., str]) -> None:
    write(Path.cwd(), "a/b/c/m.py", DRAFT)
    assert "folders down" not in report("", "a", n_py=DRAFT)
    assert "It is not looked into: it is 1 folders down." in report("folder-depth = 1", "a", n_py=DRAFT)


def test_requirements_are_included_as_far_as_is_set(nothing_around: None, run: Callable[..., Any]) -> None:
    write(Path.cwd(), "m.py", DRAFT)
    write(Path.cwd(), "requirements.txt", "-r one.txt\n")
    write(Path.cwd(), "one.txt", "-r two.txt\n")
    write(Path.cwd(), "two.txt", "keras==3.4.1\n")
    options = ("m.py", "--no-cache", "--output-format", "report")
    assert "keras 3.4.1" in run(*options).out.replace("@", " ")
    write(Path.cwd(), "cudnnlint.toml", "[limits]\nrequirements-files = 1\n")
    assert "keras 3.4.1" not in run(*options).out.replace("@", " ")


def test_a_baseline_may_be_as_large_as_is_set(nothing_around: None, run: Callable[..., Any]) -> None:
    write(Path.cwd(), "m.py", DRAFT)
    assert run("m.py", "--no-cache", "--write-baseline", "known.json").status == 0
    assert run("m.py", "--no-cache", "--baseline", "known.json").status == 0
    write(Path.cwd(), "cudnnlint.toml", "[limits]\nbaseline-bytes = 10\n")
    done = run("m.py", "--no-cache", "--baseline", "known.json")
    assert (done.status, "more than 10 bytes" in done.err) == (2, True)


@pytest.mark.parametrize("key", BOUNDS)
def test_a_value_beyond_the_highest_is_wrong_use(key: str, nothing_around: None, run: Callable[..., Any]) -> None:
    write(Path.cwd(), "m.py", DRAFT)
    for value in (BOUNDS[key][1] + 1, BOUNDS[key][0] - 1):
        write(Path.cwd(), "cudnnlint.toml", f"[limits]\n{key} = {value}\n")
        done = run("m.py", "--no-cache")
        assert (done.status, f'"{key}" has to be a whole number from' in done.err) == (2, True)
    write(Path.cwd(), "cudnnlint.toml", f"[limits]\n{key} = {BOUNDS[key][1]}\n")
    assert run("m.py", "--no-cache", "--target", "keras@3.4.1").status == 1


def test_the_highest_depths_do_not_overflow_the_stack(report: Callable[..., str]) -> None:
    highest = "\n".join(f"{key} = {BOUNDS[key][1]}" for key in ("config-depth", "wrapped-layers", "call-depth"))
    wrapped = IMPORTS + "x = LSTM(1, activation='relu')\n" + "x = TimeDistributed(x)\n" * 1200
    said = report(highest, "w.py", "--jobs", "2", m_json=within(48), w_py=wrapped)
    assert "CDN001" not in said
    assert "CDN501" not in said
    assert "CDN101" in said


# ---------------------------------------------------------------- seconds


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let ten seconds of processor time pass each time that somebody looks."""
    ticks = itertools.count(0, 10)
    monkeypatch.setattr(time, "process_time", lambda: float(next(ticks)))


LONG = DRAFT + "x = 1\n" * 300 + "LSTM(5, activation='relu')\n"


@pytest.mark.usefixtures("hasty")
def test_a_file_that_takes_too_long_is_cut_off_and_not_kept(nothing_around: None, run: Callable[..., Any]) -> None:
    write(Path.cwd(), "m.py", LONG)
    write(Path.cwd(), "cudnnlint.toml", "[limits]\nseconds = 15\n")
    options = ("m.py", "--cache-dir", "kept", "--target", "keras@3.4.1", "--output-format", "json")
    done = run(*options, "--strict")
    assert done.status == 1
    assert "took more processor time than the configuration allows" in done.out
    write(Path.cwd(), "cudnnlint.toml", "[limits]\nseconds = 86400\n")
    assert "CDN501" not in run(*options).out


@pytest.mark.usefixtures("hasty")
def test_without_the_limit_no_clock_is_looked_at(nothing_around: None, run: Callable[..., Any]) -> None:
    write(Path.cwd(), "m.py", LONG)
    assert "CDN501" not in run("m.py", "--no-cache", "--output-format", "json").out


@pytest.mark.usefixtures("hasty")
def test_a_saved_model_that_takes_too_long_is_not_read(nothing_around: None, run: Callable[..., Any]) -> None:
    write(Path.cwd(), "m.json", within(5))
    write(Path.cwd(), "cudnnlint.toml", "[limits]\nseconds = 15\n")
    done = run("m.json", "--no-cache", "--output-format", "concise")
    assert (done.status, "CDN001 Reading it takes more processor time" in done.out) == (1, True)


@pytest.mark.usefixtures("hasty")
def test_no_fix_is_tried_once_the_time_is_over(nothing_around: None, run: Callable[..., Any]) -> None:
    write(Path.cwd(), "m.py", DRAFT)
    write(Path.cwd(), "cudnnlint.toml", "[limits]\nseconds = 1\n")
    run("m.py", "--no-cache", "--fix", "--unsafe-fixes", "--target", "keras@3.4.1")
    assert Path("m.py").read_text() == DRAFT
