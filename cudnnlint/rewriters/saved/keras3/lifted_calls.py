"""The calls between layers: Keras 2's lists of [layer, node, tensor, kwargs] as Keras 3's args and kwargs.

keras 3.15.1 `functional.py` (`deserialize_node`, `functional_from_config`). Keras 2 counts the calls of a
nested model from 1, because it keeps the call by which the model was made as node 0; Keras 3 counts them from
0 in `inbound_nodes`, and in `output_layers` from 1 for a Functional and from 0 for a Sequential.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cudnnlint.core.errors import Refused
from cudnnlint.rewriters.saved.layer_tree import Part, words

_MERGES = frozenset({"Add", "Average", "Concatenate", "Dot", "Maximum", "Minimum", "Multiply", "Subtract"})
_RECURRENT = words("LSTM GRU SimpleRNN RNN Bidirectional ConvLSTM1D ConvLSTM2D ConvLSTM3D")
#: Arguments of a call that mean the same in both. `training` is reported, not kept.
_KEPT = words("initial_state mask value key query attention_mask return_attention_scores use_causal_mask")


def lift_graph(path: str, model: Part) -> list[str]:
    """Rewrite `inbound_nodes` and `output_layers` of one functional model in place; return what is dropped."""
    reported: list[str] = []
    layers = {part.name: part for part in model.parts}
    bases = _bases(path, model, layers)
    for part in model.parts:
        below = f"{path}/{part.name}" if path else part.name
        nodes = part.entry.get("inbound_nodes", [])
        if not isinstance(nodes, list):
            raise Refused(below, "has calls that are not a list")
        part.entry["inbound_nodes"] = [_node(below, part, node, bases, reported) for node in nodes]
    outputs = model.config.get("output_layers")
    for name, base in bases.items():
        shift = base - 1 if layers[name].class_name == "Functional" else base
        _shift(outputs, name, shift)
    return reported


def _bases(path: str, model: Part, layers: dict[str, Part]) -> dict[str, int]:
    """For each nested model the number that its first call has here: the lowest that is referred to."""
    nested = {name for name, part in layers.items() if part.is_model}
    lowest: dict[str, int] = {}
    sources = [part.entry.get("inbound_nodes", []) for part in model.parts] + [model.config.get("output_layers")]
    for name, index, _, _ in (leaf for source in sources for leaf in leaves(source)):
        if name not in layers and name != "_CONSTANT_VALUE":
            raise Refused(path, f"refers to a layer {name!r} that is not in the model")
        if name in nested:
            lowest[name] = min(index, lowest.get(name, index))
    return lowest


def is_tensor(found: Any) -> bool:
    """Return whether it is [layer, node, tensor] or [layer, node, tensor, kwargs]."""
    return (
        isinstance(found, list)
        and len(found) in (3, 4)
        and isinstance(found[0], str)
        and all(isinstance(index, int) for index in found[1:3])
    )


def leaves(found: Any) -> Iterator[tuple[str, int, int, dict[str, Any]]]:
    """Yield all tensors named in a structure, those in kwargs included."""
    if is_tensor(found):
        kwargs = found[3] if len(found) == 4 and isinstance(found[3], dict) else {}
        yield found[0], found[1], found[2], kwargs
        yield from leaves(kwargs)
    elif isinstance(found, (list, dict)):
        for item in found if isinstance(found, list) else found.values():
            yield from leaves(item)


def _shift(found: Any, name: str, by: int) -> None:
    if is_tensor(found):
        found[1] -= by if found[0] == name else 0
    elif isinstance(found, (list, dict)):
        for item in found if isinstance(found, list) else found.values():
            _shift(item, name, by)


def _node(path: str, part: Part, node: Any, bases: dict[str, int], reported: list[str]) -> dict[str, Any]:
    first = next(leaves(node), None)
    if first is None:
        raise Refused(path, "is called on a value that is not the output of a layer")
    kwargs = {key: item for key, item in first[3].items() if item is not None}
    training = kwargs.pop("training", None)
    if training:
        raise Refused(path, "is called with training=True, which Keras 3 does not keep in a saved model")
    if training is False:
        reported.append(f"{path}: was called with training=False; in Keras 3 it follows the model when that trains")
    strange = sorted(set(kwargs) - _KEPT)
    if strange:
        raise Refused(path, f"is called with {', '.join(strange)}=, which Keras 3 may read in another way")
    tensors = _structure(path, node, bases)
    if part.class_name in _RECURRENT and isinstance(tensors, list) and len(tensors) > 1:
        kwargs["initial_state"] = None
        states = _flat(tensors[1:])
        return {"args": [tensors[0]], "kwargs": {**_kwargs(path, kwargs, bases), "initial_state": states}}
    if isinstance(tensors, list) and len(tensors) == 1 and part.class_name not in _MERGES:
        tensors = tensors[0]
    return {"args": [tensors], "kwargs": _kwargs(path, kwargs, bases)}


def _kwargs(path: str, kwargs: dict[str, Any], bases: dict[str, int]) -> dict[str, Any]:
    return {key: _structure(path, item, bases) for key, item in kwargs.items()}


def _structure(path: str, found: Any, bases: dict[str, int]) -> Any:
    if is_tensor(found):
        name, index, tensor = found[:3]
        if name == "_CONSTANT_VALUE":
            raise Refused(path, "is called with a constant")
        history = [name, index - bases.get(name, 0), tensor]
        config = {"shape": [None], "dtype": "float32", "keras_history": history}
        return {"class_name": "__keras_tensor__", "config": config}
    if isinstance(found, list):
        return [_structure(path, item, bases) for item in found]
    if isinstance(found, dict):
        return {key: _structure(path, item, bases) for key, item in found.items()}
    return found


def _flat(found: Any) -> list[Any]:
    return [leaf for item in found for leaf in _flat(item)] if isinstance(found, list) else [found]
