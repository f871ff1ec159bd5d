"""The saved-model front end: `.keras`, HDF5, configuration JSON and SavedModel folders become layers of facts.

Nothing of a model is executed or unpickled, and no weight is read. See archive (getting at the configuration),
tree, connections, trace and masks (what reaches each layer), lower and layers (facts), savedmodel (graphs).
"""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Mapping
from typing import Any, BinaryIO

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.fact import Fact, Known
from cudnnlint.core.layer import Model
from cudnnlint.core.masking import on_mask
from cudnnlint.core.names import Names
from cudnnlint.core.place import SavedPlace
from cudnnlint.frontends.saved.archive import Contents, open_contents, sniff
from cudnnlint.frontends.saved.hints import file_hints
from cudnnlint.frontends.saved.layers import assemble
from cudnnlint.frontends.saved.masks import is_op
from cudnnlint.frontends.saved.tree import MODELS, Node, Role, grow

__all__ = ["read", "read_bytes", "sniff"]


def read(path: str, names: Names) -> Model:
    """The recurrent layers of the file, or the SavedModel folder, at `path`.

    Raises UnreadableInput with the reason for anything that is broken, and OSError if it cannot be opened.
    """
    if os.path.isdir(path):
        from cudnnlint.frontends.saved.savedmodel import read_folder

        return read_folder(path)
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UnreadableInput("It is not a regular file.")
        return _model(path, stream, names)


def read_bytes(path: str, data: bytes, names: Names) -> Model:
    """The same for a file that is in memory, such as standard input; `path` is only its name."""
    return _model(path, io.BytesIO(data), names)


def _model(path: str, stream: BinaryIO, names: Names) -> Model:
    contents = open_contents(stream)
    hints = file_hints(contents)
    if contents.note is not None:
        return Model(path, contents.kind, hints=hints, notes=(contents.note,))
    try:
        root = grow(contents.config, names)
        layers = assemble(root, path, names, hints.keras_major, _compiled(contents, path))
    except RecursionError:
        raise UnreadableInput("Its configuration is nested too deeply.") from None
    return Model(path, contents.kind, layers, hints, notes(root))


def _compiled(contents: Contents, path: str) -> Mapping[str, Fact]:
    """What the model was compiled with, as far as it concerns how it runs."""
    compiled = contents.config.get("compile_config") if isinstance(contents.config, dict) else None
    if not isinstance(compiled, dict):
        return {}
    facts: dict[str, Any] = {"jit_compile": compiled.get("jit_compile"), "eager": compiled.get("run_eagerly")}
    wanted = {"jit_compile": (True, False, "auto"), "eager": (True,)}
    places = {"jit_compile": "jit_compile", "eager": "run_eagerly"}
    return {
        key: Known(value, SavedPlace(path, "", f"compile_config.{places[key]}"))
        for key, value in facts.items()
        if isinstance(value, (bool, str)) and value in wanted[key]
    }


def notes(root: Node) -> tuple[str, ...]:
    """A sentence for each class whose code is not in the file: it may hold recurrent layers that nobody can see."""
    unseen = [node.entry.own_name for node in root.walk() if not node.children and _is_foreign(node)]
    return tuple(
        f"{name} is a class of your own; recurrent layers that its code makes are not in the file."
        for name in dict.fromkeys(unseen)
    )


def _is_foreign(node: Node) -> bool:
    if node.role is Role.OWN:
        return True
    known = node.keras in MODELS or is_op(node.entry) or any(on_mask(node.keras or "", major) for major in (2, 3))
    return node.role is Role.KERAS and node.entry.module is None and not known
