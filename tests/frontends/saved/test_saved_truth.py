"""Names, order, masks and states of every fixture, against what real Keras showed when it loaded them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from packaging.version import Version

from cudnnlint.core.fact import Absent, Known
from cudnnlint.core.layer import Layer
from cudnnlint.core.target import Point

TRUTH = json.loads((Path(__file__).resolve().parents[3] / "fixtures" / "saved" / "truth.json").read_text())
LOADED = {name: seen for name, seen in TRUTH.items() if isinstance(seen, dict)}
HIDDEN = {"box/inner"}  # in a class of its own, where Keras does not list it and its mask is Unknown
POINTS = {
    "k3": Point("keras", Version("3.15.1"), "tensorflow", None),
    "k2": Point("tf_keras", Version("2.21.0"), "tensorflow", None),
}


def test_there_is_truth_of_both_generations() -> None:
    assert {name[:2] for name in LOADED} == {"k2", "k3"}
    assert len(LOADED) > 25


@pytest.mark.parametrize("name", sorted(LOADED))
def test_a_file_says_what_keras_does(name: str, layers: Callable[[str], dict[str, Layer]]) -> None:
    found = {path: layer for path, layer in layers(name).items() if path not in HIDDEN}
    assert sorted(found) == sorted(LOADED[name])
    for path, layer in found.items():
        seen = {tuple(call) for call in LOADED[name][path]}
        said = {_said(call, POINTS[name[:2]]) for call in layer.calls if call.holds(POINTS[name[:2]])}
        assert said <= seen | {(None, state) for _, state in seen}, path
        assert seen <= said or (None in {mask for mask, _ in said}), path


def _said(call: object, point: Point) -> tuple[bool | None, bool]:
    mask = call.context("mask")  # type: ignore[attr-defined]
    arrives = mask.value != "none" if isinstance(mask, Known) else None
    return arrives, not isinstance(call.context("initial_state"), Absent)  # type: ignore[attr-defined]


def test_a_file_that_keras_cannot_load_itself_says_so(layers: Callable[[str], dict[str, Layer]]) -> None:
    broken = [name for name, seen in TRUTH.items() if isinstance(seen, str) and seen.startswith("Unknown layer")]
    assert broken
    for name in broken:
        assert all(layer.unloadable for layer in layers(name).values()), name
    for name in LOADED:
        assert not any(fault.holds(POINTS[name[:2]]) for layer in layers(name).values() for fault in layer.unloadable)
