"""The whole program on real files, with the real front ends: what a user, a hook and an editor see."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from newest_releases import NEWEST, NEWEST_MINOR
from shell_run import Run
from shell_samples import SOURCE, keras_file, write

import cudnnlint

Command = Callable[..., Run]
ROOT = Path(cudnnlint.__file__).resolve().parent.parent


def codes(run: Run) -> list[str]:
    return [diagnostic["code"] for diagnostic in json.loads(run.out)]


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    write(tmp_path, "model.py", SOURCE.replace("import keras\n", "import keras\nimport sys\nchosen = sys.argv[1]\n", 1))
    keras_file(tmp_path / "model.keras", {}, {"recurrent_dropout": 0.3}, {"activation": "relu"})


def test_source_and_saved_model_are_judged_by_one_run(run: Command) -> None:
    found = run("model.py", "model.keras", "--target", f"keras@{NEWEST_MINOR}", "--output-format", "report")
    assert found.status == 1
    report = json.loads(found.out)
    schema = json.loads((ROOT / "cudnnlint" / "schemas" / "report.schema.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(report)
    assert [file["kind"] for file in report["files"]] == ["python", "keras"]
    verdicts = [layer["verdicts"][0]["verdict"] for file in report["files"] for layer in file["layers"]]
    assert verdicts == ["cudnn", "fallback", "fallback", "unknown", "cudnn", "fallback", "fallback"]
    assert sorted(d["code"] for d in report["diagnostics"][:3]) == ["CDN101", "CDN103", "CDN501"]
    assert [d["code"] for d in report["diagnostics"][3:]] == ["CDN103", "CDN101"]


def test_a_saved_model_is_judged_for_the_keras_that_wrote_it(tmp_path: Path, run: Command) -> None:
    write(tmp_path, "requirements.txt", "keras==3.9.0\ntorch\n")
    found = run("target", "model.keras", "--output-format", "json")
    (target,) = json.loads(found.out)
    assert (target["text"], f"saved by Keras {NEWEST}" in target["origin"]) == (f"keras@{NEWEST}:torch", True)


def test_an_unsaved_buffer_is_judged_as_the_editor_sends_it(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = io.BytesIO(b"import keras\nx = keras.layers.LSTM(8, recurrent_dropout=0.1)\n")

    monkeypatch.setattr(sys, "stdin", Stdin)
    found = run("--output-format", "json", "--stdin-filename", "unsaved.py", "-")
    (diagnostic,) = json.loads(found.out)
    assert diagnostic["location"]["row"] == 2
    assert diagnostic["filename"].endswith("unsaved.py")


def test_a_saved_model_may_come_on_standard_input(
    tmp_path: Path, run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stdin:
        buffer = io.BytesIO((tmp_path / "model.keras").read_bytes())

    monkeypatch.setattr(sys, "stdin", Stdin)
    assert codes(run("--output-format", "json", "-")) == ["CDN103", "CDN101"]


@pytest.mark.parametrize("name", ["zip.py", "zip.h5", "zip", "zip.json"])
def test_content_decides_before_the_suffix(name: str, tmp_path: Path, run: Command) -> None:
    os.rename(tmp_path / "model.keras", tmp_path / name)
    assert codes(run(name, "--output-format", "json")) == ["CDN103", "CDN101"]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.keras", b""), ("a.keras", b"PK\3\4 broken"), ("a.h5", b"no"), ("a.py", b"import keras\ndef f(: LSTM\n"),
        ("a.py", b"import keras\nprint 'LSTM'\n"), ("a.py", b"\xff\xfe keras LSTM"), ("a.bin", b"\0\1\2"),
        ("a.py", b"def f(:\n"), ("a.py", b"print 'no layer'\n"), ("a.ipynb", b'{"cells": ['), ("a.json", b"{"),
        ("a.keras", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n"),
    ],
)  # fmt: skip
def test_what_is_broken_is_one_line_and_the_others_go_on(name: str, data: bytes, tmp_path: Path, run: Command) -> None:
    (tmp_path / name).write_bytes(data)
    found = run(name, "model.keras", "--output-format", "json")
    assert (found.status, found.err) == (1, "")
    assert codes(found) == ["CDN001", "CDN103", "CDN101"]
    lines = run(name, "model.keras", "--output-format", "concise").out.splitlines()
    assert len(lines) == 4
    assert "CDN001" in lines[0]


@pytest.mark.parametrize("name", ["empty.py", "empty.ipynb"])
def test_an_empty_source_file_is_clean(name: str, tmp_path: Path, run: Command) -> None:
    write(tmp_path, name)
    assert run(name).out == "No recurrent layer found in 1 file.\n"


def test_the_overview_of_a_folder_says_which_file_could_not_be_read_and_why(tmp_path: Path, run: Command) -> None:
    write(tmp_path, "many/broken.h5", "not a model")
    for number in range(8):
        keras_file(tmp_path / "many" / f"{number}.keras", {"recurrent_dropout": 0.1})
    told = " ".join(run("many").out.split())
    assert "unreadable-input: 1 finding in 1 file Unknown file type" in told
    assert "many/broken.h5: could not be read" in told


def test_the_same_report_for_any_number_of_jobs(tmp_path: Path, run: Command) -> None:
    for number in range(30):
        keras_file(tmp_path / f"many_{number:02}.keras", {"recurrent_dropout": number / 100})
    one = run(".", "--jobs", "1", "--output-format", "report")
    two = run(".", "--jobs", "2", "--output-format", "report")
    assert (one.status, one.out) == (two.status, two.out)
    assert len(json.loads(one.out)["files"]) == 32


def test_noqa_is_added_where_it_counts(tmp_path: Path, run: Command) -> None:
    assert run("model.py", "--add-noqa").status == 0
    assert run("model.py", "--fail-on", "info").status == 0
    again = (tmp_path / "model.py").read_bytes()
    run("model.py", "--add-noqa")
    assert (tmp_path / "model.py").read_bytes() == again


def test_per_layer_ignores_reach_a_saved_model(tmp_path: Path, run: Command) -> None:
    write(tmp_path, "cudnnlint.toml", '[per-layer-ignores]\n"lstm_1" = ["CDN103"]\n"*_2" = ["activation"]\n')
    assert run("model.keras").status == 0


def test_escape_sequences_in_a_file_do_not_reach_the_terminal(tmp_path: Path, run: Command) -> None:
    keras_file(tmp_path / "\x1b[31mred.keras", {"name": "\x1b]0;title\x07", "activation": "relu\x1b[2J"})
    for name in ("text", "concise", "markdown", "html", "junit", "github", "azure"):
        assert "\x1b" not in run(".", "--output-format", name, "--verbose").out


def test_a_check_leaves_no_framework_and_no_pickle_behind(tmp_path: Path) -> None:
    code = "import sys; from cudnnlint.cli.cli import main\n"
    code += "try: main(['model.py', 'model.keras', '-q'])\n"
    names = ["tensorflow", "keras", "tf_keras", "torch", "jax"]
    code += f"except SystemExit: print([name for name in {names} if name in sys.modules])"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, env=env)
    assert (found.stdout.splitlines()[-1], found.stderr) == ("[]", "")


def test_a_gigabyte_of_zeros_is_not_read(tmp_path: Path, run: Command) -> None:
    for name in ("big.py", "big.h5", "big.keras", "big.ipynb"):
        with open(tmp_path / name, "wb") as file:
            file.truncate(1 << 30)
    assert set(codes(run("big.py", "big.h5", "big.keras", "big.ipynb", "--output-format", "json"))) == {"CDN001"}


def test_a_fault_of_the_front_end_is_told_and_the_others_go_on(
    run: Callable[..., Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cudnnlint.files import reading

    read = reading.read

    def broken(found: Any, *rest: Any) -> Any:
        if found.path == "bad.py":
            raise IndexError("of ours")
        return read(found, *rest)

    monkeypatch.setattr(reading, "read", broken)
    (tmp_path / "bad.py").write_text("from keras.layers import LSTM\nLSTM(1)\n")
    (tmp_path / "good.py").write_text("from keras.layers import LSTM\nLSTM(1, unroll=True)\n")
    done = run("--output-format", "concise", "bad.py", "good.py")
    assert done.status == 2
    assert "CDN003" in done.out
    assert "CDN105" in done.out


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("k2_own.keras", "unknown"),
        ("k2_own.h5", "raises"),  # its own activation is one that Keras cannot load from HDF5
        ("k3_own.keras", "unknown"),
        ("k3_own.h5", "unknown"),
    ],
)
def test_no_verdict_on_a_class_whose_code_is_not_in_the_file(name: str, verdict: str, run: Command) -> None:
    found = run(str(ROOT / "fixtures" / "saved" / name), "--output-format", "report", "--exit-zero")
    [file] = json.loads(found.out)["files"]
    verdicts = {layer["layer_path"]: layer["verdicts"][0]["verdict"] for layer in file["layers"]}
    assert {verdicts["peephole"], verdicts["box/inner"]} == {verdict}


@pytest.mark.parametrize("backend", ["numpy", "openvino"])
def test_a_file_that_chooses_a_backend_without_a_gpu_is_judged_for_it(
    backend: str, run: Callable[..., Run], tmp_path: Path
) -> None:
    text = f"import os\nos.environ['KERAS_BACKEND'] = '{backend}'\nimport keras\nkeras.layers.LSTM(3)\n"
    (tmp_path / "chosen.py").write_text(text)
    report = json.loads(run("--output-format", "report", "--exit-zero", str(tmp_path / "chosen.py")).out)
    (file,) = report["files"]
    (layer,) = file["layers"]
    assert file["targets"][0]["backend"] == backend
    assert [one["verdict"] for one in layer["verdicts"]] == ["fallback"]
