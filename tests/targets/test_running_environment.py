"""What is installed, read from the names of folders, is what `importlib.metadata` says."""

from __future__ import annotations

import sys
from importlib import metadata
from pathlib import Path

import pytest

from cudnnlint.core.distributions import DISTRIBUTIONS, canonical
from cudnnlint.targets import running_environment


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    first, second = tmp_path / "first", tmp_path / "second"
    for place in (first, second):
        place.mkdir()
    monkeypatch.setattr(sys, "path", [str(tmp_path / "missing"), str(first), str(second)])
    return first, second


def installed(place: Path, folder: str, release: str = "") -> None:
    (place / folder).mkdir()
    name = folder.partition("-")[0].partition(".")[0]
    file = "METADATA" if folder.endswith(".dist-info") else "PKG-INFO"
    (place / folder / file).write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {release}\n", encoding="utf-8")


def test_it_says_what_the_standard_library_says_of_this_environment() -> None:
    asked = {}
    for found in metadata.distributions():
        asked.setdefault(canonical(found.metadata["Name"]), found.version)
    assert running_environment.versions() == {name: asked[name] for name in asked if name in DISTRIBUTIONS}


def test_the_place_that_python_searches_first_counts(places: tuple[Path, Path]) -> None:
    installed(places[1], "keras-3.8.0.dist-info", "3.8.0")
    installed(places[1], "tf_keras-2.19.0.dist-info", "2.19.0")
    installed(places[1], "numpy-2.0.0.dist-info", "2.0.0")
    installed(places[0], "keras-3.9.2.dist-info", "3.9.2")
    assert running_environment.versions() == {"keras": "3.9.2", "tf-keras": "2.19.0"}


def test_a_checkout_says_its_release_in_its_metadata(places: tuple[Path, Path]) -> None:
    installed(places[0], "keras.egg-info", "3.10.0")
    installed(places[0], "tensorflow_gpu-1.15.0-py3.7.egg-info", "1.15.0")
    assert running_environment.versions() == {"keras": "3.10.0", "tensorflow-gpu": "1.15.0"}


def test_what_is_no_release_is_nothing(places: tuple[Path, Path]) -> None:
    installed(places[0], "keras-of-mine.dist-info", "of-mine")
    (places[0] / "torch.egg-link").write_text("gone\n", encoding="utf-8")
    assert running_environment.versions() == {}
