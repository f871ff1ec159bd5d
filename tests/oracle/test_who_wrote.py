"""Which TensorFlow a saved file says that it was written by is the one that wrote it."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from zipfile import is_zipfile

import h5py
import pytest
from cudnnlint.core.layer import FileHints
from cudnnlint.targets import environment, written
from cudnnlint.targets.releases import PACKAGED
from packaging.version import Version

sys.path.insert(0, str(Path(__file__).resolve().parent))

import packed

#: The releases of TensorFlow whose Keras was no package yet, and what was saved there.
STORED = {
    Version(answered.about["tensorflow"]): [
        held.data for forms in answered.programs.values() for form, (held, _) in forms.items() if form != "script"
    ]
    for answered in packed.read().values()
    if answered.about["framework"] == "tensorflow" and Version(answered.about["tensorflow"]) < PACKAGED
}
ASKED = {
    release: [data for data in files if data and not is_zipfile(io.BytesIO(data))] for release, files in STORED.items()
}


@pytest.mark.parametrize("release", [release for release, files in ASKED.items() if files], ids=str)
def test_a_file_names_the_tensorflow_that_wrote_it(release: Version) -> None:
    for said in {_keras_version(data) for data in ASKED[release]}:
        found = written.target(FileHints(keras_version=said), lambda: "tensorflow", environment.known())
        assert found is not None
        assert found.framework == "tensorflow"
        assert found.keras.span is not None
        assert release in found.keras.span


def test_each_line_of_releases_was_asked() -> None:
    asked = [release for release, files in ASKED.items() if files]
    assert all(any(one in span for one in asked) for span in environment.known().writers.values())


def _keras_version(data: bytes) -> str:
    with h5py.File(io.BytesIO(data)) as file:
        return str(file.attrs["keras_version"])
