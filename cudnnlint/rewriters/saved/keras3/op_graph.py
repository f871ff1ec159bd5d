"""A functional model of Keras 2 that its operations are rewritten in: calls as a TFOpLambda has them.

tf_keras 2.21 `base_layer.py:TFOpLambda` writes a call as its first argument, a tensor, a list of tensors or a constant,
with the other arguments by name beside it: ["dense", 0, 0, {"axis": 1}].
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cudnnlint.frontends.serialized.histories import is_history, replaced, written
from cudnnlint.rewriters.saved.layer_tree import LayerPart

FUNCTION, SLICING, RAW = "TFOpLambda", "SlicingOpLambda", "TensorFlowOpLayer"
CONSTANT = "_CONSTANT_VALUE"


def is_operation(part: LayerPart) -> bool:
    """Return whether it is an operation of TensorFlow that became a layer."""
    return part.class_name in (FUNCTION, SLICING, RAW)


def is_constant(found: Any) -> bool:
    """Return whether it is a constant as Keras 2 writes one among tensors."""
    return isinstance(found, list) and len(found) > 2 and found[0] == CONSTANT


def taken_apart(node: Any) -> tuple[Any, dict[str, Any]]:
    """Return the first argument of a call, and the others by name; Keras 2 writes these behind each tensor of it."""
    named: dict[str, Any] = {}

    def bare(found: Any) -> Any:
        if is_history(found) or is_constant(found):
            if len(found) > 3 and isinstance(found[3], dict):
                named.update(found[3])
            return found[:3]
        return [bare(item) for item in found] if isinstance(found, list) else found

    return bare(node), named


def put_together(first: Any, named: dict[str, Any]) -> Any:
    """Return a call as Keras 2 writes it; the first argument is a tensor, a list of tensors, or a constant."""
    if is_history(first) or is_constant(first):
        return [*first[:3], named]
    if isinstance(first, list) and first and any(map(is_history, first)):
        whole = [one[:3] if is_history(one) or is_constant(one) else [CONSTANT, -1, one] for one in first]
        return [[*one, named] for one in whole]
    return [CONSTANT, -1, first, named]


class OpGraph:
    """One functional model. Parts and records are edited together."""

    def __init__(self, model: LayerPart) -> None:
        self.model = model
        self.parts = {part.name: part for part in model.parts}

    def call(self, part: LayerPart) -> tuple[Any, dict[str, Any]] | None:
        """Return the one call of an operation, taken apart; None where it has none or several."""
        nodes = part.record.get("inbound_nodes")
        return taken_apart(nodes[0]) if isinstance(nodes, list) and len(nodes) == 1 else None

    def function(self, part: LayerPart) -> str:
        """Return the name of the function of an operation; "" for a layer."""
        return str(part.config.get("function")) if part.class_name in (FUNCTION, SLICING) else ""

    def set_call(self, part: LayerPart, function: str, first: Any, named: dict[str, Any]) -> None:
        """Make a part the call of a function."""
        self.set_record(part, FUNCTION, {"function": function}, put_together(first, named))

    def set_record(self, part: LayerPart, class_name: str, config: dict[str, Any], node: Any) -> None:
        """Make a part a layer, or an operation, that is called once."""
        name, dtype = part.name, part.config.get("dtype", "float32")
        part.record.clear()
        part.record.update(
            class_name=class_name,
            config={"name": name, "trainable": True, "dtype": dtype, **config},
            name=name,
            inbound_nodes=[node],
        )

    def before(self, part: LayerPart, ending: str) -> LayerPart:
        """Add a part before another, still without a class, and named after it."""
        name = f"{part.name}_{ending}"
        while name in self.parts:
            name += "_"
        made = LayerPart({"class_name": FUNCTION, "config": {"name": name}, "name": name}, "layers")
        place = self.model.parts.index(part)
        self.model.parts.insert(place, made)
        self.model.config["layers"].insert(place, made.record)
        self.parts[name] = made
        return made

    def add(self, part: LayerPart, ending: str, function: str, first: Any, **named: Any) -> list[Any]:
        """Add the call of a function before a part; return the tensor that it makes."""
        made = self.before(part, ending)
        self.set_call(made, function, first, named)
        return [made.name, 0, 0]

    def add_layer(self, part: LayerPart, ending: str, class_name: str, tensor: Any, **config: Any) -> list[Any]:
        """Add a layer before a part; return the tensor that it makes."""
        made = self.before(part, ending)
        self.set_record(made, class_name, config, [[*tensor[:3], {}]])
        return [made.name, 0, 0]

    def remove_unused(self) -> list[str]:
        """Remove what no call and no output of the model names any more; return the names of the layers among it.

        Keras 3 would leave such a layer out, and count the others of its class anew when it looks for their weights.
        """
        layers: list[str] = []
        kept = {part.name for part in self.model.parts if part.class_name == "InputLayer"}
        while gone := self.parts.keys() - kept - set(self._named()):
            for name in sorted(gone):
                part = self.parts.pop(name)
                place = self.model.parts.index(part)
                del self.model.parts[place]
                del self.model.config["layers"][place]
                layers.extend([] if is_operation(part) else [name])
        return layers

    def _named(self) -> Iterator[str]:
        calls = [part.record.get("inbound_nodes") for part in self.model.parts]
        for found in (*calls, self.model.config.get("output_layers")):
            yield from (tensor[0] for tensor in written(found))


def exchanged(called: tuple[Any, dict[str, Any]], values: dict[tuple[str, int], Any]) -> tuple[Any, dict[str, Any]]:
    """Return a call with what tensors are known to hold in their place; `values` by layer and output."""

    def known(found: Any) -> Any:
        return replaced(found, lambda tensor: values.get((tensor[0], tensor[2]), tensor))

    first, named = called
    return known(first), {name: known(one) for name, one in named.items()}
