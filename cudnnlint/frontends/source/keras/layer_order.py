"""The order of a functional model's layers: as far as they are from its outputs, then as they are found from there."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import TYPE_CHECKING

from cudnnlint.core.frozen import record
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.model_ends import in_key_order
from cudnnlint.frontends.source.keras.sites import CallSeen, Site
from cudnnlint.frontends.source.keras.tensors import Source, Tensor, tensors_in
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.call_path import event_key
from cudnnlint.frontends.source.python.values import (
    NONE,
    Either,
    Foreign,
    Instance,
    Listing,
    Mapping,
    Tuple,
    UnknownValue,
    Value,
    options,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: A call that gives a model no layer, or none that is known.
UNCLEAR = Source(None, (NONE,))
#: Why it is not known which layer an entry of `model.layers` is.
UNORDERED = "the order of the layers of a model whose graph is not wholly followed"


class UnclearOrderError(Exception):
    """The graph has something that is not followed, or that is a layer in some releases only."""


@record(frozen=True)
class OrderedCall:
    """A call of a layer, or an input (a Source); `layer` is equal for all calls of one layer."""

    call: Hashable
    layer: Hashable
    parents: tuple[Tensor, ...]
    of: Instance | Source


def seen_from_outside(run: Interpreter, instance: Instance, arguments: Arguments, result: Value) -> None:
    """Record that tensors come from this call, for Keras, whatever was called inside of it."""
    inputs = tuple(_frozen(value) for value in arguments.positional)
    named = tuple((name, _frozen(value)) for name, value in arguments.keywords.items())
    call = Source(instance, inputs, named)
    try:
        given = {tensor.source for tensor in _given(call)}
    except UnclearOrderError:
        given, call = set(), UNCLEAR
    for source in {tensor.source for option in options(result) for tensor in tensors_in(option)}:
        if source is not None:
            state_of(run).outside[source] = UNCLEAR if source in given else call


def is_direct(result: Value, call: Source) -> bool:
    """Return whether all tensors of a result show the call that they come from, as Keras sees it."""
    tensors = tensors_in(result)
    return bool(tensors) and all(
        tensor.source is not None and tensor.source.layer is call.layer and tensor.source.inputs is call.inputs
        for tensor in tensors
    )


def in_order(run: Interpreter, inputs: Value, outputs: Value) -> list[Instance | Source] | None:
    """Return the layers of a graph in the order of Keras, with the sources of its inputs; None if it is not known."""
    try:
        graph = _Graph(run, outputs)
        entering = [tensor.source for tensor in _tensors(inputs)]
    except UnclearOrderError:
        return None
    if any(source is None or source.inputs for source in entering):
        return None
    if not all(source in entering for source in graph.inputs):
        return None
    unused = [source for source in entering if source is not None and source not in graph.inputs]
    return [*graph.ordered(unused)]


def outermost(run: Interpreter, outputs: Value | None) -> list[Instance]:
    """Return the layers of a graph as Keras sees them, without inputs; none where they are not all known."""
    try:
        found = [] if outputs is None else _Graph(run, outputs).layers.values()
    except UnclearOrderError:
        return []
    return [layer for layer in found if isinstance(layer, Instance)]


def seen(run: Interpreter, sources: Iterable[Source]) -> list[Instance]:
    """Return the layers and models, as Keras sees them, around the calls that these sources stand for."""
    around = (state_of(run).outside.get(source, source).layer for source in sources)
    return [layer for layer in around if isinstance(layer, Instance)]


class _Graph:
    """The nodes that lead to a model's outputs, those of its inputs first, and the layers as they are found."""

    def __init__(self, run: Interpreter, outputs: Value) -> None:
        self.outside = state_of(run).outside
        self.nodes: dict[Hashable, OrderedCall] = {}
        self.layers: dict[Hashable, Instance | Source] = {}
        self.inputs: set[Source] = set()
        for tensor in _tensors(outputs):
            self._visit(tensor)

    def _visit(self, tensor: Tensor) -> None:
        node = self._node(tensor)
        if node.call in self.nodes:
            return
        self.layers.setdefault(node.layer, node.of)
        for parent in node.parents:
            self._visit(parent)
        self.nodes[node.call] = node

    def _node(self, tensor: Tensor) -> OrderedCall:
        """Return the call that a tensor comes from, as Keras sees it."""
        source = tensor.source if tensor.source is None else self.outside.get(tensor.source, tensor.source)
        if source is None:
            raise UnclearOrderError
        if not source.inputs:
            self.inputs.add(source)
            return OrderedCall(source, source, (), source)
        if not isinstance(source.layer, Instance):
            raise UnclearOrderError
        key = id(source.layer.table)
        return OrderedCall((key, id(source.inputs)), key, tuple(_given(source)), source.layer)

    def ordered(self, unused: list[Source]) -> Iterator[Instance | Source]:
        """Yield the layers, the most distant ones first; inputs that nothing uses stand before the last layers."""
        far: dict[Hashable, int] = {}
        depths: dict[Hashable, int] = {}
        for node in reversed(self.nodes.values()):
            depth = max(far.get(node.call, 0), depths.get(node.layer, 0))
            depths[node.layer] = depth
            for parent in map(self._node, node.parents):
                far[parent.call] = max(depth + 1, far.get(parent.call, 0))
        for depth in range(max(depths.values(), default=0), -1, -1):
            yield from unused if depth == 0 else ()
            yield from (layer for key, layer in self.layers.items() if depths[key] == depth)


def _given(call: Source) -> list[Tensor]:
    """Return the tensors that a call gets, in the order of Keras: positional arguments, then the others by name."""
    named = [value for _, value in sorted(call.keywords, key=lambda entry: entry[0])]
    return [tensor for value in (*call.inputs, *named) for tensor in _tensors(value)]


def _tensors(value: Value) -> list[Tensor]:
    """Return the tensors of a value in their order; raise UnclearOrderError where they are not known."""
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, Mapping) and (entries := in_key_order(value)) is not None:
        return [tensor for item in entries for tensor in _tensors(item)]
    if isinstance(value, (Either, Foreign, Mapping, UnknownValue)):
        raise UnclearOrderError
    if not isinstance(value, (Listing, Tuple)):
        return []
    contents = value.contents if isinstance(value, Tuple) else containers.contents_of(value)
    if contents.rest is not None:
        raise UnclearOrderError
    return [tensor for item in contents.items for tensor in _tensors(item)]


def _frozen(value: Value) -> Value:
    """Return a list as it is now: it may change later."""
    return Tuple(containers.contents_of(value)) if isinstance(value, Listing) else value


def record_doubtful(run: Interpreter, site: Site, origin: Origin) -> None:
    """Record a call of one of several layers, where this one may not be meant: what the call passes says nothing."""
    doubt: dict[str, Value] = {"mask": UnknownValue(UNORDERED, None)}
    site.calls.setdefault(event_key(run.path, origin), CallSeen(origin, doubt))
