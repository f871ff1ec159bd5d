"""Masks as Keras 2 had them, where Keras 3 would lose them, join them otherwise, or keep them.

A mask that Keras 3 loses is computed anew from what it was computed of in Keras 2, by operations in the graph, and
given to the layer as `mask=`; Keras 2 joins masks by "and" (tf_keras 2.21 `base_merge.py`, `concatenate.py`). A mask
that Keras 3 keeps and Keras 2 drops ends at a padding of no steps, which no release of Keras 3 hands a mask through.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from cudnnlint.core.errors import Refused
from cudnnlint.frontends.serialized.histories import UNSHAPED
from cudnnlint.keras.masks import JOINED, MERGED
from cudnnlint.rewriters.saved.layer_tree import LayerPart, paths, words

DIFFERS = "Keras 2 and Keras 3 pass on the masks before it differently"
#: Layers whose `call` takes one mask, and whose input has steps and features.
_TAKE_ONE = words("LSTM GRU SimpleRNN RNN Bidirectional GlobalAveragePooling1D")
#: Layers whose `call` takes a list of masks, one for each of their inputs.
_TAKE_A_LIST = words("Attention AdditiveAttention")
_NUMPY = "keras.src.ops.numpy"


class Carrier:
    """Gives the layers of one lifted model the masks that they had. `calls` are the layer paths of all its calls."""

    def __init__(self, root: LayerPart, calls: Sequence[str]) -> None:
        self.parts = dict(paths(root))
        self.models = {"": root, **{path: part for path, part in self.parts.items() if part.is_model}}
        self.calls = Counter(calls)
        self.made: dict[tuple[str, Hashable], dict[str, Any]] = {}

    def settle(self, path: str, wanted: Sequence[Hashable], given: Sequence[Hashable]) -> str:
        """Give a layer the masks of some origins (None: no mask), one for each input; return a sentence.

        `given` are those that it has in Keras 3. Raises Refused where that cannot be done.
        """
        part, inside = self.parts[path], path.rpartition("/")[0]
        if self.calls[path] != 1 or inside not in self.models:
            raise Refused(path, DIFFERS)
        if part.class_name in _TAKE_A_LIST or part.class_name == "MultiHeadAttention":
            return self._settle_attention(path, part, inside, wanted, given)
        if part.class_name not in _TAKE_ONE or wanted[1:] != given[1:]:
            raise Refused(path, DIFFERS)
        mask = wanted[0]
        if mask is None:
            name = _end_mask(path, part, self.models[inside])
            return f"{path}: {name} ends the mask before it, which Keras 2 did not hand to it"
        if self.models[inside].class_name != "Functional":
            raise Refused(path, DIFFERS)
        (call,) = part.record["inbound_nodes"]
        call["kwargs"]["mask"] = self._tensor(path, inside, mask)
        return f"{path}: gets the mask that Keras 2 gave it, as an argument: Keras 3 hands on masks in another way"

    def _settle_attention(
        self, path: str, part: LayerPart, inside: str, wanted: Sequence[Hashable], given: Sequence[Hashable]
    ) -> str:
        if self.models[inside].class_name != "Functional":
            raise Refused(path, DIFFERS)
        (call,) = part.record["inbound_nodes"]
        masks = [None if mask is None else self._tensor(path, inside, mask) for mask in wanted]
        if part.class_name in _TAKE_A_LIST:
            tensors = call["args"][0]
            if len(call["args"]) != 1 or not isinstance(tensors, list) or len(tensors) != len(masks):
                raise Refused(path, DIFFERS)
            call["kwargs"]["mask"] = masks
        else:
            # Keras 3 joins this with the masks of its inputs by "and"; it heeds no `query_mask` that it is given
            kept = all(now is None or now == was for now, was in zip(given, wanted, strict=True))
            if not kept or "attention_mask" in call["kwargs"]:
                raise Refused(path, DIFFERS)
            call["kwargs"]["attention_mask"] = self._pairs(inside, masks)
        return f"{path}: gets the masks that Keras 2 gave it, as an argument: Keras 3 hands on masks in another way"

    def _pairs(self, inside: str, masks: Sequence[dict[str, Any] | None]) -> dict[str, Any]:
        """Return which steps of the values count for which of the query: that of the query is the first mask."""
        model, found = self.models[inside], None
        for number, mask in enumerate(masks):
            if mask is not None:
                wide = _operation(model, "ExpandDims", [mask], {"axis": 1 if number else -1})
                found = wide if found is None else _operation(model, "LogicalAnd", [found, wide])
        assert found is not None  # or Keras 3 would have one, and Keras 2 none
        return found

    def _tensor(self, path: str, inside: str, origin: Hashable) -> dict[str, Any]:
        """Return the mask of an origin as a tensor of the graph, which gets the operations that compute it."""
        if (inside, origin) not in self.made:
            self.made[inside, origin] = self._computed(path, inside, origin)
        return self.made[inside, origin]

    def _computed(self, path: str, inside: str, origin: Any) -> dict[str, Any]:
        model = self.models[inside]
        kind, *rest = origin if isinstance(origin, tuple) else (origin,)
        if kind == "Embedding":
            return _operation(model, "NotEqual", [self._source(path, inside, rest[1]), 0])
        if kind == "Masking":
            unlike = _operation(model, "NotEqual", [self._source(path, inside, rest[1]), float(rest[0])])
            return _operation(model, "Any", [unlike], {"axis": -1, "keepdims": False})
        if kind == JOINED and rest[0] == "both":
            inner = [self._tensor(path, inside, each) for each in rest[1:]]
            return _operation(model, "Concatenate", [inner], {"axis": 1})
        if kind != MERGED:
            raise Refused(path, DIFFERS)
        first, *others = (self._tensor(path, inside, each) for each in rest[1:] if each is not None)
        for other in others:
            first = _operation(model, "LogicalAnd", [first, other])
        return first

    def _source(self, path: str, inside: str, tensor: Any) -> dict[str, Any]:
        """Return the tensor that a mask is computed from; raise Refused where it is not one of this model's."""
        maker, _, index = tensor if isinstance(tensor, tuple) else ("", 0, None)
        if index is None or maker.rpartition("/")[0] != inside or self.calls[maker] != 1:
            raise Refused(path, DIFFERS)
        return _reference(self.parts[maker].name, index)


def _end_mask(path: str, part: LayerPart, model: LayerPart) -> str:
    """Put a ZeroPadding1D of no steps before a layer; return its name."""
    name = _free(model, f"{part.name}_unmasked")
    config = {"name": name, "trainable": True, "dtype": part.config.get("dtype", "float32"), "padding": [0, 0]}
    record: dict[str, Any] = {"module": "keras.layers", "class_name": "ZeroPadding1D", "config": config}
    record["registered_name"] = None
    if model.class_name == "Functional":
        (call,) = part.record["inbound_nodes"]
        if len(call["args"]) != 1 or isinstance(call["args"][0], list):
            raise Refused(path, DIFFERS)
        record.update(name=name, inbound_nodes=[{"args": call["args"], "kwargs": {}}])
        call["args"] = [_reference(name, 0)]
    _insert(model, record, model.parts.index(part))
    return name


def _operation(model: LayerPart, name: str, arguments: list[Any], own: dict[str, Any] | None = None) -> dict[str, Any]:
    """Add an operation on tensors and numbers to a graph; return the tensor that it makes."""
    called = _free(model, "carried_mask")
    record = {
        "module": _NUMPY,
        "class_name": name,
        "config": {"name": called, **(own or {})},
        "registered_name": name,
        "name": called,
        "inbound_nodes": [{"args": arguments, "kwargs": {}}],
    }
    _insert(model, record, len(model.parts))
    return _reference(called, 0)


def _insert(model: LayerPart, record: dict[str, Any], place: int) -> None:
    model.parts.insert(place, LayerPart(record, "layers"))
    model.config["layers"].insert(place, record)


def _reference(name: str, output: int) -> dict[str, Any]:
    config = {"shape": UNSHAPED, "dtype": "float32", "keras_history": [name, 0, output]}
    return {"class_name": "__keras_tensor__", "config": config}


def _free(model: LayerPart, wanted: str) -> str:
    taken = {part.name for part in model.parts}
    return next(name for name in _names(wanted) if name not in taken)


def _names(wanted: str) -> Iterator[str]:
    yield wanted
    number = 1
    while True:
        yield f"{wanted}_{number}"
        number += 1
