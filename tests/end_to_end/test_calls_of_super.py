"""What a subclass passes to the `call` of Keras's own class, which does not take all that a layer is called with.

Asked of Keras 3.15.1 and tf_keras 2.21, which stop at every "raises".
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from shell_run import Run

PROGRAM = """
from tensorflow import keras

class Own(keras.layers.{base}):
    def {method}(self, sequences, initial_state=None, mask=None, training=False, constants=None):
        return super().{method}(sequences, {passed})

x = keras.Input((5, 3))
model = keras.Model(x, Own({given})(x))
"""
PLAIN = """
from tensorflow import keras

x, extra = keras.Input((5, 3)), keras.Input((2,))
model = keras.Model([x, extra], {layer}(x, constants={constants}))
"""
TARGETS = ("keras@3.15.1", "tf_keras@2.21.0")


def verdicts(run: Callable[..., Run], file: Path, text: str) -> list[str]:
    """The verdicts of the only layer of a program, for TARGETS."""
    file.write_text(text)
    report = json.loads(run("check", str(file), "--target", ",".join(TARGETS), "--output-format", "report").out)
    (layer,) = report["files"][0]["layers"]
    return [one["verdict"] for one in layer["verdicts"]]


@pytest.mark.parametrize(
    ("base", "method", "passed", "expected"),
    [
        ("LSTM", "call", "mask=mask, constants=constants", ["raises", "raises"]),
        ("GRU", "call", "constants=None", ["raises", "raises"]),
        ("SimpleRNN", "call", "constants=constants", ["raises", "raises"]),
        ("RNN", "call", "constants=constants", ["raises", "fallback"]),
        ("RNN", "call", "states=None", ["raises", "raises"]),
        ("LSTM", "call", "initial_state=initial_state, mask=mask, training=training", ["cudnn", "cudnn"]),
        ("LSTM", "__call__", "constants=constants", ["raises", "cudnn"]),
        ("LSTM", "__call__", "initial_state=initial_state", ["cudnn", "cudnn"]),
    ],
)
def test_a_subclass_passes_on_what_the_own_class_takes(
    base: str, method: str, passed: str, expected: list[str], tmp_path: Path, run: Callable[..., Run]
) -> None:
    given = "keras.layers.LSTMCell(4)" if base == "RNN" else "4"
    text = PROGRAM.format(base=base, method=method, passed=passed, given=given)
    assert verdicts(run, tmp_path / "p.py", text) == expected


@pytest.mark.parametrize(
    ("layer", "constants", "expected"),
    [
        ("keras.layers.LSTM(4)", "None", ["raises", "cudnn"]),
        ("keras.layers.LSTM(4)", "extra", ["raises", "raises"]),
        ("keras.layers.GRU(4)", "[extra]", ["raises", "raises"]),
    ],
)
def test_a_layer_of_keras_2_takes_constants_and_only_an_rnn_has_a_use_for_them(
    layer: str, constants: str, expected: list[str], tmp_path: Path, run: Callable[..., Run]
) -> None:
    text = PLAIN.format(layer=layer, constants=constants)
    assert verdicts(run, tmp_path / "p.py", text) == expected


def test_the_advice_is_about_the_own_call(tmp_path: Path, run: Callable[..., Run]) -> None:
    file = tmp_path / "p.py"
    file.write_text(PROGRAM.format(base="LSTM", method="call", passed="constants=constants", given="4"))
    assert "super().call()" in run("check", str(file), "--target", "keras@3.15.1").out


IN_ORDER = """
from tensorflow import keras

class Own(keras.layers.{base}):
    def call(self, sequences, initial_state=None, mask=None, training=False):
        return super().call(sequences, {passed})

x = keras.Input((5, 3))
model = keras.Model(x, Own(4)({masked}x))
"""


@pytest.mark.parametrize("base", ["LSTM", "GRU"])
@pytest.mark.parametrize(
    ("masked", "passed", "expected"),
    [
        ("", "initial_state, mask, training", ["cudnn", "raises"]),
        ("", "mask, training, initial_state", ["raises", "cudnn"]),
        ("keras.layers.Masking()", "initial_state, mask, training", ["depends", "raises"]),
        ("keras.layers.Masking()", "mask, training, initial_state", ["raises", "depends"]),
        ("keras.layers.Masking()", "mask", ["raises", "depends"]),
    ],
)
def test_each_keras_has_an_order_of_its_own(
    base: str, masked: str, passed: str, expected: list[str], tmp_path: Path, run: Callable[..., Run]
) -> None:
    text = IN_ORDER.format(base=base, passed=passed, masked=f"{masked}(x)" if masked else "").replace(")x)", "))")
    assert verdicts(run, tmp_path / "p.py", text) == expected


@pytest.mark.parametrize("call", ["({x}, {state})", "({x}, initial_state=[{state}])"])
def test_keras_2_takes_no_array_of_numpy_as_a_state(call: str, tmp_path: Path, run: Callable[..., Run]) -> None:
    call = call.format(x="keras.layers.Dense(3)(x)", state="np.zeros((2, 4), 'float32')")
    text = f"import numpy as np\nfrom tensorflow import keras\nx = keras.Input((5, 3))\nkeras.layers.GRU(4){call}\n"
    assert verdicts(run, tmp_path / "p.py", text) == ["cudnn", "raises"]
