"""Classes that only Keras 2 or only Keras 3 has, as the base of a cell and on the way to a layer.

Asked of Keras 3.15.1 and tf_keras 2.21, which stop at every "raises", and run where the program looks first.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from shell_run import Run

CELL = """
{head}

class Cell(Base):
    def __init__(self, units):
        super().__init__()
        self.units = self.state_size = self.output_size = units
    def build(self, shape):
        self.kernel = self.add_weight(shape=(shape[-1], self.units), name="k")
    def call(self, inputs, states, training=None):
        h = inputs @ self.kernel
        return h, [h]

layer = keras.layers.RNN(Cell(4))
layer(keras.Input((5, 3)))
"""
BEFORE = """
from tensorflow import keras

x = keras.layers.{layer}(keras.Input((5, 3)))
keras.layers.LSTM(4)(x)
"""
CUDNN = """
from tensorflow import keras

{head}
Base(4)(keras.Input((5, 3)))
"""
TARGETS = "keras@3.15.1,tf_keras@2.21.0"
IMPORT = "from tensorflow import keras\n"


def verdicts(run: Callable[..., Run], file: Path, text: str) -> list[str]:
    """The verdicts of the layers of a program, for both targets."""
    file.write_text(text)
    report = json.loads(run("check", str(file), "--target", TARGETS, "--output-format", "report").out)
    return [one["verdict"] for layer in report["files"][0]["layers"] for one in layer["verdicts"]]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (f"{IMPORT}Base = keras.layers.AbstractRNNCell", ["raises", "fallback"]),
        (f"{IMPORT}from tensorflow.keras.layers import AbstractRNNCell as Base", ["raises", "fallback"]),
        (f"{IMPORT}Base = keras.layers.Layer", ["fallback", "fallback"]),
        (
            f"{IMPORT}Base = getattr(keras.layers, 'AbstractRNNCell', keras.layers.Layer)",
            ["fallback", "fallback"],
        ),
        (
            f"{IMPORT}there = hasattr(keras.layers, 'AbstractRNNCell')\n"
            "Base = keras.layers.AbstractRNNCell if there else keras.layers.Layer",
            ["fallback", "fallback"],
        ),
        (
            f"{IMPORT}try:\n    Base = keras.layers.AbstractRNNCell\n"
            "except AttributeError:\n    Base = keras.layers.Layer",
            ["fallback", "fallback"],
        ),
    ],
)
def test_the_base_of_a_cell(head: str, expected: list[str], tmp_path: Path, run: Callable[..., Run]) -> None:
    assert verdicts(run, tmp_path / "p.py", CELL.format(head=head)) == expected


@pytest.mark.parametrize(
    ("layer", "expected"),
    [
        ("ThresholdedReLU(1.0)", ["raises", "cudnn"]),
        ("LocallyConnected1D(3, 2)", ["raises", "cudnn"]),
        ("RMSNormalization()", ["cudnn", "raises"]),
        ("LayerNormalization()", ["cudnn", "cudnn"]),
    ],
)
def test_a_layer_before(layer: str, expected: list[str], tmp_path: Path, run: Callable[..., Run]) -> None:
    assert verdicts(run, tmp_path / "p.py", BEFORE.format(layer=layer)) == expected


@pytest.mark.parametrize(
    "head",
    [
        "try:\n    Base = keras.layers.CuDNNLSTM\nexcept AttributeError:\n    Base = keras.layers.LSTM",
        "Base = getattr(keras.layers, 'CuDNNLSTM', keras.layers.LSTM)",
    ],
)
def test_the_program_looks_first(head: str, tmp_path: Path, run: Callable[..., Run]) -> None:
    assert verdicts(run, tmp_path / "p.py", CUDNN.format(head=head)) == ["cudnn", "cudnn"]


def test_the_advice_is_about_the_class(tmp_path: Path, run: Callable[..., Run]) -> None:
    file = tmp_path / "p.py"
    file.write_text(BEFORE.format(layer="ThresholdedReLU(1.0)"))
    assert "has no such class" in run("check", str(file), "--target", "keras@3.15.1").out


@pytest.mark.parametrize(
    ("line", "target", "expected"),
    [
        ("from keras.layers.core import Dense", "keras@3.15.1", "raises"),
        ("from keras.layers.core import Dense", "tensorflow@2.10", "cudnn"),
        ("from keras.layers.wrappers import *", "tensorflow@2.10", "raises"),
        ("import keras.layers.core as core", "keras@3.15.1", "raises"),
        ("from keras.utils import np_utils", "keras@3.15.1:torch", "raises"),
        ("from keras.utils import to_categorical", "keras@3.15.1", "cudnn"),
        ("from tensorflow.contrib import rnn", "keras@3.15.1", "raises"),
        ("try:\n    from keras.layers.core import Dense\nexcept ImportError:\n    pass", "keras@3.15.1", "cudnn"),
    ],
)
def test_a_module_of_old_keras_before(
    line: str, target: str, expected: str, tmp_path: Path, run: Callable[..., Run]
) -> None:
    file = tmp_path / "p.py"
    file.write_text(f"from keras.layers import LSTM\n{line}\nLSTM(4)\n")
    said = json.loads(run("check", str(file), "--target", target, "--output-format", "report").out)
    (layer,) = said["files"][0]["layers"]
    assert layer["verdicts"][0]["verdict"] == expected


@pytest.mark.parametrize(
    ("target", "verdicts"),
    [
        ("keras@2.3.1:tensorflow@1.15.5", ["fallback", "cudnn"]),
        ("keras@2.3.1:tensorflow@2.0.4", ["fallback", "raises"]),  # asked: it imports, and making one stops
        ("keras@3.15.1", ["raises", "raises"]),
    ],
)
def test_a_class_that_cannot_be_made_can_be_imported(
    tmp_path: Path, run: Callable[..., Run], target: str, verdicts: list[str]
) -> None:
    path = tmp_path / "model.py"
    path.write_text("from keras.layers import LSTM, CuDNNLSTM\nLSTM(4)\nCuDNNLSTM(4)\n", encoding="utf-8")
    report = json.loads(run(str(path), "--target", target, "--output-format", "report").out)
    assert [layer["verdicts"][0]["verdict"] for layer in report["files"][0]["layers"]] == verdicts
