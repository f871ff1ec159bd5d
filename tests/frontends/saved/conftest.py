"""What the tests of the saved-model front end share: the vocabulary, and a way to write a small configuration."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cudnnlint import rulebook
from cudnnlint.core.layer import Layer, Model
from cudnnlint.core.names import Names
from cudnnlint.frontends import saved

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"


@pytest.fixture(scope="session")
def names() -> Names:
    return rulebook.load().tables.names


@pytest.fixture
def reads(names: Names) -> Callable[[str], Model]:
    """Read a file of fixtures/saved."""
    return lambda name: saved.read(str(FIXTURES / "saved" / name), names)


@pytest.fixture
def layers(reads: Callable[[str], Model]) -> Callable[[str], dict[str, Layer]]:
    """The layers of a file of fixtures/saved by their paths."""
    return lambda name: {layer.place.layer_path: layer for layer in reads(name).layers}  # type: ignore[union-attr]


@pytest.fixture
def configured(names: Names) -> Callable[..., Model]:
    """Read a configuration that is given as Python data."""
    return lambda config: saved.read_bytes("config.json", json.dumps(config).encode(), names)


def lstm(name: str = "lstm", **arguments: Any) -> dict[str, Any]:
    """A Keras 2 entry of an LSTM."""
    return {"class_name": "LSTM", "config": {"name": name, "units": 2, "return_sequences": True, **arguments}}


def layer(kind: str, name: str, **arguments: Any) -> dict[str, Any]:
    """A Keras 2 entry of any layer."""
    return {"class_name": kind, "config": {"name": name, **arguments}}


def functional(parts: list[dict[str, Any]], inputs: Any, outputs: Any, name: str = "model") -> dict[str, Any]:
    """A Keras 2 functional model; each part has its inbound_nodes already."""
    config = {"name": name, "layers": parts, "input_layers": inputs, "output_layers": outputs}
    return {"class_name": "Functional", "config": config, "name": name}


def at(entry: dict[str, Any], *calls: Any) -> dict[str, Any]:
    """The entry with its calls."""
    return {**entry, "name": entry["config"]["name"], "inbound_nodes": list(calls)}
