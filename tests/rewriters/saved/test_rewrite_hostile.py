"""Whatever the file: a result, Refused, or UnreadableInput. Never another exception, never a file left behind."""

from __future__ import annotations

import contextlib
import errno
import json
import random
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import h5py
import numpy
import pytest
from newest_releases import NEWEST
from saved_samples import NEW, OLD, TABLES

from cudnnlint.core.edit import CellToLayer, DropArgument, ReplaceClass, Unroll
from cudnnlint.core.errors import Refused, UnreadableInput
from cudnnlint.core.file_limits import Limits, held
from cudnnlint.rewriters.saved import convert, isolation
from cudnnlint.rewriters.saved.conversion import converted
from cudnnlint.rewriters.saved.guards import copying
from cudnnlint.rewriters.saved.steps import rewritten
from cudnnlint.rewriters.saved.worker import work

STRANGE: list[Any] = [
    None, [], {}, "x", -1, 0, 1e308, True, [[1]], {"class_name": "LSTM", "config": {}}, {"class_name": 3},
    "hard_sigmoid", ["a", 0, 0], ["a", 0, 0, {}], {"class_name": "__tuple__", "items": None}, "a/b", "",
    "Sequential", "Bidirectional",
]  # fmt: skip
STEPS = [
    DropArgument("use_bias"), DropArgument("unroll"), CellToLayer("LSTM"), Unroll(("LSTM", "LSTM")),
    ReplaceClass("CuDNNLSTM", "LSTM"),
]  # fmt: skip
OLD_ARCHIVE = OLD[0].parents[1] / "k2_plain.keras"
PATHS = ["lstm", "lstm_1", "rnn", "one", "three", "biasless", "ways/forward_both", "inner/cu_dnngru", "cu_dnnlstm"]


def places(found: Any, into: list[Any]) -> list[Any]:
    """Every (container, key) in a JSON value."""
    keys = found if isinstance(found, dict) else range(len(found)) if isinstance(found, list) else ()
    for key in keys:
        into.append((found, key))
        places(found[key], into)
    return into


def mutated(found: Any, draw: random.Random) -> Any:
    """The value with up to three places replaced, removed or copied over one another."""
    for _ in range(draw.randint(1, 3)):
        where = places(found, [])
        if not where:
            return found
        container, key = draw.choice(where)
        way = draw.random()
        if way < 0.6:
            container[key] = json.loads(json.dumps(draw.choice(STRANGE)))
        elif way < 0.8:
            del container[key]
        else:
            other, at = draw.choice(where)
            container[key] = json.loads(json.dumps(other[at]))
    return found


def damaged(source: Path, target: Path, draw: random.Random) -> None:
    """A copy of a sample with a configuration, an attribute or a dataset that is not what it should be."""
    if source.suffix == ".keras":
        with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
            for member in old.namelist():
                content = old.read(member)
                if member == "config.json":
                    content = json.dumps(mutated(json.loads(content), draw)).encode()
                if draw.random() > 0.05:
                    new.writestr(member, content)
        return
    shutil.copy(source, target)
    with h5py.File(target, "r+") as file:
        if draw.random() < 0.75:
            file.attrs["model_config"] = json.dumps(mutated(json.loads(file.attrs["model_config"]), draw))
            return
        weights = file["model_weights"]
        inside: list[str] = []
        weights.visit(inside.append)
        at = draw.choice(inside)
        if draw.random() < 0.5 and weights[at].attrs:
            weights[at].attrs[draw.choice(list(weights[at].attrs))] = draw.choice([1, "x", [b"a", b"b"], [1, 2]])
        else:
            del weights[at]
            weights[at] = draw.choice([1.0, [1.0, 2.0], [[1.0, 2.0], [3.0, 4.0]], "text"])


@pytest.mark.parametrize("seed", range(200))
def test_a_damaged_configuration_never_raises_anything_else(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    source = draw.choice(OLD + NEW)
    broken = tmp_path / f"broken{source.suffix}"
    damaged(source, broken, draw)
    with contextlib.suppress(Refused, UnreadableInput):
        if draw.random() < 0.7:
            converted(broken, tmp_path, draw.choice(["h5", "keras"]), draw.choice([2, 3]), NEWEST, TABLES)
        else:
            rewritten(broken, tmp_path, source.suffix[1:], [(draw.choice(PATHS), draw.choice(STEPS))], TABLES)


def test_a_text_that_claims_gigabytes_does_not_get_them(tmp_path: Path) -> None:
    broken = tmp_path / "broken.h5"
    with h5py.File(OLD[0]) as old, h5py.File(broken, "w") as new:
        for attribute in old.attrs:
            new.attrs[attribute] = old.attrs[attribute]
        old.copy("model_weights", new)
        texts = h5py.string_dtype()
        new.create_group("optimizer_weights").attrs.create("weight_names", ["x" * 7919], dtype=texts)
    claimed = broken.read_bytes().replace((7919).to_bytes(4, "little"), (0xF0000000).to_bytes(4, "little"))
    broken.write_bytes(claimed)
    job = {"job": "convert", "keras": 3, "newest": NEWEST, "kind": "h5"}
    said = work({**job, "source": str(broken), "scratch": str(tmp_path)})["unreadable"]
    assert "damaged" in said
    if sys.platform == "linux":  # elsewhere a process is not held to a limit
        assert "memory" in said


@pytest.mark.parametrize("seed", range(12))
def test_flipped_bytes_are_survived(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    source = draw.choice(OLD + NEW)
    content = bytearray(source.read_bytes())
    for _ in range(draw.randint(1, 20)):
        content[draw.randrange(len(content))] = draw.randrange(256)
    broken = tmp_path / f"broken{source.suffix}"
    broken.write_bytes(bytes(content[: draw.choice([len(content), len(content) // 2])]))
    try:
        convert(broken, tmp_path / "new.keras", NEWEST)
    except (Refused, UnreadableInput):
        assert not (tmp_path / "new.keras").exists()
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_a_worker_that_loops_is_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(isolation, "PACE", 1e12)
    with held(Limits(rewrite_seconds=0)), pytest.raises(UnreadableInput, match="damaged"):
        convert(OLD[0], tmp_path / "new.keras", NEWEST)
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_the_current_folder_is_no_module_of_the_worker(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("warnings", "numpy", "cudnnlint"):
        (tmp_path / f"{name}.py").write_text("open('it_ran', 'w').close()\nraise SystemExit(3)\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", "")
    convert(OLD[0], Path("new.keras"), NEWEST)
    assert (tmp_path / "new.keras").is_file()
    assert not (tmp_path / "it_ran").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows bounds no processor time")
def test_a_worker_may_compute_for_a_second_and_no_longer() -> None:
    bound = "from cudnnlint.rewriters.saved.bounds import bound_processor_time as bound\nbound(1)\nwhile True: pass"
    done = subprocess.run([sys.executable, "-c", bound], timeout=60, check=False)
    assert done.returncode == -signal.SIGXCPU


def h5(path: Path, layers: list[dict[str, Any]]) -> h5py.File:
    file = h5py.File(path, "w")
    file.attrs["keras_version"] = "2.2.4"
    file.attrs["model_config"] = json.dumps({"class_name": "Sequential", "config": {"name": "s", "layers": layers}})
    file.create_group("model_weights").attrs["layer_names"] = [layer["config"]["name"].encode() for layer in layers]
    return file


DENSE = {"class_name": "Dense", "config": {"name": "d", "units": 2, "batch_input_shape": [None, 2], "use_bias": False}}


@pytest.mark.parametrize("kind", ["soft", "external", "outside", "virtual", "bomb"])
def test_a_dataset_that_lies_elsewhere_is_not_followed(kind: str, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"\0" * 16)
    with h5(tmp_path / "trap.h5", [DENSE]) as file:
        group = file.create_group("model_weights/d")
        group.attrs["weight_names"] = [b"kernel:0"]
        if kind == "soft":
            group["kernel:0"] = h5py.SoftLink("/elsewhere")
        elif kind == "external":
            group["kernel:0"] = h5py.ExternalLink("other.h5", "/w")
        elif kind == "outside":
            group.create_dataset("kernel:0", (2, 2), "f4", external=[(str(tmp_path / "secret"), 0, 16)])
        elif kind == "virtual":
            layout = h5py.VirtualLayout((2, 2), "f4")
            layout[:] = h5py.VirtualSource("other.h5", "w", (2, 2))
            group.create_virtual_dataset("kernel:0", layout)
        else:
            group.create_dataset("kernel:0", (1 << 20, 1 << 20), "f4", chunks=(1024, 1024), compression="gzip")
    with pytest.raises(UnreadableInput):
        converted(tmp_path / "trap.h5", tmp_path, "keras", 3, NEWEST, TABLES)


def test_a_configuration_of_a_thousand_levels_is_turned_away(tmp_path: Path) -> None:
    with h5(tmp_path / "deep.h5", [DENSE]) as file:
        file.attrs["model_config"] = "[" * 5000 + "]" * 5000
    with pytest.raises(UnreadableInput, match="nested too deeply"):
        converted(tmp_path / "deep.h5", tmp_path, "keras", 3, NEWEST, TABLES)


def test_a_zip_bomb_is_turned_away(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.keras", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("config.json", "{}")
        with archive.open("model.weights.h5", "w") as member:
            for _ in range(300):
                member.write(bytes(1 << 20))
    with pytest.raises(UnreadableInput, match="bomb"):
        converted(tmp_path / "bomb.keras", tmp_path, "keras", 3, NEWEST, TABLES)


def test_long_lists_of_names_are_cut_as_keras_cuts_them(tmp_path: Path) -> None:
    layers = [{"class_name": "Dense", "config": {"name": f"{'d' * 200}_{index}", "units": 1}} for index in range(400)]
    layers[0]["config"]["batch_input_shape"] = [None, 1]
    with h5(tmp_path / "wide.h5", layers) as file:
        del file["model_weights"].attrs["layer_names"]
        for layer in layers:
            group = file.create_group(f"model_weights/{layer['config']['name']}")
            group.attrs["weight_names"] = [b"kernel:0", b"bias:0"]
            group["kernel:0"], group["bias:0"] = numpy.ones((1, 1), "f4"), numpy.ones(1, "f4")
    converted(tmp_path / "wide.h5", tmp_path, "h5", 3, NEWEST, TABLES)
    with h5py.File(tmp_path / "result") as file:
        attributes = file["model_weights"].attrs
        names = [name for key in ("layer_names0", "layer_names1") for name in attributes[key]]
        assert len(names) == len(layers)
        assert "layer_names" not in attributes


@pytest.mark.parametrize("source", [NEW[0], OLD[0]], ids=lambda path: path.name)
def test_a_full_disk_is_not_the_fault_of_the_file(
    source: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("shutil.copyfileobj", full)
    with pytest.raises(OSError, match="No space"):
        converted(source, tmp_path, "keras", 3, NEWEST, TABLES)


def test_hdf5_tells_a_full_disk_in_words() -> None:
    with pytest.raises(OSError, match="No space") as fault, copying(OLD[0]):
        raise RuntimeError("file write failed: errno = 28, error message = 'No space left on device'")
    assert fault.value.errno == errno.ENOSPC


@pytest.mark.parametrize("kind", [KeyError, ValueError, RuntimeError, OSError])
def test_damage_that_is_met_while_copying_is_the_fault_of_the_file(kind: type[Exception]) -> None:
    with pytest.raises(UnreadableInput, match="cannot be copied"), copying(OLD[0]):
        raise kind("Unable to synchronously open object (actual len exceeds EOA)")


@pytest.mark.parametrize("member", ["config.json", "metadata.json", "model.weights.h5", "assets/words.txt"])
@pytest.mark.parametrize("way", ["damaged", "bzip2"])
def test_a_member_that_cannot_be_unpacked_is_the_fault_of_the_file(member: str, way: str, tmp_path: Path) -> None:
    broken = tmp_path / "broken.keras"
    with zipfile.ZipFile(OLD_ARCHIVE) as old, zipfile.ZipFile(broken, "w", zipfile.ZIP_DEFLATED) as new:
        members = {name: old.read(name) for name in old.namelist()} | {"assets/words.txt": b"a word " * 100}
        for name, content in members.items():
            new.writestr(name, content, zipfile.ZIP_BZIP2 if (name, way) == (member, "bzip2") else None)
        start = new.getinfo(member).header_offset + 30 + len(member)
        size = new.getinfo(member).compress_size
    if way == "damaged":
        data = bytearray(broken.read_bytes())
        data[start : start + size] = b"\xff" * size
        broken.write_bytes(bytes(data))
    job = {"job": "convert", "keras": 3, "newest": NEWEST, "source": str(broken), "scratch": str(tmp_path)}
    assert "unreadable" in work({**job, "kind": "keras"})


def test_a_name_that_is_not_utf_8_is_the_fault_of_the_file(tmp_path: Path) -> None:
    with zipfile.ZipFile(OLD_ARCHIVE) as old:
        weights = tmp_path / "model.weights.h5"
        weights.write_bytes(old.read("model.weights.h5"))
    with h5py.File(weights, "r+") as file:
        file.create_group(b"\xff\xfe")
    with zipfile.ZipFile(OLD_ARCHIVE) as old, zipfile.ZipFile(tmp_path / "broken.keras", "w") as new:
        for name in old.namelist():
            new.writestr(name, weights.read_bytes() if name == weights.name else old.read(name))
    with pytest.raises(UnreadableInput, match="not text"):
        converted(tmp_path / "broken.keras", tmp_path, "keras", 3, NEWEST, TABLES)


def test_a_fault_of_ours_is_not_blamed_on_the_file() -> None:
    with pytest.raises(KeyError), copying(OLD[0]):
        raise KeyError("kernel")


def test_what_the_worker_cannot_write_is_an_error_of_the_system(tmp_path: Path) -> None:
    job = {"job": "convert", "keras": 3, "newest": NEWEST, "source": str(OLD[0]), "kind": "keras"}
    assert "unwritten" in work({**job, "scratch": str(tmp_path / "none")})
