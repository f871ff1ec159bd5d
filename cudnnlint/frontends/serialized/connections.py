"""How the layers of a model are connected: `inbound_nodes` of Keras 2 and Keras 3, or the chain of a Sequential.

A tensor is named by the place of its layer in the model's list, the call that made it, and its number among
the outputs. Knows nothing of masks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from heapq import heapify, heappop, heappush
from types import MappingProxyType
from typing import Any

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.frontends.serialized.entry import Entry, text

#: The shape that `convert` writes: it says nothing, and the dtype beside it neither.
UNSHAPED = [None]


@dataclass(frozen=True)
class History:
    """A tensor as the file names it: layer name, call, output as the file counts; in Keras 3 dtype and rank too."""

    name: str
    call: int
    output: int
    dtype: str | None = None
    rank: int | None = None


@dataclass(frozen=True)
class Ref:
    """One tensor: output `output` of call `call` of layer `layer`; its dtype and rank where the file has them."""

    layer: int
    call: int
    output: int
    dtype: str | None = None
    rank: int | None = None


@dataclass(frozen=True)
class Site:
    """One call of a layer: the tensors of its first argument, and those of the others by name ("" if by position).

    `mask` is None where no mask is given, else "none" (None is given), "tensor" or "constant"; a tuple of these where
    each input has one. `fractions` says whether a number among the arguments is a float, as in `x * 2.0`.
    """

    first: tuple[Ref, ...] = ()
    others: Mapping[str, tuple[Ref, ...]] = field(default_factory=dict)
    mask: str | tuple[str, ...] | None = None
    fractions: bool = False


@dataclass(frozen=True)
class Graph:
    """Calls by layer, the layers that take the model's inputs, and the tensors that are its outputs.

    `order` has all calls (layer, call), each after those whose tensors it takes, else in the order of the file.
    """

    sites: tuple[tuple[Site, ...], ...]
    inputs: tuple[int, ...]
    outputs: tuple[Ref, ...]
    order: tuple[tuple[int, int], ...]


def chain(count: int) -> Graph:
    """Return a Sequential model of `count` layers."""
    sites = tuple((Site((Ref(layer - 1, 0, 0),) if layer else ()),) for layer in range(count))
    order = tuple((layer, 0) for layer in range(count))
    return Graph(sites, (0,) if count else (), (Ref(count - 1, 0, 0),) if count else (), order)


def _ordered(all_sites: tuple[tuple[Site, ...], ...]) -> tuple[tuple[int, int], ...]:
    sorter: TopologicalSorter[tuple[int, int]] = TopologicalSorter()
    for layer, sites in enumerate(all_sites):
        for call, site in enumerate(sites):
            taken = (*site.first, *(ref for refs in site.others.values() for ref in refs))
            sorter.add((layer, call), *((ref.layer, ref.call) for ref in taken))
    try:
        sorter.prepare()
    except CycleError:
        raise UnreadableInput("The connections of its layers form a circle.") from None
    ready: list[tuple[int, int]] = list(sorter.get_ready())
    order: list[tuple[int, int]] = []
    heapify(ready)
    while ready:
        order.append(heappop(ready))
        sorter.done(order[-1])
        for following in sorter.get_ready():
            heappush(ready, following)
    return tuple(order)


class Functional:
    """Reader of the connections of one functional model; `nested` says which of its layers are models."""

    def __init__(self, entries: Sequence[Entry], nested: Sequence[bool]) -> None:
        self.entries = entries
        self.index = {item.name: number for number, item in enumerate(entries) if item.name is not None}
        self.calls = [item.inbound if isinstance(item.inbound, list) else [] for item in entries]
        self.counts = [
            len(calls) or int(item.class_name == "InputLayer") for calls, item in zip(self.calls, entries, strict=True)
        ]
        self.keras3 = any(isinstance(call, dict) and "args" in call for calls in self.calls for call in calls)
        self.from_one = self._counted_from_one(nested)

    def graph(self, config: Mapping[str, Any]) -> Graph:
        """Return the connections."""
        sites = tuple(
            tuple(self._site(call) for call in calls) or (Site(),) * count
            for calls, count in zip(self.calls, self.counts, strict=True)
        )
        inputs = tuple(self._ref(found).layer for found in histories(config.get("input_layers"), False))
        outputs = tuple(self._ref(found, True) for found in histories(config.get("output_layers"), False))
        return Graph(sites, inputs, outputs, _ordered(sites))

    def _counted_from_one(self, nested: Sequence[bool]) -> set[str]:
        """Return the models whose calls the file counts from 1, because call 0 made the model: those of Keras 2."""
        models = {item.name for item, inside in zip(self.entries, nested, strict=True) if inside and item.name}
        if self.keras3:
            return models
        used = [found for calls in self.calls for found in histories(calls, False)]
        from_zero = {found.name for found in used if found.call == 0}
        return models - from_zero

    def _ref(self, found: History, output: bool = False) -> Ref:
        name, call = found.name, found.call
        layer = self.index.get(name)
        if layer is None:
            raise UnreadableInput(f"A layer gets its input from {name!r}, which is not in the model.")
        sequential = self.entries[layer].class_name == "Sequential"
        if name in self.from_one and call > 0 and (not self.keras3 or (output and not sequential)):
            call -= 1
        count = self.counts[layer]
        if not 0 <= call < count and count != 1:
            raise UnreadableInput(f"A layer gets its input from call {call} of {name!r}, but there is no such call.")
        return Ref(layer, call if count > 1 else 0, max(found.output, 0), found.dtype, found.rank)

    def _site(self, call: Any) -> Site:
        if isinstance(call, dict) and "args" in call:
            arguments = call["args"] if isinstance(call["args"], list) else [call["args"]]
            keywords = call.get("kwargs")
            first, *rest = arguments or [None]
        else:
            first, rest, keywords = call, [], _keywords(call)
        named = dict(keywords) if isinstance(keywords, dict) else {}
        mask = self._mask(named.pop("mask")) if "mask" in named else None
        if not histories(first, self.keras3):  # everything given by name: `layer(sequences=x)`
            key = next((key for key, value in named.items() if histories(value, self.keras3)), None)
            first = named.pop(key) if key is not None else None
        others = {"": self._refs(rest), **{text(key) or "": self._refs(value) for key, value in named.items()}}
        fractions = any(isinstance(part, float) for part in (first, *rest, *named.values()))
        return Site(self._refs(first), {key: refs for key, refs in others.items() if refs}, mask, fractions)

    def _refs(self, value: Any) -> tuple[Ref, ...]:
        return tuple(self._ref(found) for found in histories(value, self.keras3))

    def _mask(self, value: Any) -> str | tuple[str, ...]:
        """Return what is given as the mask, or as the masks of several inputs."""
        if isinstance(value, list) and not _is_history(value):
            return tuple(self._one_mask(part) for part in value)
        return self._one_mask(value)

    def _one_mask(self, value: Any) -> str:
        if value is None:
            return "none"
        return "tensor" if histories(value, self.keras3) else "constant"


def _keywords(call: Any) -> Any:
    """Return the keyword arguments of a Keras 2 call, which are beside its first tensor."""
    while isinstance(call, list) and call:
        if _is_history(call):
            return call[3] if len(call) > 3 else {}
        call = call[0]
    return {}


def histories(value: Any, keras3: bool) -> list[History]:
    """Return the tensors in an argument, in the order in which Keras flattens it."""
    if isinstance(value, dict):
        if value.get("class_name") == "__keras_tensor__":
            config = value.get("config")
            config = config if isinstance(config, dict) else {}
            value = config.get("keras_history")
            return [_history(value, config)] if _is_history(value) else []
        return [found for key in sorted(value) for found in histories(value[key], keras3)]
    if not isinstance(value, list):
        return []
    if not keras3 and _is_history(value):
        return [_history(value)]
    return [found for part in value for found in histories(part, keras3)]


def _is_history(value: Any) -> bool:
    """Return whether a value names a tensor: ["name", 0, 0], in Keras 2 sometimes followed by keyword arguments.

    Constants are named _CONSTANT_VALUE.
    """
    return (
        isinstance(value, list)
        and len(value) in (3, 4)
        and isinstance(value[0], str)
        and type(value[1]) is int
        and type(value[2]) is int
        and value[1] >= 0
    )


def _history(value: list[Any], config: Mapping[str, Any] = MappingProxyType({})) -> History:
    shape = config.get("shape")
    if not isinstance(shape, list) or shape == UNSHAPED:
        return History(text(value[0]) or "", value[1], value[2])
    return History(text(value[0]) or "", value[1], value[2], text(config.get("dtype")), len(shape))
