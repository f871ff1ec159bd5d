"""What the tests of the saved-model front end share: the vocabulary, and a way to write a small configuration."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from configurations import FIXTURES

from cudnnlint.core.layer import Layer, Model
from cudnnlint.core.names import Names
from cudnnlint.frontends import saved
from cudnnlint.rulebook import loader


@pytest.fixture(scope="session")
def names() -> Names:
    return loader.load().tables.names


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
