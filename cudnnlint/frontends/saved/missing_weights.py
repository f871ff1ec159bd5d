"""Layers whose weights a file lacks: a save that was cut off, or a file that was edited.

Each layer of the outermost model has a group of its own for all its weights, in both kinds of files. Keras counts them
(HDF5), or asks each layer for its own (`.keras`), and stops where some are missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from cudnnlint.core.load_fault import LoadFault
from cudnnlint.core.names import Names
from cudnnlint.formats.archive import ModelContents
from cudnnlint.formats.stored_weights_file import is_damaged, weights_of
from cudnnlint.frontends.saved.hints import release_of
from cudnnlint.frontends.saved.stored_weights import folders
from cudnnlint.frontends.saved.weighted_layers import WEIGHTED
from cudnnlint.frontends.serialized.tree import Node, Role

KIND = "missing-weights"
#: The group of all weights of layers, by the kind of the file.
ABOVE = {"h5": "model_weights", "keras": "layers"}
OF_MODEL = "top_level_model_weights"
#: What has weights only with some arguments, or with some cells.
DEPENDS = frozenset({"LayerNormalization", "RNN"})
NONE = "This archive has no weights, so Keras does not load it; the layers are those of its configuration."
DAMAGED = (
    "The weights in this archive are damaged, so Keras does not load it; the layers are those of its configuration."
)
NO_GROUP = "This file has no weights, so Keras does not load it; the layers are those of its configuration."


def remarks(contents: ModelContents, stream: BinaryIO) -> tuple[str, ...]:
    """Return what is said of a file that has no weights at all, and is judged by its configuration alone."""
    if contents.kind == "keras":
        return (NONE,) if not contents.weights else (DAMAGED,) * is_damaged(stream)
    weights = weights_of(stream, "h5") if contents.kind == "h5" else None
    return (NO_GROUP,) if weights is not None and weights.lacks(ABOVE["h5"]) else ()


def missing_faults(
    root: Node, contents: ModelContents, stream: BinaryIO, names: Names, major: int | None
) -> Iterator[LoadFault]:
    """Yield what the rows say of the first layer whose weights are not in a file that has those of other layers."""
    rows = [row for row in names.load_faults if row.kind == KIND and contents.kind in row.formats]
    release = release_of(contents)
    if release is None or release.major < 2 or root.own:
        return
    groups = list(_groups(root, contents.kind))
    weights = weights_of(stream, contents.kind) if rows and groups else None
    stored = None if weights is None else weights.filled(ABOVE[contents.kind])
    if not stored or not set(stored) <= {OF_MODEL, *(group for _, group in groups)}:
        return  # a model that was not built has none; layers may have got other names, and Keras goes by their order
    found = next((node for node, group in groups if group not in stored and _has_weights(node)), None)
    if found is not None:
        yield from (row.naming(found.name) for row in rows if row.anywhere or major in (None, row.era.major))


def _groups(root: Node, kind: str) -> Iterator[tuple[Node, str]]:
    """Yield the layers of a model, each with the name of its group."""
    by_class = folders([node.entry for node in root.children])
    for node, folder in zip(root.children, by_class, strict=True):
        yield node, folder if kind == "keras" else node.entry.name or ""


def _has_weights(node: Node) -> bool:
    """Return whether a layer, or one that it holds, has weights whatever its arguments are."""
    if node.own:
        return False
    if node.children and node.role is not Role.RECURRENT:
        return any(_has_weights(child) for child in node.children)
    return node.keras in WEIGHTED - DEPENDS
