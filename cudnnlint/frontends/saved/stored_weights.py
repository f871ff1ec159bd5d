"""The stored weights of the recurrent layers in a file, held against what its configuration needs.

A `.keras` archive keeps them by folders that follow the tree of layers (keras 3.15.1 `saving_lib.py`, and tf_keras):
`layers/<class in snake case>[_k]/...`. An HDF5 file has a group for each layer of the outermost model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import BinaryIO

from cudnnlint.core.load_fault import LoadFault
from cudnnlint.core.names import Names
from cudnnlint.formats.archive import ModelContents
from cudnnlint.formats.stored_weights_file import weights_of
from cudnnlint.frontends.saved.hints import release_of
from cudnnlint.frontends.serialized.tree import Node, Role
from cudnnlint.keras.naming import snake_case
from cudnnlint.keras.recurrent_weights import Shape, fit, weight_shapes

KIND = "weight-shapes"
#: A layer, where its weights are, and their shapes by its configuration.
Needed = tuple[Node, str, list[Shape]]


def weight_faults(
    root: Node, contents: ModelContents, stream: BinaryIO, names: Names, major: int | None
) -> Iterator[LoadFault]:
    """Yield what the rows say of the first layer whose stored weights its configuration cannot take.

    Releases before 2 stored them in other shapes, which Keras 2 still loads: nothing is said of their files.
    """
    rows = [row for row in names.load_faults if row.kind == KIND and contents.kind in row.formats]
    rows = [row for row in rows if row.anywhere or major == row.era.major]
    release = release_of(contents)
    if not rows or release is None or release.major < 2 or root.own or _is_shared(root):
        return
    needed = list(_in_archive(root, names) if contents.kind == "keras" else _in_groups(root, names))
    weights = weights_of(stream, contents.kind) if needed else None
    if weights is None:
        return
    for node, path, shapes in needed:
        stored = weights.under(path)
        if stored and not fit(stored, shapes) and not _are_cudnn(stored, shapes):
            texts = {"stored": _text(stored), "needed": _text(shapes)}
            yield from (row.naming(node.name, **texts) for row in rows)
            return


def _is_shared(root: Node) -> bool:
    """Return whether some layer is in the file more than once: its weights are there once."""
    times = Counter(found.shared for _, found in root.entry.within if found.shared is not None)
    return any(count > 1 for count in times.values())


def _in_archive(model: Node, names: Names, folder: str = "") -> Iterator[Needed]:
    """Yield the recurrent layers of a model, each with its folder; layers are counted by class."""
    counts: Counter[str] = Counter()
    for child in model.children:
        name = snake_case(child.entry.own_name)
        number = f"_{counts[name]}" if counts[name] else ""
        counts[name] += 1
        yield from _of_part(child, names, f"{folder}layers/{name}{number}")


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
    elif node.role is Role.RECURRENT and (shapes := _needed(node, names)) is not None:
        yield node, f"{folder}/cell/vars", shapes


def _in_groups(root: Node, names: Names) -> Iterator[Needed]:
    """Yield the layers of the outermost model, each with its group, which has the weights of all that it wraps.

    tf_keras does not count those of a model inside, and takes as many as it needs.
    """
    for node in root.children:
        inner = node.children[0] if node.role is Role.TIME_DISTRIBUTED and not node.own else node
        both = (inner.children[0], inner.children[-1]) if inner.role is Role.BIDIRECTIONAL else (inner,)
        stateful = any(one.entry.config.get("stateful") for one in both)  # Keras 3 stores the states beside the weights
        shapes = [None if inner.own or stateful else _needed(one, names) for one in both]
        if node.entry.name and None not in shapes:
            yield node, f"model_weights/{node.entry.name}", [shape for one in shapes for shape in one or ()]


def _needed(node: Node, names: Names) -> list[Shape] | None:
    """Return the shapes of the weights of one recurrent layer; None for a cell of the user's own, or several cells."""
    if node.own or node.keras is None or node.role is not Role.RECURRENT:
        return None
    if node.keras != "RNN":
        return weight_shapes(node.keras, node.entry.config)
    cells = [found for key, found in node.entry.within if key == "cell"]
    known = cells[0].keras(names) if len(cells) == 1 else None
    return None if known is None else weight_shapes(known, cells[0].config)


def _are_cudnn(stored: list[tuple[int, ...]], needed: list[Shape]) -> bool:
    """Return whether a bias is that of a CuDNN layer, which Keras 2 turns into that of LSTM or GRU when it loads."""
    rows = {shape[-1] for shape in needed}
    return any(len(shape) == 1 and row is not None and shape[0] == 2 * row for shape in stored for row in rows)


def _text(shapes: list[Shape] | list[tuple[int, ...]]) -> str:
    """Return shapes as Python writes them; a size that is not known is None."""
    return ", ".join(str(shape) for shape in shapes)
