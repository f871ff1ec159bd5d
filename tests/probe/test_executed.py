"""The run that a GPU would get, made on the CPU: the profiler's names are read, a loop is seen, and it is timed.

There is no kernel to be seen here; what one looks like is tested with recorded names (test_child.py).
"""

import importlib.util

import pytest

from cudnnlint.probe.parent import Host, ask

pytestmark = pytest.mark.slow


def layer(class_name="LSTM", masked=False, **arguments):
    return {
        "class_name": class_name, "path": f"keras.layers.{class_name}", "arguments": {"units": 4, **arguments},
        "cells": None, "wrappers": [], "policy": None, "input_dtype": None, "masked": masked, "initial_state": False,
        "state_dtypes": [],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("framework", "backend", "needs"),
    [
        ("keras", "tensorflow", ("keras", "tensorflow")),
        ("tf_keras", "tensorflow", ("tf_keras", "tensorflow")),
        ("keras", "jax", ("keras", "jax")),
        ("keras", "torch", ("keras", "torch")),
    ],
)
def test_a_loop_shows(framework, backend, needs):
    if not all(importlib.util.find_spec(name) for name in needs):
        pytest.skip(f"{' and '.join(needs)} are not installed")
    items = [
        {"id": 0, "layer": layer()},
        {"id": 1, "layer": layer("GRU", masked=True, recurrent_dropout=0.2), "paddings": ["right"]},
    ]
    job = {"kind": "ask", "dry": False, "framework": framework, "repeats": 2, "input_shape": [5, 3], "items": items}
    hidden = {"KERAS_BACKEND": backend, "CUDA_VISIBLE_DEVICES": "-1", "JAX_PLATFORMS": "cpu"}
    answers = ask(Host(environment=hidden), job, lambda about: True)
    assert answers.fault is None
    assert answers.about["gpus"] == []
    for number, padding in ((0, "none"), (1, "right")):
        assert answers.items[number]["error"] is None
        (found,) = answers.items[number]["layers"]
        (call,) = found["calls"]
        for phases in call.values():
            for seen in phases.values():
                assert seen[padding]["route"] == "fallback", seen
                assert seen[padding]["ops"]
        assert found["seconds"]["route"] > 0
