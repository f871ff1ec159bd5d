"""The reader of HDF5 attributes against h5py, over the ways in which a file can be laid out."""

from __future__ import annotations

import io
import itertools
from typing import Any

import h5py
import numpy
import pytest

from cudnnlint.formats.hdf5_groups import read_root

WANTED = ("model_config", "keras_version", "backend")
LAYOUTS = list(itertools.product((None, "v108", "latest"), (0, 512), (False, True)))


def as_kind(kind: str, text: str) -> Any:
    """The text the way that some Keras writes it."""
    if kind == "bytes":
        return text.encode()
    return numpy.bytes_(text.encode()) if kind == "fixed" else text


@pytest.mark.parametrize("kind", ["bytes", "str", "fixed"])
@pytest.mark.parametrize(("libver", "block", "ordered"), LAYOUTS)
def test_attributes_are_read_as_h5py_reads_them(kind: str, libver: str | None, block: int, ordered: bool) -> None:
    compared = 0
    for size, others in itertools.product((10, 60_000, 300_000), (0, 4, 12, 60)):
        stream = io.BytesIO()
        text = "x" * (size - 3) + "\u00e9z"
        layout: dict[str, Any] = {"libver": libver, "userblock_size": block or None, "track_order": ordered}
        try:
            with h5py.File(stream, "w", **layout) as file:
                for number in range(others):
                    file.attrs[f"other{number}"] = number if number % 2 else f"text {number}" * 10
                file.attrs["model_config"] = as_kind(kind, text)
                file.attrs["keras_version"] = as_kind(kind, "2.21.0")
                file.attrs["weight_names"] = numpy.array([b"a", b"b"])
                file.create_group("model_weights").attrs["inner"] = 1
        except OSError:  # a fixed text of more than 64 kB does not fit into the old layout
            continue
        root = read_root(stream, WANTED)
        assert root.texts == {"model_config": text.encode(), "keras_version": b"2.21.0"}
        assert "weight_names" in root.attributes
        assert "model_weights" in root.members
        compared += 1
    assert compared >= 4


def test_an_empty_attribute_and_an_array_are_no_text() -> None:
    stream = io.BytesIO()
    with h5py.File(stream, "w") as file:
        file.attrs["model_config"] = h5py.Empty("S1")
        file.attrs["keras_version"] = numpy.array([b"2", b"3"])
        file.attrs["backend"] = ""
    root = read_root(stream, WANTED)
    assert root.texts.get("backend", b"") == b""
    assert "model_config" not in root.texts
    assert "keras_version" not in root.texts


def test_a_data_set_alone_is_no_model() -> None:
    stream = io.BytesIO()
    with h5py.File(stream, "w") as file:
        file["images"] = numpy.zeros((10, 10))
    root = read_root(stream, WANTED)
    assert root.texts == {}
    assert "images" in root.members
