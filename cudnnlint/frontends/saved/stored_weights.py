"""The stored weights of the recurrent layers in a file, held against what its configuration needs.

A `.keras` archive keeps them by folders that follow the tree of layers (keras 3.15.1 `saving_lib.py`, and tf_keras):
`layers/<class in snake case>[_k]/...`. An HDF5 file has a group for each layer of the outermost model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import BinaryIO

from cudnnlint.core.load_fault import LoadFault
from cudnnlint.core.names import Names
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.formats.archive import ModelContents
from cudnnlint.formats.stored_weights_file import weights_of
from cudnnlint.frontends.saved.hints import release_of
from cudnnlint.frontends.serialized.entry import Entry, entry, held, is_entry
from cudnnlint.frontends.serialized.tree import Node, Role
from cudnnlint.keras.naming import snake_case
from cudnnlint.keras.recurrent_weights import CONVOLUTIONAL, Shape, beside, is_assumed, weight_shapes

#: Weights that no release takes, and those that a release without the file's default of `reset_after` does not take.
ALWAYS, BY_DEFAULT = "weight-shapes", "weight-shapes-by-default"
KINDS = (ALWAYS, BY_DEFAULT)
STACK = "StackedRNNCells"
#: What has no weights of a CuDNN layer.
NEVER_CUDNN = CONVOLUTIONAL | {"RNN"}


@dataclass(frozen=True)
class Needed:
    """A layer, the group where its weights are, and their shapes by its configuration.

    `name`: the weights are those of the one group of that name inside the group, which has others of its model.
    """

    node: Node
    group: str
    shapes: list[Shape]
    name: str | None = None

    @cached_property
    def assumed(self) -> bool:
        """Return whether the shapes hang on an argument that the file does not have."""
        inside = [self.node.entry, *(found for _, found in self.node.entry.within)]
        return any(is_assumed(found.own_name, found.config) for found in inside)


def weight_faults(
    root: Node, contents: ModelContents, stream: BinaryIO, names: Names, major: int | None
) -> Iterator[LoadFault]:
    """Yield what the rows say of the first layer whose stored weights its configuration cannot take.

    Releases before 2 stored them in other shapes, which Keras 2 still loads: nothing is said of their files.
    """
    rows = [row for row in names.load_faults if row.kind in KINDS and contents.kind in row.formats]
    rows = [row for row in rows if row.anywhere or major == row.era.major]
    release = release_of(contents)
    if not rows or release is None or release.major < 2 or root.own or _is_shared(root):
        return
    needed = list(_in_archive(root, names) if contents.kind == "keras" else _in_groups(root, names))
    weights = weights_of(stream, contents.kind) if needed else None
    if weights is None:
        return
    held = [(one, weights.under(one.group, one.name)) for one in needed]
    for row in rows:
        asked = ((one, stored) for one, stored in held if stored and one.assumed is (row.kind == BY_DEFAULT))
        unfit = ((one, stored) for one, stored in asked if _is_unfit(one, stored, row.era.major))
        for one, stored in islice(unfit, 1):
            yield row.naming(one.node.name, stored=_text(stored), needed=_text(one.shapes))


def _is_unfit(needed: Needed, stored: list[tuple[int, ...]], major: int) -> bool:
    """Return whether a generation of Keras refuses these weights.

    Keras 2 does not count those of a model in an HDF5 file, and takes as many as it needs.
    """
    left = beside(stored, needed.shapes)
    counts = needed.name is None or major > 2
    never = any(part.keras in NEVER_CUDNN for part in needed.node.walk())
    return (left is None or (counts and bool(left))) and (never or not _are_cudnn(stored, needed.shapes))


def _is_shared(root: Node) -> bool:
    """Return whether some layer is in the file more than once: its weights are there once."""
    times = Counter(found.shared for _, found in root.entry.within if found.shared is not None)
    return any(count > 1 for count in times.values())


def _in_archive(model: Node, names: Names, folder: str = "") -> Iterator[Needed]:
    """Yield the recurrent layers of a model, each with its folder."""
    for child, name in zip(model.children, folders([child.entry for child in model.children]), strict=True):
        yield from _of_part(child, names, f"{folder}layers/{name}")


def folders(entries: Sequence[Entry]) -> Iterator[str]:
    """Yield the names of the folders of what a folder holds: by class, counted."""
    counts: Counter[str] = Counter()
    for found in entries:
        name = snake_case(found.own_name)
        yield f"{name}_{counts[name]}" if counts[name] else name
        counts[name] += 1


def _of_part(node: Node, names: Names, folder: str) -> Iterator[Needed]:
    if node.own:
        return
    if node.role is Role.MODEL:
        yield from _in_archive(node, names, f"{folder}/")
    elif node.role is Role.TIME_DISTRIBUTED:
        yield from _of_part(node.children[0], names, f"{folder}/layer")
    elif node.role is Role.BIDIRECTIONAL:
        yield from _of_part(node.children[0], names, f"{folder}/forward_layer")
        yield from _of_part(node.children[-1], names, f"{folder}/backward_layer")
    elif node.role is Role.RECURRENT and node.keras is not None:
        cells = [(f"{folder}/cell", node.keras, node.entry)]
        if node.keras == "RNN":
            cells = list(_cells(node.entry, names, folder))
        for path, keras, found in cells:
            if (shapes := weight_shapes(keras, found.config)) is not None:
                yield Needed(node, f"{path}/vars", shapes)


def _cells(found: Entry, names: Names, folder: str) -> Iterator[tuple[str, str, Entry]]:
    """Yield the cells of an RNN or a stack, each with its folder and its class, which is "" if that is not known."""
    inside = [entry(part, "a cell") for key, part in held(found) if key in ("cell", "cells") and is_entry(part)]
    alone = "cell" in found.config
    if len(inside) != 1 and alone:
        yield folder, "", found
        return
    for cell, name in zip(inside, ["cell"] if alone else [f"cells/{name}" for name in folders(inside)], strict=True):
        if cell.keras(names) == STACK:
            yield from _cells(cell, names, f"{folder}/{name}")
        else:
            yield f"{folder}/{name}", cell.keras(names) or "", cell


def _in_groups(root: Node, names: Names) -> Iterator[Needed]:
    """Yield the layers of the outermost model, each with its group, and those of models inside it, in its group."""
    for node in root.children:
        if node.entry.name:
            yield from _of_group(node, names, f"model_weights/{node.entry.name}")


def _of_group(node: Node, names: Names, group: str, inside: bool = False) -> Iterator[Needed]:
    """Yield a layer, with the weights of all that it wraps, or the layers of a model."""
    part = node.children[0] if node.role is Role.TIME_DISTRIBUTED and not node.own else node
    if part.role is Role.MODEL and not part.own:
        for child in part.children:
            yield from _of_group(child, names, group, inside=True)
        return
    both = (part.children[0], part.children[-1]) if part.role is Role.BIDIRECTIONAL else (part,)
    shapes = [None if part.own else _needed(one, names) for one in both]
    if None not in shapes:
        every = [shape for one in shapes for shape in one or ()]
        yield Needed(node, group, every, node.entry.name if inside else None)


def _needed(node: Node, names: Names) -> list[Shape] | None:
    """Return the shapes of the weights of one recurrent layer; None where a cell is of the user's own."""
    if node.own or node.keras is None or node.role is not Role.RECURRENT:
        return None
    if node.keras != "RNN":
        return weight_shapes(node.keras, node.entry.config)
    shapes = [weight_shapes(keras, cell.config) for _, keras, cell in _cells(node.entry, names, "")]
    return None if None in shapes else [shape for one in shapes for shape in one or ()]


def _are_cudnn(stored: list[tuple[int, ...]], needed: list[Shape]) -> bool:
    """Return whether a bias is that of a CuDNN layer, which Keras 2 turns into that of LSTM or GRU when it loads."""
    rows = {shape[-1] for shape in needed}
    return any(len(shape) == 1 and row is not None and shape[0] == 2 * row for shape in stored for row in rows)


def _text(shapes: list[Shape] | list[tuple[int, ...]]) -> str:
    """Return shapes as Python writes them; a size that is not known is None."""
    return ", ".join(str(shape) for shape in shapes)
