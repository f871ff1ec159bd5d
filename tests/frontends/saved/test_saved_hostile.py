"""Broken and hostile files: one sentence each, no other exception, no hang, no memory beyond the limits."""

from __future__ import annotations

import copy
import io
import json
import random
import struct
import time
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import pytest
from configurations import FIXTURES

from cudnnlint import pipeline
from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.file_limits import DEFAULT
from cudnnlint.core.layer import Model
from cudnnlint.core.names import Names
from cudnnlint.formats import sniff
from cudnnlint.frontends import saved
from cudnnlint.settings.settings import Flags

SAVED = FIXTURES / "saved"
ARCHIVES = [SAVED / name for name in ("k3_nested.keras", "k2_nested.keras", "k3_own.keras", "k2_masks.keras")]
HDF5 = [SAVED / name for name in ("k3_plain.h5", "k2_cudnn.h5", "k2_directions.h5")]
SOUND = b'{"class_name": "Sequential", "config": {"layers": [{"class_name": "LSTM", "config": {"units": 2}}]}}'


def zipped(**members: bytes) -> bytes:
    """An archive; "config" stands for config.json."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in members.items():
            made.writestr(f"{name}.json", data)
    return stream.getvalue()


def encrypted() -> bytes:
    """An archive whose members claim to be encrypted."""
    data = bytearray(zipped(config=SOUND))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1
    return bytes(data)


def lying() -> bytes:
    """An archive that says its member is small, and is not."""
    data = bytearray(zipped(config=b" " * (70 << 20) + SOUND))
    for mark, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = data.index(mark) + offset
        data[at : at + 4] = struct.pack("<I", 1000)
    return bytes(data)


def bzipped() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_BZIP2) as made:
        made.writestr("config.json", SOUND)
    return stream.getvalue()


BROKEN = {
    "empty": (b"", "empty"),
    "text": (b"hello", "Unknown file type"),
    "pointer": (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 3\n", "pointer"),
    "cut zip": (zipped(config=SOUND)[:-30], "zip archive is damaged"),
    "encrypted": (encrypted(), "encrypted"),
    "large member": (zipped(config=b" " * (70 << 20)), "more than 64 MB"),
    "lying member": (lying(), "zip archive is damaged|not JSON"),
    "bzip2": (bzipped(), "Keras does not use"),
    "not json": (zipped(config=b"{'a'"), "not JSON"),
    "no model": (zipped(config=b"[]"), "has no class name"),
    "number": (zipped(config=b"3"), "has no class name"),
    "bad metadata": (zipped(config=SOUND, metadata=b"\xff"), "not JSON"),
    "deep": (b'{"class_name": "A", "config": ' + b"[" * 500 + b"]" * 500 + b"}", "nested too deeply"),
    "very deep": (b'{"class_name": "A", "config": ' + b"[" * 100_000, "nested too deeply|not JSON"),
    "deep behind a string": (b'{"class_name": "]]]", "config": ' + b"[" * 100_000, "nested too deeply"),
    "many parts": (b'{"class_name": "A", "config": [' + b"[]," * 1_100_000 + b"1]}", "more parts"),
    "many layers": (
        b'{"class_name": "Sequential", "config": [' + b'{"class_name":"A","config":{}},' * 60_000 + b"1]}",
        "more than 20000 layers|has no class name",
    ),
    "surrogate": (b'{"class_name": "\\ud800", "config": 4}', "has no configuration"),
    "hdf5 head": (b"\x89HDF\r\n\x1a\n" + bytes(100), "HDF5 file is damaged"),
    "hdf5 signature": (b"\x89HDF\r\n\x1a\n", "HDF5 file is damaged"),
    "cut hdf5": ((FIXTURES / "saved" / "k3_plain.h5").read_bytes()[:9000], "cut off"),
}


@pytest.mark.parametrize("case", BROKEN, ids=str)
def test_what_is_broken_is_refused_in_one_sentence(case: str, names: Names) -> None:
    data, reason = BROKEN[case]
    with pytest.raises(UnreadableInput, match=reason) as caught:
        saved.read_bytes("x", data, names)
    assert caught.value.reason[0].isupper()
    assert caught.value.reason.endswith(".")
    assert "\n" not in caught.value.reason
    assert caught.value.pointer == (case == "pointer")


@pytest.mark.parametrize(
    ("data", "kind", "note"),
    [
        (zipped(other=b"1"), "keras", "not a Keras model"),
        (b'{"a": 1}', "config", "does not contain the configuration"),
        (b"[1, 2]", "config", "does not contain the configuration"),
        (b'"just a text"', "config", "not JSON"),
    ],
)
def test_what_is_sound_but_no_model_gets_a_note(data: bytes, kind: str, note: str, names: Names) -> None:
    if note == "not JSON":
        with pytest.raises(UnreadableInput, match=note):
            saved.read_bytes("x", data, names)
        return
    model = saved.read_bytes("x", data, names)
    assert (model.kind, model.layers) == (kind, ())
    assert note in model.notes[0]


@pytest.mark.parametrize("name", ["Reshape", "Permute", "Cropping1D", "LSTM", "Concatenate", "Dropout", "GetItem"])
@pytest.mark.parametrize("release", ["2.15.0", "3.15.1"])
def test_a_call_without_a_tensor_is_survived(name: str, release: str, names: Names) -> None:
    layers = [
        {"class_name": kind, "name": kind, "config": {"name": kind, "units": 2}, "inbound_nodes": [[], {"args": []}]}
        for kind in ("InputLayer", name)
    ]
    ends = {"input_layers": [["InputLayer", 0, 0]], "output_layers": [[name, 0, 0]]}
    model = {"class_name": "Functional", "config": {"name": "m", "layers": layers, **ends}, "keras_version": release}
    assert saved.read_bytes("x.json", json.dumps(model).encode(), names).kind == "config"


def sequence(config: dict[str, Any], shape: list[int | None], call: Any = None) -> dict[str, Any]:
    """Return a model of Keras 2 that gives an LSTM, with this configuration, a mask of two more dimensions."""
    layers = [
        {"class_name": "InputLayer", "name": "i", "config": {"name": "i", "batch_input_shape": shape},
         "inbound_nodes": []},
        {"class_name": "Masking", "name": "m", "config": {"name": "m"}, "inbound_nodes": [[["i", 0, 0, {}]]]},
        {"class_name": "LSTM", "name": "l", "config": {"name": "l", **config},
         "inbound_nodes": [[["i", 0, 0, {"mask": ["m", 0, 0]}]] if call is None else call]},
    ]  # fmt: skip
    ends = {"input_layers": [["i", 0, 0]], "output_layers": [["l", 0, 0]]}
    return {"class_name": "Functional", "config": {"name": "f", "layers": layers, **ends}, "keras_version": "2.15.0"}


@pytest.mark.parametrize(
    "model",
    [
        sequence({"units": [4]}, [None, 3, 4]),  # a list was put into a set
        sequence({"units": {"a": 1}}, [None, 3, 4, 5]),
        sequence({"units": 4, "kernel_initializer": {"class_name": ["Zeros"], "config": {"a": 1}}}, [None, 3, 4]),
        sequence({"units": 4, "kernel_initializer": {"class_name": {}, "config": {}}}, [None, 3, 4]),
        sequence({"units": 4}, [None, 3, 4], [["i", 0, 0, "initial_state"]]),  # no keyword arguments
        sequence({"units": 4}, [None, 3, 4], [["i", 0, 0, [1.5]]]),
    ],
)
def test_values_of_other_types_do_not_stop_the_program(model: dict[str, Any], names: Names, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    for release in ("2.15.0", "3.4.1"):
        path.write_text(json.dumps({**model, "keras_version": release}))
        outcome = pipeline.check(pipeline.Request((str(path),), Flags(target=("keras@3.15.1", "tensorflow@2.10"))))
        assert "CDN003" not in {one.code for one in outcome.report.diagnostics}


@pytest.mark.parametrize("name", ["segfault.h5", "hang.h5"])
def test_files_that_stop_the_hdf5_library_do_not_stop_this(name: str, names: Names) -> None:
    started = time.process_time()
    _attempt((FIXTURES / "hostile" / name).read_bytes(), names)
    assert time.process_time() - started < 2


def test_text_that_was_quoted_twice_is_read(names: Names) -> None:
    model = saved.read_bytes("x", json.dumps(SOUND.decode()).encode(), names)
    assert len(model.layers) == 1


def test_a_number_of_a_million_digits_takes_no_time(names: Names) -> None:
    started = time.process_time()
    model = saved.read_bytes("x", SOUND.replace(b"2", b"9" * 1_000_000), names)
    assert len(model.layers) == 1
    assert time.process_time() - started < 2


def test_names_can_be_printed(names: Names) -> None:
    data = SOUND.replace(b'{"units"', b'{"name": "a\\ud800b", "units"')
    (layer,) = saved.read_bytes("x", data, names).layers
    assert layer.name == "a?b"


def test_a_file_that_is_no_regular_file_is_not_opened(tmp_path: Path, names: Names) -> None:
    with pytest.raises(UnreadableInput, match="regular"):
        saved.read("/dev/zero", names)


@pytest.mark.parametrize("suffix", [".keras", ".h5"])
def test_a_large_file_costs_what_a_small_one_does(suffix: str, tmp_path: Path, names: Names) -> None:
    large = tmp_path / f"large{suffix}"
    data = (FIXTURES / "saved" / f"k3_nested{suffix}").read_bytes()
    with large.open("wb") as stream:  # a file with holes: two gigabytes that are nowhere
        if suffix == ".keras":
            stream.write(data[:4])
            stream.seek(2 << 30)
        stream.write(data)
        if suffix == ".h5":
            stream.truncate(2 << 30)
    tracemalloc.start()
    started = time.process_time()
    model = saved.read(str(large), names)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(model.layers) == 4
    assert time.process_time() - started < 3
    assert peak < 20 << 20


@pytest.mark.parametrize("path", [*ARCHIVES, *HDF5], ids=lambda path: path.name)
def test_overturned_bytes_never_stop_the_program(path: Path, names: Names) -> None:
    data = path.read_bytes()
    refused = 0
    for seed in range(100):
        refused += not _attempt(_overturned(data, random.Random(seed)), names)
    assert refused


@pytest.mark.parametrize("path", ARCHIVES, ids=lambda path: path.name)
def test_changed_configurations_never_stop_the_program(path: Path, names: Names) -> None:
    with zipfile.ZipFile(path) as made:
        config = json.loads(made.read("config.json"))
    read = 0
    for seed in range(60):
        draw = random.Random(seed)
        changed = json.loads(json.dumps(config))
        for _ in range(draw.choice((1, 1, 2, 5, 20))):
            _change(changed, draw)
        model = _attempt(json.dumps(changed).encode(), names)
        read += model is not None
        if model is not None:
            repr(model)
    assert 0 < read < 60


def _attempt(data: bytes, names: Names) -> Model | None:
    try:
        return saved.read_bytes("x", data, names)
    except UnreadableInput as error:
        reason = error.reason
    assert reason.endswith(".")
    return None


def _overturned(data: bytes, draw: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 4, 16))):
        near = min(4096, len(changed)) if draw.random() < 0.7 else len(changed)
        changed[draw.randrange(near)] = draw.choice((0, 255, 127, 128, draw.randrange(256)))
    return bytes(changed[: draw.randrange(len(changed))] if draw.random() < 0.1 else changed)


ODD: tuple[Any, ...] = (
    None, True, 0, -1, 1e308, 10**30, "", "LSTM", [], {}, [[]], "x" * 300, ["a", 0, 0], {"class_name": "LSTM"},
    {"class_name": "LSTM", "config": {}}, {"class_name": "Bidirectional", "config": {"layer": {}}},
)  # fmt: skip


def _change(value: Any, draw: random.Random) -> None:
    """Change one thing somewhere inside."""
    while isinstance(value, (dict, list)) and value:
        key = draw.choice(list(value) if isinstance(value, dict) else range(len(value)))
        part = value[key]
        if not isinstance(part, (dict, list)) or not part or draw.random() < 0.15:
            if draw.random() < 0.2:
                del value[key]
            else:
                value[key] = copy.deepcopy(draw.choice(ODD))
            return
        value = part


def test_the_limits_are_far_above_real_files() -> None:
    assert DEFAULT.config_bytes > 50 << 20
    assert DEFAULT.config_depth > 50


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"\x89HDF\r\n\x1a\n....", "h5"), (bytes(512) + b"\x89HDF\r\n\x1a\n", "h5"), (b"PK\x03\x04...", "keras"),
        (b'{"class_name": "Sequential"', "config"), (b'  "{\\"class_name\\": ', "config"), (b'{"cells": []', None),
        (b'{"cells": [], "nbformat": 4', "notebook"), (b'{\n "cells": [{"cell_type": "code"', "notebook"),
        (b'\xef\xbb\xbf{"nbformat": 4,', "notebook"), (b'{"data": {"nbformat": 4}}', None),
        (b"import keras", None), (b"", None),
    ],
)  # fmt: skip
def test_content_tells_the_kind(head: bytes, kind: str | None) -> None:
    assert sniff.content(head) == kind
