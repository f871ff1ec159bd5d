"""Several tensors as one input of an RNN: Keras 2 hands them to a user's cell, Keras 3 stops before it is asked.

Asked of tf_keras 2.21 (the model is built) and of Keras 3.15.1 (an error where the layer is called).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from shell_run import Run

PROGRAM = """
from tensorflow import keras

class Pair(keras.layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.state_size = 3
        self.output_size = 3
    def build(self, shapes):
        self.kernel = self.add_weight(shape=(shapes[0][1], 3))
    def call(self, inputs, states):
        one, other = inputs
        out = one @ self.kernel + states[0]
        return out, [out]

layer = keras.layers.RNN({cell})
layer((keras.Input((5, 2)), keras.Input((5, 4))))
"""


@pytest.mark.parametrize(
    ("cell", "target", "verdict"),
    [
        ("Pair()", "tf_keras@2.21", "fallback"),
        ("Pair()", "tensorflow@2.12", "fallback"),
        ("Pair()", "keras@3.15", "raises"),
        ("keras.layers.LSTMCell(3)", "tf_keras@2.21", "raises"),
    ],
)
def test_a_cell_of_the_users_may_take_several_tensors_in_keras_2(
    cell: str, target: str, verdict: str, tmp_path: Path, run: Callable[..., Run]
) -> None:
    file = tmp_path / "p.py"
    file.write_text(PROGRAM.replace("{cell}", cell))
    report = json.loads(run("check", str(file), "--target", target, "--output-format", "report").out)
    assert [layer["verdicts"][0]["verdict"] for layer in report["files"][0]["layers"]] == [verdict]
