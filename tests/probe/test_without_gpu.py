"""What is shown on CUDA without a GPU (without_gpu/): Grappler's choice and a lowered program, of real frameworks.

torch needs a build for CUDA and a compiler; its records in fixtures/evidence/probe are held against the tables.
"""

import importlib.util
from pathlib import Path

import pytest
from test_executed import layer

from cudnnlint.probe.parent import Host, ask

CHILD = Path(__file__).parent / "without_gpu" / "child.py"

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("framework", "backend", "right"), [("tf_keras", "tensorflow", "cudnn"), ("keras", "jax", "fallback")]
)
def test_kernel_and_loop_are_told_apart(framework, backend, right):
    if not all(importlib.util.find_spec(name) for name in (framework, backend)):
        pytest.skip(f"{framework} and {backend} are not installed")
    items = [
        {"id": 0, "layer": layer()},
        {"id": 1, "layer": layer(activation="relu")},
        {"id": 2, "layer": layer(masked=True), "paddings": ["right"]},
        {"id": 3, "layer": layer(masked=True), "paddings": ["left"]},
    ]
    job = {"kind": "ask", "dry": False, "framework": framework, "input_shape": [5, 3], "items": items}
    hidden = {"KERAS_BACKEND": backend, "CUDA_VISIBLE_DEVICES": "-1", "JAX_PLATFORMS": "cpu"}
    answers = ask(Host(environment=hidden, script=CHILD), job, lambda about: True)
    assert answers.fault is None
    expected = [("none", "cudnn"), ("none", "fallback"), ("right", right), ("left", "fallback")]
    for number, (padding, route) in enumerate(expected):
        assert answers.items[number]["error"] is None
        (found,) = answers.items[number]["layers"]
        assert found["seconds"] == {"route": None, "generic": None, "kernel": None}
        for phases in found["calls"]:
            for seen in phases["graph"].values():
                assert seen[padding]["route"] == route, seen
                assert seen[padding]["ops"]
