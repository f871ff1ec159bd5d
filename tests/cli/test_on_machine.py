"""log, doctor and probe from outside: options, streams and exit status."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from shell_run import Run

Command = Callable[..., Run]
WARNING = (
    "WARNING:tensorflow:Layer lstm_2 will not use cuDNN kernels since it doesn't meet the criteria. "
    "It will use a generic GPU kernel as fallback when running on GPU.\n"
)


@pytest.mark.parametrize("name", [("-",), ()])
def test_a_log_from_a_pipe(run: Command, monkeypatch: pytest.MonkeyPatch, name: tuple[str, ...]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(WARNING.encode())))
    done = run("log", *name, "--output-format", "json")
    assert (done.status, done.err) == (1, "")
    assert [entry["layer"] for entry in json.loads(done.out)["entries"]] == ["lstm_2"]
    command = [sys.executable, "-m", "cudnnlint", "log", "-", "--exit-zero"]
    assert subprocess.run(command, input=WARNING, capture_output=True, text=True, check=False).returncode == 0


def test_a_log_is_not_waited_for_at_a_terminal(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", terminal)
    done = run("log")
    assert (done.status, done.out, done.err) == (2, "", "cudnnlint: Missing argument 'FILE'.\n")


def test_a_log_beside_its_source(run: Command, tmp_path: Path) -> None:
    (tmp_path / "train.log").write_text(WARNING.replace("lstm_2", "encoder"))
    (tmp_path / "model.py").write_text(
        'import tf_keras\nlayer = tf_keras.layers.LSTM(4, recurrent_dropout=0.2, name="encoder")\n'
    )
    done = run("log", "train.log", "model.py", "--target", "tf_keras@2.21")
    assert "your code   model.py:2:9 LSTM, fallback; recurrent-dropout (CDN103): found 0.2" in done.out
    assert done.status == 1


def test_a_log_whose_layer_is_right_is_laid_on_eager_execution(run: Command, tmp_path: Path) -> None:
    (tmp_path / "train.log").write_text(WARNING.replace("lstm_2", "lstm"))
    (tmp_path / "model.py").write_text("import tf_keras\nlayer = tf_keras.layers.LSTM(4)\n")
    command = ("log", "train.log", "model.py", "--target", "tf_keras@2.21")
    (entry,) = json.loads(run(*command, "--output-format", "json").out)["entries"]
    assert (entry["case"], entry["codes"]) == ("arguments-right", ["CDN401"])
    assert [(match["row"], match["verdict"], match["fits"]) for match in entry["matches"]] == [(2, "cudnn", False)]
    assert "eager execution was off" in " ".join(run(*command).out.split())


def test_a_log_that_is_not_there(run: Command) -> None:
    done = run("log", "nothing.log")
    assert (done.status, done.out) == (2, "")
    assert done.err == "cudnnlint: Cannot read nothing.log: No such file or directory.\n"


@pytest.mark.slow  # it imports each framework that is installed, in a process of its own
def test_the_doctor_answers_on_any_machine(run: Command) -> None:
    done = run("doctor", "--output-format", "json")
    assert done.status in (0, 1)
    assert json.loads(done.out)["ok"] == (done.status == 0)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["probe"], "Missing argument"),
        (["probe", "x.py", "--backend", "theano"], "is not one of"),
        (["probe", "x.py", "--dry-run", "--python", "/nonexistent/python"], "could not be started"),
        (["probe", "x.py", "--dry-run", "--input-shape", "4,x"], "Write steps and features"),
        (["doctor", "--timeout", "0"], "--timeout"),
    ],
)
def test_wrong_use_is_one_line(run: Command, arguments: list[str], words: str) -> None:
    done = run(*arguments)
    assert (done.status, done.out) == (2, "")
    assert words in done.err
    assert done.err.count("\n") == 1
