"""A file that lacks the weights of some layers, or all: what is left of a save that was cut off.

Keras 3.15.1 and tf_keras 2.21.0 were asked for the files of their own generation here; Keras 3.3.3, 3.6.0, 3.9.2 and
3.12.0 and tf_keras 2.18.0 for a Bidirectional, a GRU and a Dense that each wrote itself, without the GRU's weights. All
stop. `k3_nested.h5` proves nothing there: Keras 3 stops at an operation in it, with all its weights as well.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import h5py
import pytest
from configurations import FIXTURES

from cudnnlint.core.layer import Model
from cudnnlint.core.names import Names
from cudnnlint.frontends import saved
from cudnnlint.frontends.saved.missing_weights import DAMAGED, KIND, NO_GROUP

FILES = [
    f"{generation}_{name}"
    for generation in ("k2", "k3")
    for name in ("plain.h5", "plain.keras", "directions.keras", "nested.h5", "cells.h5", "cells.keras")
]


def edited(name: str, edit: Callable[[h5py.Group], None]) -> bytes:
    """A file of fixtures/saved whose weights were edited; `edit` gets the group that has a group for each layer."""
    stream = io.BytesIO((FIXTURES / "saved" / name).read_bytes())
    if name.endswith(".h5"):
        with h5py.File(stream, "r+") as file:
            edit(file["model_weights"])
        return stream.getvalue()
    return with_weights(name, lambda data: _edited_weights(data, edit))


def with_weights(name: str, change: Callable[[bytes], bytes]) -> bytes:
    """A `.keras` file of fixtures/saved with other weights."""
    stream = io.BytesIO()
    with zipfile.ZipFile(FIXTURES / "saved" / name) as before, zipfile.ZipFile(stream, "w") as after:
        for member in before.namelist():
            data = before.read(member)
            after.writestr(member, change(data) if member == "model.weights.h5" else data)
    return stream.getvalue()


def _edited_weights(data: bytes, edit: Callable[[h5py.Group], None]) -> bytes:
    stream = io.BytesIO(data)
    with h5py.File(stream, "r+") as file:
        edit(file["layers"])
    return stream.getvalue()


def filled(group: h5py.Group) -> list[str]:
    """The members of a group that hold data sets."""
    found: set[str] = set()
    group.visititems(lambda path, item: found.add(path.split("/")[0]) if isinstance(item, h5py.Dataset) else None)
    return sorted(found)


def drop_one(group: h5py.Group) -> None:
    """Drop the weights of a layer; an RNN may have cells without any."""
    del group[next(name for name in filled(group) if not name.startswith(("rnn", "time_distributed")))]


def without_group(name: str) -> bytes:
    """An HDF5 file of fixtures/saved without the group of all weights."""
    stream = io.BytesIO((FIXTURES / "saved" / name).read_bytes())
    with h5py.File(stream, "r+") as file:
        del file["model_weights"]
    return stream.getvalue()


def faults(model: Model) -> set[int]:
    """The generations of Keras that stop because weights are missing."""
    return {fault.era.major for layer in model.layers for fault in layer.unloadable if fault.kind == KIND}


@pytest.mark.parametrize("name", FILES)
def test_the_weights_of_one_layer_are_missed(name: str, names: Names) -> None:
    assert faults(saved.read_bytes(name, edited(name, drop_one), names)) == {2, 3}


@pytest.mark.parametrize("name", sorted(path.name for path in (FIXTURES / "saved").glob("k[23]_*.*")))
def test_nothing_is_missed_in_files_as_keras_wrote_them(name: str, names: Names) -> None:
    model = saved.read_bytes(name, (FIXTURES / "saved" / name).read_bytes(), names)
    assert not faults(model)
    assert DAMAGED not in model.notes


@pytest.mark.parametrize("name", ["k2_plain.h5", "k3_plain.h5"])
def test_a_file_without_any_weights_is_judged_by_its_configuration(name: str, names: Names) -> None:
    model = saved.read_bytes(name, without_group(name), names)
    assert (faults(model), NO_GROUP in model.notes) == (set(), True)


@pytest.mark.parametrize("kept", [0, 4, 2000])
def test_weights_that_are_cut_off_in_an_archive_are_damaged(kept: int, names: Names) -> None:
    model = saved.read_bytes("m.keras", with_weights("k3_plain.keras", lambda data: data[:kept]), names)
    assert (bool(model.layers), DAMAGED in model.notes) == (True, True)
