"""TensorFlowOpLayer, the operations in models of TensorFlow 2.0 to 2.3, as calls of the functions that they came from.

The record holds the NodeDef of one operation, and those of its inputs that are constant by their place (TensorFlow 2.3
`base_layer.py:TensorFlowOpLayer`); the call holds the others. A strided slice becomes the slicing that it came from.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from cudnnlint.core.errors import Refused
from cudnnlint.frontends.serialized.histories import is_history
from cudnnlint.rewriters.saved.keras3.op_graph import RAW, SLICING, OpGraph, put_together
from cudnnlint.rewriters.saved.layer_tree import LayerPart
from cudnnlint.rulebook.conversion_table import RawOperation

_SLICE = "StridedSlice"
_DTYPES = {"FLOAT": "float32", "DOUBLE": "float64", "HALF": "float16"}


def name_functions(above: str, graph: OpGraph, raw: Mapping[str, RawOperation]) -> None:
    """Make every TensorFlowOpLayer of a model the call of a function; raise Refused for an unknown operation."""
    for part in list(graph.model.parts):
        if part.class_name == RAW:
            _name_function(f"{above}/{part.name}" if above else part.name, part, graph, raw)


def _name_function(path: str, part: LayerPart, graph: OpGraph, raw: Mapping[str, RawOperation]) -> None:
    node = part.config.get("node_def")
    attributes = node.get("attr", {}) if isinstance(node, dict) else None
    if not isinstance(node, dict) or not isinstance(attributes, dict):
        raise Refused(path, "is a TensorFlow operation whose definition the file does not show")
    operation, inputs = str(node.get("op")), _inputs(path, part, graph)
    if operation == _SLICE:
        spec = _spec(path, inputs, {name: _attribute(found) for name, found in attributes.items()})
        first = put_together(inputs[0], {"slice_spec": spec})
        graph.set_record(part, SLICING, {"function": "__operators__.getitem"}, first)
        return
    row = raw.get(operation)
    if row is None:
        raise Refused(
            path, f"is TensorFlow's {operation}, for which Keras 3 has no operation: rebuild the model from its code"
        )
    first, named = _arguments(path, row, inputs)
    for name, argument in row.attributes.items():
        if name in attributes:
            named[argument] = _attribute(attributes[name])
    for argument, value in row.plain.items():
        if named.get(argument) == value:
            del named[argument]
    graph.set_call(part, row.function, first, named)


def _inputs(path: str, part: LayerPart, graph: OpGraph) -> list[Any]:
    """Return what the operation is called with, by place: tensors and constants."""
    called, constants = graph.call(part), part.config.get("constants")
    if called is None:
        raise Refused(path, "is an operation that is called several times")
    first, _ = called
    tensors = [first] if is_history(first) else first if isinstance(first, list) else []
    known = constants if isinstance(constants, dict) else {}
    if not all(str(place).isdigit() for place in known):
        raise Refused(path, "is a TensorFlow operation whose constants the file does not show")
    inputs, places = list(tensors), {int(place): value for place, value in known.items()}
    for place in sorted(places):
        inputs.insert(place, places[place])
    return inputs


def _arguments(path: str, row: RawOperation, inputs: list[Any]) -> tuple[Any, dict[str, Any]]:
    """Return the first argument of the function, and the others by name.

    `row.inputs` names them by place: "" is the first, "*" as many as there are, as a list.
    """
    names = list(row.inputs)
    if "*" in names:
        place, more = names.index("*"), len(inputs) - len(names) + 1
        end = place + more
        inputs = [*inputs[:place], inputs[place:end], *inputs[end:]]
        names[place] = ""
    if len(inputs) < len(names):
        raise Refused(path, "is a TensorFlow operation that lacks some of its inputs in the file")
    found = dict(zip(names, inputs, strict=False))
    return found.pop(""), found


def _attribute(found: Any) -> Any:
    """Return the value of an attribute: {"i": "3"}, {"b": true}, {"type": "DT_INT32"}, {"list": {"i": ["2"]}}.

    The bytes of {"s": ...} are in base 64.
    """
    if not isinstance(found, dict):
        return found
    if "list" in found:
        inner = found["list"]
        values: Any = inner.get("i", []) if isinstance(inner, dict) else []
        return [int(one) for one in values if str(one).lstrip("-").isdigit()] if isinstance(values, list) else []
    for key, value in found.items():
        if key == "type":
            name = str(value).removeprefix("DT_")
            return _DTYPES.get(name, name.lower())
        if key == "s":
            return _text(str(value))
        return int(value) if key == "i" and str(value).lstrip("-").isdigit() else value
    return None


def _text(found: str) -> str:
    try:
        return base64.b64decode(found, validate=True).decode()
    except ValueError:
        return ""


def _spec(path: str, inputs: list[Any], masks: dict[str, Any]) -> list[Any]:
    """Return the key of a slicing, `x[key]`, from begins, ends and steps, and the bits that say what they mean."""
    bounds = [part if isinstance(part, list) else [part] for part in inputs[1:4]]
    whole = all(type(one) is int for part in bounds for one in part)
    if len(bounds) != 3 or not whole or len({len(part) for part in bounds}) != 1:
        raise Refused(path, "slices with a bound that is computed")

    def bit(name: str, place: int) -> bool:
        mask = masks.get(f"{name}_mask", 0)
        return isinstance(mask, int) and bool(mask >> place & 1)

    spec: list[Any] = []
    for place, (begin, end, step) in enumerate(zip(*bounds, strict=True)):
        if bit("ellipsis", place):
            spec.append({"class_name": "__ellipsis__"})
        elif bit("new_axis", place):
            spec.append(None)
        elif bit("shrink_axis", place):
            spec.append(begin)
        else:
            start, stop = (None if bit("begin", place) else begin), (None if bit("end", place) else end)
            spec.append({"start": start, "stop": stop, "step": None if step == 1 else step})
    return spec
