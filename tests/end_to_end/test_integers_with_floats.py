"""Integers and floats given to one layer: Keras 3 promotes them, Keras 2 stops (asked of 3.15.1 and tf_keras 2.21)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from shell_run import Run

PROGRAM = """import {package} as keras
from {package} import layers
a, b = keras.Input((5, 4), dtype={dtype!r}), keras.Input((5, 4))
model = keras.Model([a, b], layers.LSTM(3)({layer}))
"""


@pytest.mark.parametrize(
    ("dtype", "layer", "in_keras_3", "in_keras_2"),
    [
        ("int32", "layers.Add()([a, b])", "cudnn", "raises"),
        ("bool", "layers.Concatenate()([b, a])", "cudnn", "raises"),
        ("int32", "layers.Concatenate()([layers.Dense(4)(a), b])", "cudnn", "cudnn"),
        ("float16", "layers.Average()([a, b])", "cudnn", "cudnn"),
        ("bool", "layers.Multiply()([a, b])", "cudnn", "unknown"),
    ],
)
def test_a_layer_that_joins(
    dtype: str, layer: str, in_keras_3: str, in_keras_2: str, tmp_path: Path, run: Callable[..., Run]
) -> None:
    found = []
    for package, target in (("keras", "keras@3.15.1"), ("tf_keras", "tf_keras@2.21")):
        file = tmp_path / f"of_{package}.py"
        file.write_text(PROGRAM.format(package=package, dtype=dtype, layer=layer))
        report = json.loads(run("check", str(file), "--target", target, "--output-format", "report").out)
        found += [one["verdicts"][0]["verdict"] for one in report["files"][0]["layers"]]
    assert found == [in_keras_3, in_keras_2]
