"""The program that made a saved fixture, read as source: the masks must be those that Keras showed of the file."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from packaging.version import Version

from cudnnlint.core.fact import Absent, Known
from cudnnlint.core.layer import Call
from cudnnlint.core.target import Point
from cudnnlint.frontends.source.reader import read
from cudnnlint.rulebook import loader

SAVED = Path(__file__).resolve().parents[2] / "fixtures" / "saved"
TRUTH = json.loads((SAVED / "truth.json").read_text())
MAKE = (SAVED / "make.py").read_text()
NAME = "precision"
FRAMEWORKS = {"k2": ("tf_keras", "2.21.0"), "k3": ("keras", "3.15.1")}


def program(name: str, framework: str) -> str:
    """One function of make.py as a program of its own."""
    (function,) = [part for part in ast.parse(MAKE).body if isinstance(part, ast.FunctionDef) and part.name == name]
    head = f"import {framework} as keras\nfrom {framework} import layers\nfrom typing import Any\n"
    return f"{head}{ast.get_source_segment(MAKE, function)}\nmodel = {name}()\n"


@pytest.mark.parametrize("prefix", FRAMEWORKS)
def test_the_source_has_the_masks_of_the_file(prefix: str) -> None:
    framework, version = FRAMEWORKS[prefix]
    model = read("make.py", program(NAME, framework).encode(), loader.load().tables.names)
    point = Point(framework, Version(version), "tensorflow", None)
    truth = {path.rsplit("/", 1)[-1]: calls for path, calls in TRUTH[f"{prefix}_{NAME}.keras"].items()}
    assert len(model.layers) == len(truth) > 0
    for layer in model.layers:
        role = f"{layer.direction.role}_" if layer.direction else ""
        seen = {mask for mask, _ in truth[role + str(layer.name).removeprefix(role)]}
        assert {_arrives(call) for call in layer.calls if call.holds(point)} == seen, layer.name


def _arrives(call: Call) -> bool | None:
    mask = call.context("mask")
    if isinstance(mask, Absent):
        return False
    return mask.value != "none" if isinstance(mask, Known) else None


SAME = """
import keras
from keras import layers
x = layers.Embedding(9, 3, mask_zero=True)(keras.Input((4,), dtype="int32"))
layers.LSTM(3, name="same")(layers.Permute((1, 2))(x))
layers.LSTM(3, name="other")(layers.Permute((2, 1))(x))
layers.LSTM(3, name="shaped")(layers.Reshape((2, 6))(x))
"""


@pytest.mark.parametrize(
    ("backend", "arrives"), [("tensorflow", [False] * 3), ("torch", [False] * 3), ("jax", [True, False, None])]
)
def test_on_jax_a_permutation_that_changes_nothing_keeps_the_mask(backend: str, arrives: list[bool | None]) -> None:
    model = read("same.py", SAME.encode(), loader.load().tables.names)
    point = Point("keras", Version("3.15.1"), backend, None)
    assert [_arrives(call) for layer in model.layers for call in layer.calls if call.holds(point)] == arrives


CAST = """
import keras
from keras import layers, ops
x = layers.Embedding(9, 3, mask_zero=True)(keras.Input((4,), dtype="int32"))
layers.LSTM(3, name="same")(ops.cast(x, "float32"))
layers.LSTM(3, name="other")(ops.cast(x, "float16"))
layers.LSTM(3, name="double")(ops.cast(x, "float64"))
"""


@pytest.mark.parametrize(("backend", "double"), [("tensorflow", False), ("torch", False), ("jax", None)])
@pytest.mark.parametrize("version", ["3.5.0", "3.13.2", "3.15.1"])
def test_a_cast_loses_the_mask_where_the_dtype_changes(version: str, backend: str, double: bool | None) -> None:
    model = read("cast.py", CAST.encode(), loader.load().tables.names)
    point = Point("keras", Version(version), backend, None)
    arrives = [_arrives(call) for layer in model.layers for call in layer.calls if call.holds(point)]
    before = backend == "jax" and version == "3.5.0"  # there no kernel asks for a mask
    assert arrives == [True, False, False if before else double]
