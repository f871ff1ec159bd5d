"""Makes a whole model of a file of weights and of the architecture that another file holds. Runs in the worker."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import h5py

from cudnnlint.core.errors import Refused, UnreadableInput
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.tables import Tables
from cudnnlint.formats.archive import MEMBER as CONFIG
from cudnnlint.formats.archive import METADATA, open_contents
from cudnnlint.rewriters.saved.attach import listed
from cudnnlint.rewriters.saved.files import WEIGHTS, holds_weights, opened, text_of
from cudnnlint.rewriters.saved.fitting import must_be_claimed, must_be_whole
from cudnnlint.rewriters.saved.guards import copying, created, kind_of, reading, step_into
from cudnnlint.rewriters.saved.layer_tree import LayerPart, grow
from cudnnlint.rewriters.saved.layout import weight_places
from cudnnlint.rewriters.saved.weight_shapes import must_have_its_shapes, spell_as_stored

#: What stands beside the layers in a configuration.
_BESIDE = ("keras_version", "backend", "compile_config")


@dataclass(frozen=True)
class Architecture:
    """The layers of a model: their record; the Keras and the backend that wrote it, "" if not said."""

    record: dict[str, Any]
    version: str
    backend: str


def completed(weights: Path, architecture: Path, scratch: Path, newest: str, tables: Tables) -> list[str]:
    """Write the model that both files make together as `result` into `scratch`; return what had to be changed.

    `architecture` is a model file, or the JSON of `to_json()`. `newest` is the release that a Keras 3 configuration
    names that names none. Raises UnreadableInput for a file that cannot be read, Refused where they do not belong
    together: other layers, or weights of other shapes.
    """
    kind_of(weights)
    found = read(architecture, newest)
    with reading(weights), h5py.File(weights, "r") as file:
        if "model_config" in file.attrs:
            raise Refused("", "it holds its own configuration, so --config is not needed")
        if not holds_weights(file):
            raise UnreadableInput("it holds no weights of a Keras model")
    changes = _write(found, weights, scratch, tables)
    if changes:  # the layers are now those that the weights are of
        _write(found, weights, scratch, tables)
    with opened(scratch / "result", scratch, tables.names) as saved:
        must_be_claimed(saved.root)
        must_be_whole(saved.root)
        must_have_its_shapes(saved.root, saved.weights)
    return changes


def _write(found: Architecture, weights: Path, scratch: Path, tables: Tables) -> list[str]:
    """Write `result`; return a sentence for each layer that became what its weights are of, and put it into `found`."""
    result = scratch / "result"
    with copying(weights), h5py.File(weights, "r") as file:
        if "layers" in file or "_layer_checkpoint_dependencies" in file:
            _archive(found, weights, result)
        else:
            _flat(found, file, result)
    with opened(result, scratch, tables.names) as saved:
        changes = spell_as_stored(saved.root, saved.weights, tables.left_out)
        found.record.update(saved.root.record)
    return changes


def read(path: Path, newest: str) -> Architecture:
    """Return the architecture that a model file or a JSON text holds; raise UnreadableInput where it holds none."""
    if not path.is_file():
        raise UnreadableInput(f"{path.name} does not exist" if not path.exists() else f"{path.name} is no regular file")
    try:
        with path.open("rb") as stream:
            found = open_contents(stream)
    except UnreadableInput as error:
        raise UnreadableInput(f"{path.name}: {error.reason}", pointer=error.pointer) from None
    record = found.config
    if not isinstance(record, dict):
        raise UnreadableInput(f"{path.name}: {found.note or 'Its configuration is not a JSON object.'}")
    version = found.keras_version or (newest if "registered_name" in record else "")
    return Architecture({key: record[key] for key in record if key not in _BESIDE}, version, found.backend or "")


def _archive(found: Architecture, weights: Path, result: Path) -> None:
    """Write a `.keras` archive around the weights, which lie in folders as they do in one."""
    metadata = {"keras_version": found.version, **({"backend": found.backend} if found.backend else {})}
    with zipfile.ZipFile(result, "w") as archive:
        archive.writestr(METADATA, json.dumps(metadata))
        archive.writestr(CONFIG, json.dumps(found.record))
        archive.write(weights, WEIGHTS)


def _flat(found: Architecture, file: h5py.File, result: Path) -> None:
    """Write an `.h5` model whose `model_weights` are the groups of the file, one for each layer with weights."""
    group = step_into(file, "model_weights") if "model_weights" in file else file
    names = _names(grow(found.record), group)
    with created(result) as whole:
        version = found.version or text_of(group.attrs.get("keras_version", ""))
        backend = found.backend or text_of(group.attrs.get("backend", ""))
        record = {key: found.record[key] for key in ("class_name", "config")}
        for name, text in (("model_config", json.dumps(record)), ("keras_version", version), ("backend", backend)):
            if text:
                whole.attrs[name] = text
        made = whole.create_group("model_weights")
        for old, new in names:
            file.copy(step_into(group, old), made, name=new)
        made.attrs["layer_names"] = [new.encode() for _, new in names]


def _names(root: LayerPart, group: h5py.Group) -> list[tuple[str, str]]:
    """Pair the groups that hold weights with the layers that have some: by name, else in their order.

    In their order is what `load_weights` does (keras 3.15.1 and tf_keras 2.21, `load_weights_from_hdf5_group`).
    """
    stored = [name for name in listed(group, "layer_names") if listed(step_into(group, name), "weight_names")]
    wanted = [part.name for part in root.parts if weight_places(part) != []]
    if set(stored) <= set(wanted):
        return [(name, name) for name in stored]
    if len(stored) != len(wanted):
        raise Refused("", f"{len(stored)} layers have weights in it, but {len(wanted)} in the configuration")
    return list(zip(stored, wanted, strict=True))
