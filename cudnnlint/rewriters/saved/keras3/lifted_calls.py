"""The calls between layers: Keras 2's lists of [layer, call, output, kwargs] as Keras 3's args and kwargs.

keras 3.15.1 `functional.py` (`deserialize_node`, `functional_from_config`). Keras 2 counts the calls of a
nested model from 1, because it keeps the call by which the model was made as node 0; Keras 3 counts them from
0 in `inbound_nodes`, and in `output_layers` from 1 for a Functional and from 0 for a Sequential.
"""

from __future__ import annotations

from collections.abc import Set
from functools import partial
from typing import Any

from cudnnlint.core.errors import Refused
from cudnnlint.frontends.serialized.connections import Functional
from cudnnlint.frontends.serialized.histories import UNSHAPED, is_history, keywords, replaced, written
from cudnnlint.rewriters.saved.keras3.op_graph import is_operation
from cudnnlint.rewriters.saved.keras3.operations import lift_operation
from cudnnlint.rewriters.saved.layer_tree import LayerPart, words
from cudnnlint.rulebook.conversion_table import ConversionTable

_MERGES = frozenset({"Add", "Average", "Concatenate", "Dot", "Maximum", "Minimum", "Multiply", "Subtract"})
_RECURRENT = words("LSTM GRU SimpleRNN RNN Bidirectional ConvLSTM1D ConvLSTM2D ConvLSTM3D")
#: Arguments of a call that mean the same in both. `training` is reported, not kept.
_KEPT = words("initial_state mask value key query attention_mask return_attention_scores use_causal_mask")


def lift_graph(path: str, model: LayerPart, table: ConversionTable) -> list[str]:
    """Rewrite `inbound_nodes` and `output_layers` of one functional model in place; return what is dropped."""
    reported: list[str] = []
    layers = {part.name: part for part in model.parts}
    reader = Functional([part.entry for part in model.parts], [part.is_model for part in model.parts], model.config)
    for part in model.parts:
        below = f"{path}/{part.name}" if path else part.name
        nodes = part.record.get("inbound_nodes", [])
        if not isinstance(nodes, list):
            raise Refused(below, "has calls that are not a list")
        if is_operation(part):
            lift_operation(below, part, partial(_tensors, below, from_one=reader.from_one), table)
            continue
        part.record["inbound_nodes"] = [_node(below, part, node, reader.from_one, reported) for node in nodes]
    for output in written(model.config.get("output_layers")):
        counted = output[0] in layers and layers[output[0]].class_name == "Functional"
        output[1] -= int(output[0] in reader.from_one and not counted)
        output[1] += int(counted and output[0] not in reader.from_one)
    return reported


def _node(path: str, part: LayerPart, node: Any, from_one: Set[str], reported: list[str]) -> dict[str, Any]:
    if next(written(node), None) is None:
        raise Refused(path, "is called on a value that is not the output of a layer")
    named = keywords(node)
    kwargs = {key: item for key, item in named.items() if item is not None} if isinstance(named, dict) else {}
    training = kwargs.pop("training", None)
    if training:
        raise Refused(path, "is called with training=True, which Keras 3 does not keep in a saved model")
    if training is False:
        reported.append(f"{path}: was called with training=False; in Keras 3 it follows the model when that trains")
    unlike = sorted(set(kwargs) - _KEPT)
    if unlike:
        raise Refused(path, f"is called with {', '.join(unlike)}=, which Keras 3 may read in another way")
    if any(map(_has_number, kwargs.values())):
        raise Refused(path, "is called with a constant")
    tensors = _tensors(path, node, from_one)
    given = {key: _tensors(path, item, from_one) for key, item in kwargs.items()}
    if part.class_name in _RECURRENT and isinstance(tensors, list) and len(tensors) > 1:
        return {"args": [tensors[0]], "kwargs": {**given, "initial_state": _flat(tensors[1:])}}
    if isinstance(tensors, list) and len(tensors) == 1 and part.class_name not in _MERGES:
        tensors = tensors[0]
    return {"args": [tensors], "kwargs": given}


def _tensors(path: str, found: Any, from_one: Set[str]) -> Any:
    """Return a structure with its tensors as Keras 3 writes them; raise Refused where a constant is among them."""
    if _has_constant(found):
        raise Refused(path, "is called with a constant")

    def lifted(tensor: list[Any]) -> dict[str, Any]:
        name, call, output = tensor[:3]
        history = [name, call - int(name in from_one), output]
        config = {"shape": UNSHAPED, "dtype": "float32", "keras_history": history}
        return {"class_name": "__keras_tensor__", "config": config}

    return replaced(found, lifted)


def _has_constant(found: Any) -> bool:
    """Return whether a structure holds ["_CONSTANT_VALUE", -1, value], which Keras 2 writes for a constant."""
    if isinstance(found, list) and found and not is_history(found):
        return found[0] == "_CONSTANT_VALUE" or any(map(_has_constant, found))
    return isinstance(found, dict) and any(map(_has_constant, found.values()))


def _has_number(found: Any) -> bool:
    """Return whether a structure holds numbers: of an initial state that is a constant, Keras 2 writes all of them."""
    if isinstance(found, list) and not is_history(found):
        return any(map(_has_number, found))
    return isinstance(found, (int, float)) and not isinstance(found, bool)


def _flat(found: Any) -> list[Any]:
    return [leaf for item in found for leaf in _flat(item)] if isinstance(found, list) else [found]
