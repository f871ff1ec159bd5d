"""The layers that Keras 2 names in a SavedModel folder: its own metadata, beside the graph.

The objects of `saved_model.pb` are a tree, whose nodes Keras describes as JSON: in the objects themselves (up to
TensorFlow 2.4) or, by the numbers of the objects, in `keras_metadata.pb` (from 2.5). Keras 3 writes no such metadata.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.file_limits import in_force
from cudnnlint.core.names import Names
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.formats.limits import decode, too_large
from cudnnlint.formats.protobuf import Buffer, fields, message_at, messages, text_at

MEMBER = "keras_metadata.pb"
# Field numbers of tensorflow/core/protobuf/{meta_graph,saved_object_graph,trackable_object_graph}.proto.
OBJECT_GRAPH, OBJECT, CHILD, USER_OBJECT = 7, 1, 1, 4
IDENTIFIER, METADATA = 1, 3
CHILD_ID, CHILD_NAME = 1, 2
# Field numbers of keras/protobuf/saved_metadata.proto.
NODE, NODE_ID, NODE_METADATA = 1, 2, 5

#: How Keras marks its objects, and of these what is neither a layer nor a model.
MARK, NO_LAYERS = "_tf_keras_", frozenset({"_tf_keras_metric", "_tf_keras_input_layer"})
#: An RNN of any class, also one of the user's own (TensorFlow 2.2 and newer).
RNN_MARK = "_tf_keras_rnn_layer"
#: What a Bidirectional runs; the layer that it was given is a copy without calls.
DIRECTIONS = frozenset({"forward_layer", "backward_layer"})
WHAT = "The metadata of Keras"
LONGEST_NAME = 1_000


@dataclass(frozen=True)
class NamedLayer:
    """One layer that the metadata names: its path from the root (a root that is a model has no part), and its class."""

    path: tuple[str, ...]
    class_name: str
    recurrent: bool

    @property
    def name(self) -> str:
        """The layer's own name."""
        return self.path[-1]


@dataclass(frozen=True)
class _Object:
    mark: str
    metadata: Buffer | None
    children: tuple[tuple[str, int], ...]


def named_layers(graph: Buffer, beside: Callable[[], Buffer | None], names: Names) -> tuple[NamedLayer, ...] | None:
    """Return the layers that Keras names in a MetaGraphDef, from the root on; None where Keras wrote no metadata.

    `beside` gives the bytes of `keras_metadata.pb`, or None where there is no such file. What an RNN holds, such as
    its cell, is left out. Raises UnreadableInput where the metadata are damaged, missing or beyond the limits.
    """
    body = message_at(graph, OBJECT_GRAPH)
    objects = [_object(found) for found in messages(body, OBJECT)] if body is not None else []
    if not any(one.mark.startswith(MARK) for one in objects):
        return None
    texts = {number: one.metadata for number, one in enumerate(objects)}
    if not any(texts.values()):
        data = beside()
        if data is None:
            raise UnreadableInput(f"Its {MEMBER} is missing.")
        texts = dict(map(_described, messages(data, NODE)))
    if sum(len(text) for text in texts.values() if text) > in_force().config_bytes:
        raise too_large(WHAT)
    return tuple(_walk(objects, texts, names))


def _object(message: Buffer) -> _Object:
    user = message_at(message, USER_OBJECT)
    mark = text_at(user, IDENTIFIER) if user is not None else ""
    metadata = message_at(user, METADATA) if user is not None and mark.startswith(MARK) else None
    return _Object(mark, metadata, tuple(_child(found) for found in messages(message, CHILD)))


def _child(message: Buffer) -> tuple[str, int]:
    return text_at(message, CHILD_NAME), _number(message, CHILD_ID)


def _described(message: Buffer) -> tuple[int, Buffer | None]:
    return _number(message, NODE_ID), message_at(message, NODE_METADATA)


def _number(message: Buffer, field: int) -> int:
    """Return an integer field; a field of 0 is not written."""
    return next((value for number, value in fields(message) if number == field and isinstance(value, int)), 0)


def _walk(objects: list[_Object], texts: dict[int, Buffer | None], names: Names) -> Iterator[NamedLayer]:
    """Yield the layers, nearest to the root first, each by its shortest way there."""
    waiting: deque[tuple[int, tuple[str, ...]]] = deque([(0, ())])
    seen = {0}
    while waiting:
        number, path = waiting.popleft()
        one, text = objects[number], texts.get(number)
        layer = _layer(one, text, path, names) if text else None
        children = one.children
        if layer is not None:
            path = layer.path if number or layer.recurrent else ()
            if path:
                yield layer
            if layer.recurrent:
                continue
            if layer.class_name == "Bidirectional":
                children = tuple(child for child in children if child[0] in DIRECTIONS)
        if len(path) > in_force().config_depth:
            raise UnreadableInput(f"{WHAT} is nested too deeply.")
        for _, child in children:
            if child < len(objects) and child not in seen:
                seen.add(child)
                waiting.append((child, path))


def _layer(one: _Object, text: Buffer, parents: tuple[str, ...], names: Names) -> NamedLayer | None:
    """Return the layer or model that an object is, by what its JSON says; None for anything else."""
    if not one.mark.startswith(MARK) or one.mark in NO_LAYERS:
        return None
    said = decode(bytes(text), WHAT)
    name, class_name = (said.get(key) if isinstance(said, dict) else None for key in ("name", "class_name"))
    if not isinstance(name, str) or not isinstance(class_name, str) or not 0 < len(name) <= LONGEST_NAME:
        return None
    return NamedLayer((*parents, name), class_name, class_name in names.recurrent or one.mark == RNN_MARK)
