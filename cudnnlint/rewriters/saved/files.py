"""Opens a saved model and writes one: both containers, whole or not at all."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import field
from pathlib import Path
from typing import Any

import h5py

from cudnnlint.core.errors import Refused, UnreadableInput
from cudnnlint.core.file_limits import in_force
from cudnnlint.core.names import Names
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.formats.archive import MEMBER as CONFIG
from cudnnlint.formats.archive import METADATA
from cudnnlint.frontends.serialized import tree
from cudnnlint.rewriters.saved.attach import attach_folders, attach_names
from cudnnlint.rewriters.saved.guards import check_members, copying, created, kind_of, parse, reading
from cudnnlint.rewriters.saved.layer_tree import LayerPart, grow
from cudnnlint.rewriters.saved.members import add_member, copy_members
from cudnnlint.rewriters.saved.sharing import find_twins
from cudnnlint.rewriters.saved.store import unmoved, write_folders, write_names, write_optimizer

_WEIGHTS_ONLY = (
    "it holds weights only (it has no model_config). Name the file that holds the layers, the JSON of to_json() or a "
    "model of the same layers: --config FILE. If they are defined in code alone: build that model, with LSTM and GRU "
    "for CuDNNLSTM and CuDNNGRU, let load_weights() of tf_keras read them, and save() the model"
)
_NO_MODEL = "it is not a Keras model: it has no model_config"
#: The list of layers, or the first part of a long one (`hdf5_format.py`).
_LISTS = ("layer_names", "layer_names0")
WEIGHTS = "model.weights.h5"


@dataclass
class Saved:
    """A saved model, opened for reading; `conversion` and `steps` edit `root` and the three records.

    `kind` is "keras" or "h5", `keras` the generation (2 or 3) and `version` the release that wrote it.
    `metadata` is metadata.json, or the HDF5 attributes keras_version and backend.
    `training` is what compile() was given (compile_config, training_config), None if nothing is kept.
    `weights` is the weights file (of a `.keras`: unpacked), `archive` the `.keras` itself; `consumed` are members of
    it whose content has gone into the configuration.
    """

    path: Path
    kind: str
    keras: int
    version: str
    root: LayerPart
    metadata: dict[str, Any]
    training: dict[str, Any] | None
    weights: h5py.File
    archive: zipfile.ZipFile | None = None
    consumed: set[str] = field(default_factory=set)

    @property
    def extra(self) -> list[str]:
        """The members of the archive beside the three that every `.keras` file has (assets)."""
        members = [] if self.archive is None else self.archive.namelist()
        own = {CONFIG, METADATA, WEIGHTS, *self.consumed}
        return [name for name in members if name not in own and not name.endswith("/")]


@contextmanager
def opened(path: Path, scratch: Path, names: Names) -> Iterator[Saved]:
    """Open a saved model; the weights of a `.keras` file are unpacked into the folder `scratch`.

    What the front end cannot read is turned away here, in the same words.
    """
    kind = kind_of(path)
    with ExitStack() as stack:
        with reading(path):
            saved = _open_keras(path, scratch, stack, names) if kind == "keras" else _open_h5(path, stack, names)
        yield saved


def _open_keras(path: Path, scratch: Path, stack: ExitStack, names: Names) -> Saved:
    archive = stack.enter_context(zipfile.ZipFile(path))
    check_members(archive)
    members = archive.namelist()
    if CONFIG not in members:
        raise UnreadableInput(f"the archive has no {CONFIG}")
    if WEIGHTS not in members:
        raise UnreadableInput(f"the archive has no {WEIGHTS}")
    entry = parse(_member(archive, CONFIG), CONFIG)
    metadata = parse(_member(archive, METADATA), METADATA) if METADATA in members else {}
    with archive.open(WEIGHTS) as packed, (scratch / WEIGHTS).open("wb") as unpacked:
        shutil.copyfileobj(packed, unpacked, 1 << 20)
    weights = stack.enter_context(h5py.File(scratch / WEIGHTS, "r"))
    version = str(metadata.get("keras_version", ""))
    keras = _generation(version)
    root = _grown(entry, names)
    attach_folders(root, keras, weights)
    training = entry.get("compile_config")
    training = training if isinstance(training, dict) and training.get("optimizer") else None
    return Saved(path, "keras", keras, version, _model(root), metadata, training, weights, archive)


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    with archive.open(name) as stream:
        return stream.read(in_force().config_bytes + 1)


def _open_h5(path: Path, stack: ExitStack, names: Names) -> Saved:
    file = stack.enter_context(h5py.File(path, "r"))
    if "model_config" not in file.attrs:
        raise UnreadableInput(_WEIGHTS_ONLY if holds_weights(file) else _NO_MODEL)
    if "model_weights" not in file:
        raise UnreadableInput("the file holds no model_weights")
    root = _grown(parse(text_of(file.attrs["model_config"]), "model_config"), names)
    attach_names(root, file)
    metadata = {name: text_of(file.attrs[name]) for name in ("keras_version", "backend") if name in file.attrs}
    kept = file.attrs.get("training_config")
    training = None if kept is None else parse(text_of(kept), "training_config")
    version = metadata.get("keras_version", "")
    return Saved(path, "h5", _generation(version), version, _model(root), metadata, training, file)


def _grown(record: dict[str, Any], names: Names) -> LayerPart:
    tree.grow(record, names)
    root = grow(record)
    find_twins(root)
    return root


def holds_weights(file: h5py.File) -> bool:
    """Return whether a file without a configuration holds the weights of a Keras model, in folders or flat."""
    flat = any(name in group.attrs for group in (file, file.get("model_weights", file)) for name in _LISTS)
    return flat or "layers" in file or "_layer_checkpoint_dependencies" in file


def text_of(value: Any) -> str:
    """Return an attribute's text; raise UnreadableInput where it holds something else."""
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, str):
        return value
    raise UnreadableInput("an attribute that should be text is not")


UNDATED = (
    "no keras_version says which Keras wrote it, and the defaults of its layers depend on that; where the layers are a "
    'JSON for --config, add "keras_version" to it, the release that saved the model'
)


def _generation(version: str) -> int:
    first = version.partition(".")[0]
    if first == "1":
        reason = f"it was written by Keras {version}: load it in the first Keras 2, which still reads it, and save it"
        raise Refused("", reason)
    if first not in ("2", "3"):
        raise Refused("", f"it was written by Keras {version}" if version else UNDATED)
    return int(first)


def _model(root: LayerPart) -> LayerPart:
    if not root.is_model:
        raise Refused("", f"{root.class_name} is a class of your own: the file does not show its layers")
    return root


def write(saved: Saved, scratch: Path, kind: str, changed: bool) -> None:
    """Write the model as `result` into the folder `scratch`, in the container `kind`; not `changed`: byte for byte."""
    result = scratch / "result"
    with copying(saved.path):
        if not changed:
            shutil.copyfile(saved.path, result)
        elif kind == "h5":
            _write_h5(saved, result)
        else:
            _write_keras(saved, scratch, result)
        shutil.copymode(saved.path, result)


def _write_h5(saved: Saved, result: Path) -> None:
    with created(result) as file:
        if saved.kind == "h5":
            for name in saved.weights.attrs:
                file.attrs[name] = saved.weights.attrs[name]
            for name in saved.weights:
                if name not in ("model_weights", "optimizer_weights"):
                    saved.weights.copy(name, file)
        entry = {key: saved.root.record[key] for key in ("class_name", "config")}
        _set_text(file, {"model_config": json.dumps(entry), **saved.metadata})
        _set_text(file, {"training_config": None if saved.training is None else json.dumps(saved.training)})
        group = _weights_group(saved, file)
        write_names(saved.root, saved.weights, group, ":0" if saved.keras == 2 else "")
        write_optimizer(saved.root, saved.weights, file)


def _weights_group(saved: Saved, file: h5py.File) -> h5py.Group:
    group = file.create_group("model_weights")
    old = saved.weights["model_weights"] if saved.kind == "h5" else None
    if old is not None:
        for name in old.attrs:
            group.attrs[name] = old.attrs[name]
        if "top_level_model_weights" in old:
            saved.weights.copy(old["top_level_model_weights"], group)
    _set_text(group, {name: saved.metadata[name] for name in ("keras_version", "backend") if name in saved.metadata})
    return group


def _set_text(group: h5py.Group, texts: dict[str, str | None]) -> None:
    for name, text in texts.items():
        if text is None:
            group.attrs.pop(name, None)
        elif name not in group.attrs or group.attrs[name] != text:
            group.attrs[name] = text


def _write_keras(saved: Saved, scratch: Path, result: Path) -> None:
    fresh = scratch / "weights"
    same = saved.kind == "keras" and unmoved(saved.root, saved.keras)
    if not same:
        with created(fresh) as file:
            write_folders(saved.root, saved.keras, saved.weights, file)
    entry = {key: found for key, found in saved.root.record.items() if key != "compile_config"}
    if saved.training is not None:
        entry["compile_config"] = saved.training
    changed: dict[str, bytes | Path] = {} if same else {WEIGHTS: fresh}
    for name, record in ((METADATA, saved.metadata), (CONFIG, entry)):
        if saved.archive is None or parse(_member(saved.archive, name), name) != record:
            changed[name] = json.dumps(record).encode()
    with zipfile.ZipFile(result, "w") as archive:
        if saved.archive is None:
            for name in (METADATA, CONFIG, WEIGHTS):
                add_member(archive, zipfile.ZipInfo(name), changed[name])
        else:
            copy_members(saved.archive, archive, changed, saved.consumed)
