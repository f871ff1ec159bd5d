"""Operations of TensorFlow inside a model of Keras 2 (TFOpLambda, SlicingOpLambda) as operations of Keras 3.

tf_keras 2.21 `base_layer.py:TFOpLambda`, `slicing_op_lambda`: the function's first argument is the call's tensor, all
others are keyword arguments of the call. keras 3.15.1 writes an operation of its own as an object with the arguments
that it was made with, and its call with the others, by place.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from cudnnlint.core.errors import Refused
from cudnnlint.frontends.serialized.histories import written
from cudnnlint.rewriters.saved.keras3.node_defs import name_functions
from cudnnlint.rewriters.saved.keras3.op_graph import SLICING, OpGraph, is_constant, is_operation, taken_apart
from cudnnlint.rewriters.saved.keras3.several_operations import take_apart
from cudnnlint.rewriters.saved.keras3.shape_values import SHAPES, follow_sizes
from cudnnlint.rewriters.saved.layer_tree import LayerPart
from cudnnlint.rewriters.saved.traced import TracedModel
from cudnnlint.rulebook.conversion_table import ConversionTable, Operation

_ITEM = Operation("keras.src.ops.numpy", "GetItem", (), {}, {})
#: Arguments that change no number.
_IDLE = frozenset({"name", "validate_shape", "validate_indices"})

#: A structure of Keras 2 with its tensors as Keras 3 writes them.
Tensors = Callable[[Any], Any]


def simplify(path: str, model: LayerPart, table: ConversionTable) -> list[str]:
    """Rewrite the operations of one functional model of Keras 2, in place, as such that Keras 3 has one by one.

    Return a sentence for each layer that is dropped.
    """
    if not any(map(is_operation, model.parts)):
        return []
    graph = OpGraph(model)
    name_functions(path, graph, table.raw_operations)
    unused = follow_sizes(graph)
    take_apart(graph)
    return [
        f"{path}/{name}".lstrip("/") + ": is dropped, as the model uses nothing of it but a size" for name in unused
    ]


def lift_operation(path: str, part: LayerPart, tensors: Tensors, table: ConversionTable) -> None:
    """Make the record of an operation, and of its one call, that of Keras 3's; raise Refused where it has none."""
    nodes = part.record.get("inbound_nodes")
    function = str(part.config.get("function"))
    operation = _ITEM if part.class_name == SLICING else table.operations.get(function)
    if function in SHAPES:
        raise Refused(
            path,
            "gives the shape of a tensor as a tensor, which Keras 3 has no operation for: rebuild the model from its "
            "code, with ops.shape and sizes that are known",
        )
    if operation is None:
        without = f"is TensorFlow's {function}, for which Keras 3 has no operation"
        raise Refused(path, f"{without}: rebuild the model from its code")
    if not isinstance(nodes, list) or len(nodes) != 1:
        raise Refused(path, "is an operation that is called several times")
    arguments, own = _arguments(path, nodes[0], operation, tensors)
    if operation.class_name == "Einsum" and isinstance(arguments[0], list):
        (arguments,) = arguments  # which takes its tensors one by one
    _settle(path, function, operation, own)
    name = part.name
    part.record.clear()
    part.record.update(
        module=operation.module,
        class_name=operation.class_name,
        config={"name": name, **own},
        registered_name=operation.class_name,
        name=name,
        inbound_nodes=[{"args": arguments, "kwargs": {}}],
    )


def _arguments(path: str, node: Any, operation: Operation, tensors: Tensors) -> tuple[list[Any], dict[str, Any]]:
    """Return what the operation is called with, and the arguments that become its own."""
    first, named = taken_apart(node)
    if operation is _ITEM:
        return [tensors(first), _key(path, named.pop("slice_spec", None))], {}
    given = [first, *(named.pop(name, None) for name in operation.takes)]
    own = {**dict(_settings(path, named, operation)), **operation.fixed}
    more = sorted(name for name, found in named.items() if found and name not in _IDLE)
    if more:
        raise Refused(path, f"is called with {', '.join(more)}, which Keras 3's {operation.class_name} does not take")
    return [_value(path, found, tensors) for found in given], own


def refuse_whole_means(traced: TracedModel) -> None:
    """Refuse a mean of whole numbers, which TensorFlow rounds down and Keras 3 does not."""
    for node, given in traced.tracer.calls:
        if (node.entry.module, node.entry.class_name) == ("keras.src.ops.numpy", "Mean") and given.first.dtype.whole:
            path = traced.places[node].layer_path
            raise Refused(path, "is the mean of whole numbers, which Keras 3 does not round down")


def _value(path: str, found: Any, tensors: Tensors) -> Any:
    """Return a tensor, a list of them, a number, or an array of numbers, as Keras 3 writes it."""
    if is_constant(found):
        found = found[2]
    if next(written(found), None) is not None:
        return tensors(found)
    if isinstance(found, list):
        return {"class_name": "__tensor__", "config": {"value": found, "dtype": _dtype(path, found)}}
    if isinstance(found, (int, float)):
        return found
    raise Refused(path, "is called with what is neither a tensor nor a number")


def _dtype(path: str, found: Any) -> str:
    while isinstance(found, list) and found:
        found = next((item for item in found if not isinstance(item, int)), found[0])
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        raise Refused(path, "is called with an array that does not hold numbers")
    return "float32" if isinstance(found, float) else "int32"


def _settings(path: str, named: dict[str, Any], operation: Operation) -> Iterator[tuple[str, Any]]:
    """Take the arguments out that become the operation's own: numbers, names, and lists of numbers.

    Nothing is written where Keras 3 has the default of TensorFlow.
    """
    for name, (new, default) in operation.sets.items():
        found = named.pop(name, None)
        if next(written(found), None) is not None or isinstance(found, dict):
            raise Refused(path, f"is called with {name} that is computed")
        if found is not None or default != "":
            yield new, default if found is None else found


def _key(path: str, found: Any) -> Any:
    """Return the key of a slicing, `x[key]`."""
    if isinstance(found, list):
        return [_key(path, item) for item in found]
    if isinstance(found, dict) and set(found) == {"start", "stop", "step"}:
        for bound in found.values():
            if bound is not None and type(bound) is not int:
                raise Refused(path, "slices with a bound that is computed")
        return {"class_name": "__slice__", "config": dict(found)}
    if isinstance(found, dict) and found.get("class_name") == "__ellipsis__":
        return {"class_name": "__ellipsis__", "config": {}}
    if found is None or type(found) is int:
        return found
    raise Refused(path, "slices with an index that is computed")


def _settle(path: str, function: str, operation: Operation, own: dict[str, Any]) -> None:
    """Write out what the two spell differently; raise Refused where something is missing or is not in Keras 3."""
    if operation.class_name in ("Squeeze", "Flip") and isinstance(own.get("axis"), list) and len(own["axis"]) == 1:
        (own["axis"],) = own["axis"]
    if operation.class_name == "Squeeze" and own.get("axis") == []:
        del own["axis"]
    if operation.class_name == "Split" and isinstance(own.get("indices_or_sections"), list):
        own["indices_or_sections"] = _ends(path, own["indices_or_sections"])
    if operation.class_name == "Pad":
        own["mode"] = str(own["mode"]).lower()
    missing = [name for name, default in _needed(operation) if default == "" and name not in own]
    if missing:
        raise Refused(path, f"is TensorFlow's {function} without {', '.join(missing)}")


def _ends(path: str, sizes: list[Any]) -> list[int]:
    """Return where parts of given sizes end, all but the last: Keras 3 splits there."""
    if not sizes or not all(type(size) is int and size >= 0 for size in sizes):
        raise Refused(path, "is TensorFlow's split into parts one of which has the size that is left")
    return list(itertools.accumulate(sizes[:-1]))


def _needed(operation: Operation) -> list[tuple[str, Any]]:
    wanted = (
        "dtype", "x_min", "x_max", "num_classes", "newshape", "repeats", "indices_or_sections", "pad_width", "shift",
        "subscripts",
    )  # fmt: skip
    return [(new, default) for new, default in operation.sets.values() if new in wanted]
