"""log, doctor and probe from outside: options, streams and exit status."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

FAKE = Path(__file__).parent.parent / "probe" / "fake_child.py"
WARNING = (
    "WARNING:tensorflow:Layer lstm_2 will not use cuDNN kernels since it doesn't meet the criteria. "
    "It will use a generic GPU kernel as fallback when running on GPU.\n"
)


def run(*arguments, stdin="", folder=None, environment=None):
    command = [sys.executable, "-m", "cudnnlint", *map(str, arguments)]
    return subprocess.run(
        command, input=stdin, capture_output=True, text=True, check=False, cwd=folder, env=environment
    )


def test_a_log_from_a_pipe():
    done = run("log", "-", "--output-format", "json", stdin=WARNING)
    assert done.returncode == 1
    assert [entry["layer"] for entry in json.loads(done.stdout)["entries"]] == ["lstm_2"]
    assert done.stderr == ""
    assert run("log", "-", "--exit-zero", stdin=WARNING).returncode == 0


def test_a_log_beside_its_source(tmp_path):
    (tmp_path / "train.log").write_text(WARNING.replace("lstm_2", "encoder"))
    (tmp_path / "model.py").write_text(
        'import tf_keras\nlayer = tf_keras.layers.LSTM(4, recurrent_dropout=0.2, name="encoder")\n'
    )
    done = run("log", "train.log", "model.py", "--target", "tf_keras@2.21", folder=tmp_path)
    assert "your code   model.py:2:9 LSTM, fallback; recurrent-dropout (CDN103): found 0.2" in done.stdout
    assert done.returncode == 1


def test_a_log_whose_layer_is_right_is_laid_on_eager_execution(tmp_path):
    (tmp_path / "train.log").write_text(WARNING.replace("lstm_2", "lstm"))
    (tmp_path / "model.py").write_text("import tf_keras\nlayer = tf_keras.layers.LSTM(4)\n")
    command = ("log", "train.log", "model.py", "--target", "tf_keras@2.21")
    (entry,) = json.loads(run(*command, "--output-format", "json", folder=tmp_path).stdout)["entries"]
    assert (entry["case"], entry["codes"]) == ("arguments-right", ["CDN401"])
    assert [(match["row"], match["verdict"], match["fits"]) for match in entry["matches"]] == [(2, "cudnn", False)]
    assert "eager execution was off" in " ".join(run(*command, folder=tmp_path).stdout.split())


def test_a_log_that_is_not_there():
    done = run("log", "nothing.log")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "cudnnlint: Cannot read nothing.log: No such file or directory.\n"


def test_the_doctor_answers_on_any_machine():
    done = run("doctor", "--output-format", "json")
    assert done.returncode in (0, 1)
    assert json.loads(done.stdout)["ok"] == (done.returncode == 0)


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
def test_wrong_use_is_one_line(arguments, words):
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
