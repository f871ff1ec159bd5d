"""Stored weights that do not fit the configuration keep Keras from loading a file.

Asked of both generations of Keras. The files are those of fixtures/saved, whose configuration is changed and whose
weights are not.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import h5py
import numpy
import pytest
from configurations import FIXTURES

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.names import Names
from cudnnlint.formats.hdf5_shapes import StoredShapes
from cudnnlint.frontends import saved

FILES = (
    "k2_plain.keras", "k2_plain.h5", "k3_plain.keras", "k3_plain.h5", "k2_directions.keras", "k3_directions.keras",
    "k2_nested.h5", "k3_nested.h5", "k2_cells.keras", "k2_cells.h5", "k3_cells.keras", "k3_cells.h5",
)  # fmt: skip
Change = Callable[[dict[str, Any]], None]


CHANGED = ("LSTM", "LSTMCell")


def with_change(name: str, change: Change, classes: tuple[str, ...] = CHANGED) -> bytes:
    """A file of fixtures/saved in which every LSTM, or cell of one, or layer of `classes`, is changed."""
    data = (FIXTURES / "saved" / name).read_bytes()
    if name.endswith(".h5"):
        stream = io.BytesIO(data)
        with h5py.File(stream, "r+") as file:
            file.attrs["model_config"] = json.dumps(changed(json.loads(file.attrs["model_config"]), change, classes))
        return stream.getvalue()
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(stream, "w") as after:
        for member in before.namelist():
            held = before.read(member)
            config = member == "config.json"
            after.writestr(member, json.dumps(changed(json.loads(held), change, classes)) if config else held)
    return stream.getvalue()


def changed(part: Any, change: Change, classes: tuple[str, ...]) -> Any:
    """The same configuration, with every layer or cell of these classes in it changed."""
    if isinstance(part, dict):
        if part.get("class_name") in classes:
            change(part["config"])
        return {key: changed(value, change, classes) for key, value in part.items()}
    return [changed(one, change, classes) for one in part] if isinstance(part, list) else part


def said(name: str, data: bytes, names: Names) -> set[str]:
    """What is said of a file's weights."""
    model = saved.read_bytes(name, data, names)
    return {fault.says for layer in model.layers for fault in layer.unloadable if fault.kind == "weight-shapes"}


@pytest.mark.parametrize("name", FILES)
def test_weights_of_other_units_are_seen(name: str, names: Names) -> None:
    found = said(name, with_change(name, lambda config: config.update(units=config["units"] + 1)), names)
    assert len(found) == 1
    assert "stored in the shapes (" in found.pop()


@pytest.mark.parametrize("name", FILES)
def test_a_bias_that_is_not_needed_or_not_there_is_seen(name: str, names: Names) -> None:
    assert said(name, with_change(name, lambda config: config.update(use_bias=not config["use_bias"])), names)


@pytest.mark.parametrize("name", ["k2_cells.keras", "k2_cells.h5", "k3_cells.keras", "k3_cells.h5"])
def test_one_cell_of_a_stack_is_enough(name: str, names: Names) -> None:
    assert said(name, with_change(name, lambda config: config.update(units=5 if config["units"] == 3 else 2)), names)


@pytest.mark.parametrize("name", ["k2_cells.keras", "k2_cells.h5", "k3_cells.keras", "k3_cells.h5"])
@pytest.mark.parametrize(
    "change",
    [
        lambda config: config.update(filters=config["filters"] + 1),
        lambda config: config.update(filters=2 * config["filters"]),
        lambda config: config.update(kernel_size=[1, 1]),
        lambda config: config.update(use_bias=not config["use_bias"]),
    ],
)
def test_weights_of_a_convolutional_lstm_are_held_against_its_configuration(
    name: str, change: Change, names: Names
) -> None:
    assert said(name, with_change(name, change, ("ConvLSTM2D",)), names)


@pytest.mark.parametrize("name", ["k2_nested.h5", "k3_nested.h5"])
def test_a_layer_of_a_model_inside_is_enough(name: str, names: Names) -> None:
    def change(config: dict[str, Any]) -> None:
        config["units"] += config["name"] != "shared"

    assert said(name, with_change(name, change), names)


def test_keras_2_gives_a_bias_that_is_not_needed_in_a_model_inside_to_the_next_layer(names: Names) -> None:
    data = with_change("k2_nested.h5", lambda config: config.update(use_bias=not config["use_bias"]))
    model = saved.read_bytes("k2_nested.h5", data, names)
    faults = {one for layer in model.layers for one in layer.unloadable if one.kind == "weight-shapes"}
    found = {one.era.major: one.says for one in faults}
    assert " load shared: " in found[2]
    assert " load lstm: " in found[3]


@pytest.mark.parametrize("name", ["k2_plain.h5", "k3_plain.h5"])
def test_a_stateful_layer_has_no_weights_but_its_own(name: str, names: Names) -> None:
    assert not said(name, with_change(name, lambda config: config.update(stateful=True)), names)
    assert said(name, with_change(name, lambda config: config.update(stateful=True, units=config["units"] + 1)), names)


@pytest.mark.parametrize("name", ["k2_nested.h5", "k3_nested.h5"])
@pytest.mark.parametrize("before", [True, False])
def test_a_gru_without_reset_after_needs_the_weights_of_one_with_it(name: str, before: bool, names: Names) -> None:
    """As Keras 2.1.2 and older write it, whose weights are those of reset_after=False."""
    stream = io.BytesIO((FIXTURES / "saved" / name).read_bytes())
    with h5py.File(stream, "r+") as file:
        config = json.loads(file.attrs["model_config"])
        (after,) = (one for one in config["config"]["layers"] if one["config"]["name"] == "after")
        del after["config"]["reset_after"]
        file.attrs["model_config"] = json.dumps(config)
        if before:
            group = file["model_weights/after/after/gru_cell"]
            (bias,) = (key for key in group if key.startswith("bias"))
            size = group[bias].shape[-1]
            del group[bias]
            group[bias] = numpy.zeros(size)
    model = saved.read_bytes(name, stream.getvalue(), names)
    found = {one for layer in model.layers for one in layer.unloadable if "without reset_after" in one.says}
    assert {one.era.major for one in found} == ({2, 3} if before else set())


def test_a_name_that_several_groups_have_is_none() -> None:
    stream = io.BytesIO()
    with h5py.File(stream, "w") as file:
        file["weights/one/lstm/kernel"] = numpy.zeros((2, 8))
        file["weights/two/gru/kernel"] = numpy.zeros((3, 6))
        file["weights/two/lstm/kernel"] = numpy.zeros((4, 8))
    shapes = StoredShapes(stream)
    assert shapes.under("weights", "gru") == [(3, 6)]
    assert shapes.under("weights/one", "lstm") == [(2, 8)]
    assert shapes.under("weights", "lstm") is None
    assert shapes.under("weights", "none") is None


@pytest.mark.parametrize("name", sorted(path.name for path in (FIXTURES / "saved").glob("k[23]_*.*")))
def test_nothing_is_said_of_files_as_keras_wrote_them(name: str, names: Names) -> None:
    path = FIXTURES / "saved" / name
    assert not said(name, path.read_bytes(), names)


def test_nothing_is_said_where_the_arguments_are_not_written(names: Names) -> None:
    assert not said("k3_plain.keras", with_change("k3_plain.keras", lambda config: config.pop("use_bias")), names)


@pytest.mark.parametrize("userblock", [0, 512])
@pytest.mark.parametrize("libver", [None, "v108", "latest"])
def test_shapes_are_those_that_h5py_sees(libver: str | None, userblock: int) -> None:
    stream = io.BytesIO()
    with h5py.File(stream, "w", libver=libver, userblock_size=userblock) as file:
        for number in range(300):
            file[f"layers/lstm_{number}/cell/vars/0"] = numpy.zeros((number + 1, 8))
            file[f"layers/lstm_{number}/cell/vars/1"] = numpy.float32(number)
    found = [StoredShapes(stream).under(f"layers/lstm_{number}/cell/vars") for number in (0, 7, 299)]
    wanted: list[Any] = [[(number + 1, 8), ()] for number in (0, 7, 299)]
    assert (
        found == wanted if libver is None else all(one in (None, two) for one, two in zip(found, wanted, strict=True))
    )
    assert StoredShapes(stream).under("layers/none/cell/vars") is None


class Counted(io.BytesIO):
    """A file that counts the bytes read from it."""

    count = 0

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(size)
        self.count += len(data)
        return data


def test_large_weights_cost_no_more_than_small_ones() -> None:
    counts = []
    for rows in (4, 400_000):
        stream = Counted()
        with h5py.File(stream, "w") as file:
            file["layers/lstm/cell/vars/0"] = numpy.zeros((rows, 16), "float32")
        stream.count = 0
        assert StoredShapes(stream).under("layers/lstm") == [(rows, 16)]
        counts.append(stream.count)
    assert counts[0] == counts[1]


def test_damaged_weights_are_never_a_crash() -> None:
    with zipfile.ZipFile(FIXTURES / "saved" / "k3_plain.keras") as archive:
        data = archive.read("model.weights.h5")
    read = 0
    for at in range(0, len(data), 7):
        broken = bytearray(data)
        broken[at] ^= 0x55
        try:
            StoredShapes(io.BytesIO(bytes(broken))).under("layers")
        except UnreadableInput:
            continue
        read += 1
    assert read


def test_a_group_that_holds_itself_has_no_shapes() -> None:
    stream = io.BytesIO()
    with h5py.File(stream, "w") as file:
        file["layers/lstm"] = file.require_group("layers")
    assert StoredShapes(stream).under("layers") is None
