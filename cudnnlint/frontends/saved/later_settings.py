"""What newer releases of Keras write into files and older ones do not know: an argument, a class, an end in no list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cudnnlint.core.load_fault import LoadFault
from cudnnlint.core.names import Names
from cudnnlint.frontends.serialized.tree import FUNCTIONAL, Node

#: A layer's name, and the class and the configuration of an object: of the layer, or of what it was given.
Held = tuple[str, object, Mapping[str, Any]]


def held(nodes: Sequence[Node], names: Names) -> list[Held]:
    """Return every object of Keras in a file: its layers, and what these were given."""
    return [(node.name, *one) for node in nodes for one in _objects(node, names)]


def holder(objects: Sequence[Held], row: LoadFault) -> str | None:
    """Return the first layer that is, or was given, an object of one of the row's classes, with the row's key."""
    for name, class_name, config in objects:
        if class_name in row.classes and (row.key is None or row.key in config):
            return name
    return None


def _objects(node: Node, names: Names) -> Iterator[tuple[object, Mapping[str, Any]]]:
    """Yield the layer, and the initializers and such that it and its cells were given: class and configuration.

    A layer that has the name of an initializer, such as Identity, is left out: it is the initializer that rows mean.
    """
    if not node.own and node.keras not in names.taken.objects:
        yield node.keras, node.entry.config
    for _, value in node.written:
        own = isinstance(value, dict) and not str(value.get("module") or "keras").startswith("keras")
        if isinstance(value, dict) and isinstance(value.get("config"), dict) and not own:
            yield str(value.get("class_name")), value["config"]


def has_bare_end(node: Node, names: Names) -> bool:
    """Return whether a functional model's only input or output is written by itself, and in no list."""
    config = node.entry.config if node.keras in FUNCTIONAL else {}
    ends = [config.get(key) for key in ("input_layers", "output_layers")]
    return any(isinstance(end, list) and end != [] and isinstance(end[0], str) for end in ends)


def encodes_each(node: Node, names: Names) -> bool:
    """Return whether a CategoryEncoding gives more than which categories are there."""
    encodes = node.keras == "CategoryEncoding" and not node.own
    return encodes and node.entry.config.get("output_mode") in ("one_hot", "count")
