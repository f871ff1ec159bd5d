"""Layers whose class has the name of an initializer too: what an initializer is not given holds for it alone."""

from __future__ import annotations

import json

import pytest

from cudnnlint.frontends.saved import read_bytes
from cudnnlint.rulebook import loader

CONFIG = {"name": "x", "trainable": True, "dtype": "float32"}


def entry(module: str, class_name: str, config: dict[str, object]) -> dict[str, object]:
    return {"module": module, "class_name": class_name, "config": config, "registered_name": None}


@pytest.mark.parametrize("initializer", [False, True])
def test_the_dtype_of_an_identity_is_refused_as_an_initializer_alone(initializer: bool) -> None:
    recurrent: dict[str, object] = {"name": "lstm", "units": 3}
    if initializer:
        recurrent["recurrent_initializer"] = {"class_name": "Identity", "config": {"gain": 1.0, "dtype": "float32"}}
    given = entry("keras.layers", "InputLayer", {"name": "i", "batch_shape": [None, 5, 4], "dtype": "float32"})
    layers = [given, entry("keras.layers", "Identity", CONFIG), entry("keras.layers", "LSTM", recurrent)]
    model = entry("keras", "Sequential", {"name": "s", "trainable": True, "dtype": "float32", "layers": layers})
    (layer,) = read_bytes("m.json", json.dumps(model).encode(), loader.load().tables.names).layers
    assert any("dtype of an initializer" in fault.says for fault in layer.unloadable) is initializer
