"""The saved-model front end: `.keras`, HDF5, configuration JSON and SavedModel folders become layers of facts.

Nothing of a model is executed or unpickled, and of weights the shapes alone are read. See archive (getting at the
configuration), tree, connections, trace and masks (what reaches each layer), lower and layers (facts), savedmodel
(graphs), stored_weights.
"""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Mapping
from typing import BinaryIO

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.fact import Fact, Known
from cudnnlint.core.layer import Model
from cudnnlint.core.names import Names
from cudnnlint.core.place import SavedPlace
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.formats.archive import ModelContents, open_contents
from cudnnlint.frontends.saved.hints import file_hints
from cudnnlint.frontends.saved.layers import assemble
from cudnnlint.frontends.saved.load_faults import beside, load_faults
from cudnnlint.frontends.saved.missing_weights import missing_faults, remarks
from cudnnlint.frontends.saved.other_generation import unproved
from cudnnlint.frontends.saved.remarks import notes
from cudnnlint.frontends.saved.scope_names import facts as scopes
from cudnnlint.frontends.saved.stored_weights import weight_faults
from cudnnlint.frontends.serialized.tree import grow

__all__ = ["read", "read_bytes", "read_stream"]

#: Surrounding, the argument of compile() that sets it, and the values that say something.
COMPILED = (("jit_compile", "jit_compile", (True, False, "auto")), ("eager", "run_eagerly", (True,)))


def read(path: str, names: Names) -> Model:
    """Return the recurrent layers of the file, or the SavedModel folder, at `path`.

    Raises UnreadableInput with the reason for anything that is broken, and OSError if it cannot be opened.
    """
    if os.path.isdir(path):
        from cudnnlint.frontends.saved.savedmodel import read_folder

        return read_folder(path, names)
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UnreadableInput("Not a regular file, such as a pipe.")
        return _model(path, stream, names)


def read_bytes(path: str, data: bytes, names: Names) -> Model:
    """Return the recurrent layers of a file that is in memory, such as standard input; `path` is only its name."""
    return _model(path, io.BytesIO(data), names)


def read_stream(path: str, stream: BinaryIO, names: Names) -> Model:
    """Return the recurrent layers of an open file, of which only its configuration is read; `path` is its name."""
    return _model(path, stream, names)


def _model(path: str, stream: BinaryIO, names: Names) -> Model:
    contents = open_contents(stream)
    hints = file_hints(contents, names.milestones)
    if contents.note is not None:
        return Model(path, contents.kind, hints=hints, notes=(contents.note,))
    root = grow(contents.config, names)
    faults = load_faults(root, contents, names, hints.keras_major)
    for look in (weight_faults, missing_faults):
        faults += tuple(look(root, contents, stream, names, hints.keras_major))
    doubt = unproved(root, contents, names, hints.keras_major)
    model = {**_compiled(contents, path), **scopes(root, path, names)}
    layers, graph = assemble(root, path, names, hints.keras_major, model, doubt)
    layers = tuple(replace(layer, unloadable=beside(layer, faults)) for layer in layers) if faults else layers
    layers = tuple(replace(layer, unproved=doubt) for layer in layers) if doubt is not None else layers
    lacking = remarks(contents, stream)
    return Model(path, contents.kind, layers, hints, (*lacking, *notes(root, names)), graph=graph)


def _compiled(contents: ModelContents, path: str) -> Mapping[str, Fact]:
    """Return what the model was compiled with, as far as it concerns how it runs."""
    compiled = contents.config.get("compile_config") if isinstance(contents.config, dict) else None
    if not isinstance(compiled, dict):
        return {}
    given = ((fact, key, compiled.get(key), wanted) for fact, key, wanted in COMPILED)
    return {
        fact: Known(value, SavedPlace(path, "", f"compile_config.{key}"))
        for fact, key, value, wanted in given
        if isinstance(value, (bool, str)) and value in wanted
    }
