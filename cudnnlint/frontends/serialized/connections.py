"""How the layers of a model are connected: `inbound_nodes` of Keras 2 and Keras 3, or the chain of a Sequential.

A tensor is named by the place of its layer in the model's list, the call that made it, and its number among
the outputs. Knows nothing of masks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from graphlib import CycleError, TopologicalSorter
from heapq import heapify, heappop, heappush
from typing import Any

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.frontends.serialized.entry import Entry, text
from cudnnlint.frontends.serialized.histories import History, histories, is_history, keywords
from cudnnlint.frontends.serialized.run_order import by_depth
from cudnnlint.keras import dtypes
from cudnnlint.keras.same_tensor import TAKE_MASKS_OFF


@dataclass(frozen=True)
class TensorRef:
    """One tensor: output `output` of call `call` of layer `layer`; its dtype and rank where the file has them."""

    layer: int
    call: int
    output: int
    dtype: str | None = None
    rank: int | None = None


@dataclass(frozen=True)
class LayerCall:
    """One call of a layer: the tensors of its first argument, and those of the others by name ("" if by position).

    `mask` is None where no mask is given, else "none" (None is given), "tensor" or "constant"; a tuple of these where
    each input has one. `mask_rank` is the rank of that tensor and `mask_last`
    its last dimension, where they are written. `numbers` are the dtypes of the
    numbers among the arguments, as in `x * 2.0`. `bare`: the layer is called with one argument, and nothing by name.
    """

    first: tuple[TensorRef, ...] = ()
    others: Mapping[str, tuple[TensorRef, ...]] = field(default_factory=dict)
    mask: str | tuple[str, ...] | None = None
    numbers: tuple[str, ...] = ()
    mask_rank: int | None = None
    mask_last: int | None = None
    bare: bool = False


@dataclass(frozen=True)
class Graph:
    """Calls by layer, the layers that take the model's inputs, and the tensors that are its outputs.

    `order` has all calls (layer, call), each after those whose tensors it takes, else in the order of the file; where a
    layer takes masks off tensors, in the order in which Keras calls them.
    """

    sites: tuple[tuple[LayerCall, ...], ...]
    inputs: tuple[int, ...]
    outputs: tuple[TensorRef, ...]
    order: tuple[tuple[int, int], ...]


def chain(count: int) -> Graph:
    """Return a Sequential model of `count` layers."""
    sites = tuple((LayerCall((TensorRef(layer - 1, 0, 0),) if layer else ()),) for layer in range(count))
    order = tuple((layer, 0) for layer in range(count))
    return Graph(sites, (0,) if count else (), (TensorRef(count - 1, 0, 0),) if count else (), order)


def _taken(all_sites: tuple[tuple[LayerCall, ...], ...]) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """Return for each call those whose tensors it takes."""
    return {
        (layer, call): [(ref.layer, ref.call) for refs in (site.first, *site.others.values()) for ref in refs]
        for layer, sites in enumerate(all_sites)
        for call, site in enumerate(sites)
    }


def _ordered(taken: Mapping[tuple[int, int], Sequence[tuple[int, int]]]) -> tuple[tuple[int, int], ...]:
    sorter: TopologicalSorter[tuple[int, int]] = TopologicalSorter(taken)
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

    def __init__(self, entries: Sequence[Entry], nested: Sequence[bool], config: Mapping[str, Any]) -> None:
        self.entries, self.config = entries, config
        self.index = {item.name: number for number, item in enumerate(entries) if item.name is not None}
        self.calls = [item.inbound if isinstance(item.inbound, list) else [] for item in entries]
        self.counts = [
            len(calls) or int(item.class_name == "InputLayer") for calls, item in zip(self.calls, entries, strict=True)
        ]
        self.keras3 = any(isinstance(call, dict) and "args" in call for calls in self.calls for call in calls)
        self.from_one = self._counted_from_one(nested)

    def graph(self) -> Graph:
        """Return the connections; raise UnreadableInput for a model that names no input or no output."""
        sites = tuple(
            tuple(self._site(call, item) for call in calls) or (LayerCall(),) * count
            for calls, count, item in zip(self.calls, self.counts, self.entries, strict=True)
        )
        inputs = tuple(self._ref(found).layer for found in histories(self.config.get("input_layers"), False))
        outputs = tuple(self._ref(found, True) for found in histories(self.config.get("output_layers"), False))
        taken = _taken(sites)
        order = _ordered(taken)
        changing = any(item.class_name in TAKE_MASKS_OFF for item in self.entries)
        if self.keras3 and (changing or any(call.mask is not None for calls in sites for call in calls)):
            run = by_depth(taken, [(ref.layer, ref.call) for ref in outputs])
            order = tuple(dict.fromkeys((*run, *order)))
        for key in ("input_layers", "output_layers"):
            if not self.config.get(key):
                raise UnreadableInput(f"The model {self.config.get('name')!r} has no {key}, so Keras cannot load it.")
        return Graph(sites, inputs, outputs, order)

    def _counted_from_one(self, nested: Sequence[bool]) -> set[str]:
        """Return the models whose calls the file counts from 1, because call 0 made the model: those of Keras 2."""
        models = {item.name for item, inside in zip(self.entries, nested, strict=True) if inside and item.name}
        if self.keras3:
            return models
        used = [found for calls in (*self.calls, self.config.get("output_layers")) for found in histories(calls, False)]
        from_zero = {found.name for found in used if found.call == 0}
        return models - from_zero

    def _ref(self, found: History, output: bool = False) -> TensorRef:
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
        return TensorRef(layer, call if count > 1 else 0, max(found.output, 0), found.dtype, found.rank)

    def _site(self, call: Any, called: Entry) -> LayerCall:
        if isinstance(call, dict) and "args" in call:
            arguments = call["args"] if isinstance(call["args"], list) else [call["args"]]
            by_name = call.get("kwargs")
            first, *rest = arguments or [None]
        else:
            first, rest, by_name = call, [], keywords(call)
        first, named = _in_order(first, called), dict(by_name) if isinstance(by_name, dict) else {}
        bare = not rest and not named
        given = histories(named.get("mask"), self.keras3)
        rank, last = (given[0].rank, given[0].last) if len(given) == 1 else (None, None)
        mask = self._mask(_in_order(named.pop("mask"), called)) if "mask" in named else None
        numbers = tuple(one for part in (first, *rest) if (one := _of_number(part)))
        if not histories(first, self.keras3):  # everything given by name: `layer(sequences=x)`
            key = next((key for key, value in named.items() if histories(value, self.keras3)), None)
            first = named.pop(key) if key is not None else None
        others = {"": self._refs(rest), **{text(key) or "": self._refs(value) for key, value in named.items()}}
        others = {key: refs for key, refs in others.items() if refs}
        return LayerCall(self._refs(first), others, mask, numbers, rank, last, bare)

    def _refs(self, value: Any) -> tuple[TensorRef, ...]:
        return tuple(self._ref(found) for found in histories(value, self.keras3))

    def _mask(self, value: Any) -> str | tuple[str, ...]:
        """Return what is given as the mask, or as the masks of several inputs."""
        if isinstance(value, list) and not is_history(value):
            return tuple(self._one_mask(part) for part in value)
        if isinstance(value, dict) and "class_name" not in value:
            return tuple(self._one_mask(value[key]) for key in sorted(value))
        return self._one_mask(value)

    def _one_mask(self, value: Any) -> str:
        if value is None:
            return "none"
        return "tensor" if histories(value, self.keras3) else "constant"


def _in_order(given: Any, called: Entry) -> Any:
    """Return a dict that a model with a list of inputs is given as a list: each entry has the name of an Input."""
    ends = called.config.get("input_layers") if isinstance(called.config, dict) else None
    names = [found.name for found in histories(ends, False)] if isinstance(ends, list) else []
    by_name = isinstance(given, dict) and bool(names) and set(names) <= given.keys()
    return [given[name] for name in names] if by_name else given


def _of_number(part: Any) -> str:
    """Return the dtype of an argument that is a number, or an array that the file holds; "" for anything else."""
    if isinstance(part, dict) and part.get("class_name") in ("__numpy__", "__tensor__"):
        config = part.get("config")
        return text(config.get("dtype") if isinstance(config, dict) else None) or ""
    return {float: dtypes.FLOAT, int: dtypes.WHOLE_NUMBER}.get(type(part), "")
