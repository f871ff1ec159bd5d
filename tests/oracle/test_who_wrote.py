"""Which TensorFlow a saved file says that it was written by is the one that wrote it."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import h5py
import pytest
from cudnnlint.core.layer import FileHints
from cudnnlint.targets import environment, written
from cudnnlint.targets.releases import PACKAGED
from packaging.version import Version

sys.path.insert(0, str(Path(__file__).resolve().parent))

import packed


def _keras_version(data: bytes) -> str:
    with h5py.File(io.BytesIO(data)) as file:
        return str(file.attrs["keras_version"])


#: The releases of TensorFlow whose Keras was no package yet, and the texts that their files have.
SAID = {
    Version(answered.about["tensorflow"]): {
        _keras_version(forms["h5"][0].data)
        for forms in answered.programs.values()
        if "h5" in forms and forms["h5"][0].data
    }
    for answered in packed.read().values()
    if answered.about["framework"] == "tensorflow" and Version(answered.about["tensorflow"]) < PACKAGED
}


@pytest.mark.parametrize("said", sorted({said for every in SAID.values() for said in every}))
def test_what_a_file_says_means_the_releases_that_write_it(said: str) -> None:
    found = written.target(FileHints(keras_version=said), lambda: "tensorflow", environment.known())
    assert found is not None
    assert found.keras.span is not None
    meant = [release for release, every in SAID.items() if every and release in found.keras.span]
    assert (found.framework, meant) == ("tensorflow", [release for release, every in SAID.items() if said in every])


def test_every_line_of_releases_was_asked() -> None:
    assert {said for every in SAID.values() for said in every} == environment.known().writers.keys()
