"""Whole programs in every style, held against what real Keras said of them (`truth.json`, made by the oracle)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FOLDERS = [ROOT / "fixtures" / "files" / framework for framework in ("keras", "tf_keras")]
GUIDE = FOLDERS[0] / "rnn_guide.ipynb"
KNOWN = 0.97

sys.path.insert(0, str(ROOT / "tests" / "oracle"))

from sweep import FORMS, sweep  # noqa: E402


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_no_verdict_disagrees_with_keras(folder: Path) -> None:
    [(_, tally)] = sweep(folder, ["script"])
    print(f"{folder.name}: {tally.layers} layers, {tally.agree} judged as Keras did, {tally.unknown} unknown")
    assert not tally.wrong, "\n".join(tally.stories)
    assert tally.agree >= KNOWN * tally.layers, "\n".join(tally.stories)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_keras_was_asked_about_every_program(folder: Path) -> None:
    truth = json.loads((folder / "truth.json").read_text())
    programs = {path.stem for path in folder.iterdir() if path.suffix in (FORMS["script"], ".ipynb")}
    assert set(truth["programs"]) == programs
    assert not truth["dropped"]


# The standard guide's patterns: (cell, row), name, direction, class, verdict, the calls that led there.
GUIDE_LAYERS = [
    ((2, 4), None, None, "LSTM", "cudnn", []),
    ((3, 3), None, None, "GRU", "cudnn", []),
    ((3, 4), None, None, "SimpleRNN", "fallback", []),
    ((4, 5), "encoder", None, "LSTM", "cudnn", []),
    ((4, 9), "decoder", None, "LSTM", "cudnn", []),
    ((5, 1), None, None, "RNN", "fallback", []),
    ((6, 5), None, None, "LSTM", "cudnn", []),
    ((7, 1), "teller", None, "LSTM", "cudnn", []),
    ((7, 5), "follower", None, "LSTM", "cudnn", []),
    ((8, 3), None, "forward", "LSTM", "cudnn", []),
    ((8, 3), None, "backward", "LSTM", "cudnn", []),
    ((8, 4), None, "forward", "LSTM", "cudnn", []),
    ((8, 4), None, "backward", "LSTM", "cudnn", []),
    ((9, 8), None, None, "LSTM", "cudnn", [(10, 5)]),
    ((9, 8), None, None, "LSTM", "unknown", [(12, 2)]),  # under tf.device("CPU:0")
    ((9, 10), None, None, "RNN", "fallback", [(11, 1)]),
    ((13, 19), None, None, "RNN", "fallback", []),
]


def test_the_guide() -> None:
    command = [sys.executable, "-m", "cudnnlint", str(GUIDE), "--output-format", "report", "--exit-zero"]
    done = subprocess.run(
        [*command, "--target", "keras@3.15.1:tensorflow"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    [file] = report["files"]
    assert (file["kind"], file["error"]) == ("notebook", None)
    found = [
        (
            (layer["cell"], layer["row"]),
            None if layer["name"] is None else layer["name"].removeprefix("forward_").removeprefix("backward_"),
            layer["class_name"],
            layer["verdicts"][0]["verdict"],
            [(step["cell"], step["row"]) for step in layer["via"]],
        )
        for layer in file["layers"]
    ]
    assert found == [(at, name, kind, verdict, via) for at, name, _, kind, verdict, via in GUIDE_LAYERS]
    [pinned] = [layer for layer in file["layers"] if layer["via"] and layer["via"][0]["cell"] == 12]
    blockers = {item["code"] for item in pinned["verdicts"][0]["requirements"] if item["met"] != "yes"}
    assert blockers == {"CDN404"}
