"""Grows the tree of layers out of a configuration: models, wrappers, recurrent layers, and what they hold.

Decides what each layer is by its class and, where the class is not Keras's own, by its arguments. Makes no facts.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import cached_property
from typing import Any

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.file_limits import in_force, prove_in_time
from cudnnlint.core.frozen import record
from cudnnlint.core.names import Names
from cudnnlint.frontends.serialized.connections import Functional, Graph, chain
from cudnnlint.frontends.serialized.entry import HELD, Entry, entry, held, inner, is_entry

FUNCTIONAL = frozenset({"Functional", "Model"})
MODELS = FUNCTIONAL | {"Sequential"}


class Role(Enum):
    """What a layer is, as far as its place in the tree goes."""

    RECURRENT = "a recurrent layer"
    BIDIRECTIONAL = "a Bidirectional: its children are the forward layer and, if one is written, the backward layer"
    TIME_DISTRIBUTED = "a TimeDistributed: its child is the layer inside"
    MODEL = "a model whose connections are known; if its class is the user's own, it is assumed to follow them"
    KERAS = "any other layer of Keras"
    OWN = "a class whose code is not in the file; what its configuration holds are its children"


@record(frozen=True, eq=False)
class Node:
    """One layer in the tree. `keras` is the Keras class that it is, or resembles; `own` if its class is not Keras's.

    `key` is the key of the parent's configuration that it is under.
    """

    entry: Entry
    role: Role
    keras: str | None
    own: bool = False
    key: str = ""
    children: tuple[Node, ...] = ()
    graph: Graph | None = None

    @property
    def name(self) -> str:
        """The layer's name, or its class where none is written."""
        return self.entry.name or self.entry.own_name

    @cached_property
    def written(self) -> tuple[tuple[str, Any], ...]:
        """What the layer was given by name, and what its cells were."""
        found: list[tuple[str, Any]] = []
        waiting: list[Any] = [self.entry.config]
        while waiting:
            config = waiting.pop()
            if isinstance(config, list):
                waiting += config
            elif isinstance(config, dict):
                found += ((key, value) for key, value in config.items() if key not in HELD)
                waiting += [config[name] for name in ("cell", "cells", "config") if name in config]
        return tuple(found)

    def walk(self) -> Iterator[Node]:
        """Yield this node and all below it, in the order of the file."""
        yield self
        for child in self.children:
            yield from child.walk()


def grow(config: Any, names: Names) -> Node:
    """Return the tree of a whole configuration."""
    return _Grower(names).node(entry(config, "Its configuration"))


class _Grower:
    def __init__(self, names: Names) -> None:
        self.names = names
        self.left = self.most = in_force().model_layers

    def node(self, found: Entry, key: str = "") -> Node:
        """Return the tree below one serialised layer."""
        self.left -= 1
        prove_in_time()
        if self.left < 0:
            raise UnreadableInput(f"The model has more than {self.most} layers.")
        keras = found.keras(self.names)
        if keras in self.names.recurrent:
            if keras == "RNN" and not any(key == "cell" for key, _ in held(found)):
                raise UnreadableInput(f"The RNN {found.name!r} has no cell, so Keras cannot load it.")
            return Node(found, Role.RECURRENT, keras, key=key)
        if keras in self.names.wrappers:
            return self._wrapper(found, keras, key)
        if keras in MODELS and isinstance(found.config.get("layers"), list):
            return self._model(found, key)
        if keras is not None and found.module is not None:
            return Node(found, Role.KERAS, keras, key=key, children=tuple(self._inner(found)))
        return self._own(found, keras, key)

    def _own(self, found: Entry, keras: str | None, key: str) -> Node:
        """Return a class that is not Keras's own; in a file that has class names alone, perhaps one that is."""
        likeness = found.resembles()
        if likeness == "Bidirectional":
            return self._wrapper(found, likeness, key, own=True)
        if likeness is not None:
            return Node(found, Role.RECURRENT, likeness, own=True, key=key)
        if _is_functional(found):
            return self._model(found, key, own=True)
        children = tuple(self._inner(found))
        role = Role.OWN if keras is None or any(_holds(child) for child in children) else Role.KERAS
        return Node(found, role, keras, own=role is Role.OWN, key=key, children=children)

    def _inner(self, found: Entry) -> Iterator[Node]:
        """Yield the layers that a configuration holds, as far as they are or hold something recurrent."""
        for key, part in inner(found.config):
            node = self.node(part, key)
            if _holds(node):
                yield node

    def _wrapper(self, found: Entry, keras: str, key: str, own: bool = False) -> Node:
        keys = ("layer", "backward_layer") if keras == "Bidirectional" else ("layer",)
        parts = [(name, part) for name, part in held(found) if name in keys]
        if not any(name == "layer" for name, _ in parts):
            raise UnreadableInput(f"The {keras} {found.name!r} wraps no layer, so Keras cannot load it.")
        children = tuple(self.node(entry(part, f"The {name} of {found.name!r}"), name) for name, part in parts)
        if keras == "Bidirectional":
            return Node(found, Role.BIDIRECTIONAL, keras, own, key, children)
        if keras == "TimeDistributed":
            return Node(found, Role.TIME_DISTRIBUTED, keras, own, key, children)
        return Node(found, Role.OWN, keras, True, key, children)

    def _model(self, found: Entry, key: str, own: bool = False) -> Node:
        of = f" of {found.name!r}" if found.name else ""
        parts = [part for key, part in held(found) if key == "layers"]
        entries = [entry(part, f"Layer {number}{of}") for number, part in enumerate(parts, 1)]
        children = tuple(self.node(part) for part in entries)
        if found.class_name == "Sequential":
            graph = chain(len(children))
        else:
            graph = Functional(entries, [child.role is Role.MODEL for child in children], found.config).graph()
        return Node(found, Role.MODEL, found.class_name, own, key, children, graph)


def _is_functional(found: Entry) -> bool:
    """Return whether a model has a class of the user's own (for a train_step, say) but Keras's layers in it."""
    parts = found.config.get("layers")
    if not isinstance(parts, list) or not {"input_layers", "output_layers"} <= found.config.keys():
        return False
    return all(is_entry(part) and "inbound_nodes" in part for part in parts)


def _holds(node: Node) -> bool:
    """Return whether a node is or holds anything recurrent."""
    return any(part.role in (Role.RECURRENT, Role.BIDIRECTIONAL) for part in node.walk())
