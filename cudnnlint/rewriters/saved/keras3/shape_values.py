"""`tf.shape` inside a model of Keras 2: what is computed of it, where Keras 3 needs no tensor for it.

Keras 3 has no operation that gives a shape as a tensor. But a size that is known is a number, a reshape finds one size
by itself, and the layer Reshape leaves the batch as it is. So sizes are followed through the graph as values, put where
they are used, and the operations that computed them go. What is left over is refused when it is lifted.
"""

from __future__ import annotations

import math
from typing import Any, Union

from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.frontends.serialized.histories import is_history
from cudnnlint.rewriters.saved.keras3.op_graph import SLICING, OpGraph, exchanged, is_constant, is_operation
from cudnnlint.rewriters.saved.layer_tree import LayerPart, words

#: The first tensor of a chain, by its layer and output.
Tensor = tuple[str, int]


@dataclass(frozen=True)
class Size:
    """The size of one axis of a tensor; None: computed from sizes in a way that is not followed."""

    of: Tensor | None = None
    axis: int = 0


@dataclass(frozen=True)
class Shape:
    """The whole shape of a tensor."""

    of: Tensor


Value = Union[int, Size, Shape, list[Any]]

SHAPES = words("compat.v1.shape shape shape_v2")
_FILLED = {"zeros": "zeros_like", "ones": "ones_like", "fill": "zeros_like"}
_ARITHMETIC = words(
    """
    __operators__.add math.add math.subtract math.multiply math.floordiv compat.v1.floor_div math.floormod
    math.maximum math.minimum math.truediv
    """
)
#: Functions behind which the first axis is that of their first argument.
_KEEP_FIRST = words(
    """
    cast clip_by_value math.abs math.exp math.log math.log1p math.negative math.reciprocal math.rsqrt math.sigmoid
    math.sign math.softplus math.sqrt math.square math.tanh nn.elu nn.gelu nn.leaky_relu nn.relu nn.relu6 nn.selu
    nn.silu nn.softmax nn.softsign nn.tanh ones_like stop_gradient zeros_like
    """
)


def follow_sizes(graph: OpGraph) -> list[str]:
    """Put sizes where they are used in one model, in place, and take out what computed them.

    Return the names of the layers of which nothing but a size was used.
    """
    found = _Sizes(graph)
    values = {place: value for place, value in found.values.items() if _settled(value)}
    for part in list(graph.model.parts):
        called = graph.call(part) if is_operation(part) else None
        if called is None or (part.name, 0) in found.values:
            continue
        first, named = called
        function = graph.function(part)
        if function == "reshape":
            found.reshape(part, first, named)
        elif function in _FILLED:
            found.fill(part, function, first, named)
        elif part.class_name != SLICING:
            kept = exchanged(called, values)
            if kept != called:
                graph.set_call(part, function, *kept)
    return graph.remove_unused() if found.values else []


def _settled(value: Value) -> bool:
    return type(value) is int or (isinstance(value, list) and all(type(one) is int for one in value))


class _Sizes:
    """The sizes and shapes that tensors of a model hold, by layer and output."""

    def __init__(self, graph: OpGraph) -> None:
        self.graph = graph
        self.values: dict[Tensor, Value] = {}
        for part in graph.model.parts:  # in the order in which the file has them: each behind what it takes
            called = graph.call(part) if is_operation(part) else None
            if called is not None:
                self._enter(part, *called)

    def _enter(self, part: LayerPart, first: Any, named: dict[str, Any]) -> None:
        function, given = self.graph.function(part), self.value(first)
        if function in SHAPES and is_history(first):
            self.values[part.name, 0] = Shape((first[0], first[2]))
        elif part.class_name == SLICING and isinstance(given, (Shape, list)):
            self.values[part.name, 0] = self._item(given, named.get("slice_spec"))
        elif function == "unstack" and isinstance(given, (Shape, list)):
            outputs = given if isinstance(given, list) else [self.size(given.of, axis) for axis in range(8)]
            self.values.update({(part.name, number): one for number, one in enumerate(outputs)})
        elif function == "stack" and self._is_sizes(given) and not named.get("axis"):
            self.values[part.name, 0] = given or []
        elif function == "cast" and isinstance(given, (int, Size)) and not is_constant(first):
            self.values[part.name, 0] = given
        elif function in _ARITHMETIC and self._is_number(first) and self._is_number(named.get("y")):
            self.values[part.name, 0] = Size()

    def value(self, found: Any) -> Value | None:
        """Return what an argument is: a number, a size, a shape, or a list of numbers and sizes."""
        if type(found) is int:
            return found
        if is_constant(found):
            return self.value(found[2])
        if is_history(found):
            return self.values.get((found[0], found[2]))
        if isinstance(found, list):
            inner = [self.value(one) for one in found]
            return None if any(one is None for one in inner) else inner
        return None

    def _is_sizes(self, given: Value | None) -> bool:
        return isinstance(given, list) and any(isinstance(one, Size) for one in given)

    def _is_number(self, found: Any) -> bool:
        return isinstance(found, float) or isinstance(self.value(found), (int, Size))

    def size(self, of: Tensor, axis: int) -> int | Size:
        """Return the size of an axis: a number where an Input says it."""
        part = self.graph.parts.get(of[0])
        shape = None
        if part is not None and part.class_name == "InputLayer":
            shape = part.config.get("batch_input_shape", part.config.get("batch_shape"))
        if isinstance(shape, list) and axis < len(shape) and type(shape[axis]) is int:
            return int(shape[axis])
        return Size(of, axis)

    def _item(self, given: Shape | list[Any], spec: Any) -> Value:
        if isinstance(spec, list) and len(spec) == 1:
            (spec,) = spec
        if type(spec) is int and spec >= 0:
            if isinstance(given, Shape):
                return self.size(given.of, spec)
            return given[spec] if spec < len(given) else Size()
        if isinstance(spec, dict) and spec.get("step") is None and type(spec.get("stop")) is int:
            start, stop = spec.get("start") or 0, spec["stop"]
            if type(start) is int and 0 <= start <= stop <= 8:
                return [self._item(given, axis) for axis in range(start, stop)]
        return Size()

    def reshape(self, part: LayerPart, first: Any, named: dict[str, Any]) -> None:
        """Write a reshape whose sizes are computed as one that finds a single size by itself."""
        wanted = self.value(named.get("shape"))
        if not isinstance(wanted, list) or not is_history(first) or not self._is_sizes(wanted):
            if isinstance(wanted, list) and _settled(wanted):
                self.graph.set_call(part, "reshape", first, {**named, "shape": wanted})
            return
        numbers = [one if type(one) is int else -1 for one in wanted]
        if numbers.count(-1) == 1:
            self.graph.set_call(part, "reshape", first, {**named, "shape": numbers})
        elif numbers.count(-1) == 2 and isinstance(wanted[0], Size) and self._same_batch(wanted[0], first):
            config = {"target_shape": numbers[1:]}
            self.graph.set_record(part, "Reshape", config, [[*first[:3], {}]])

    def fill(self, part: LayerPart, function: str, first: Any, named: dict[str, Any]) -> None:
        """Write zeros, ones or a number, as many as there are rows in a batch, as those of a tensor's own batch."""
        wanted, dtype, graph = self.value(first), named.get("dtype"), self.graph
        rows, *sizes = wanted if isinstance(wanted, list) and wanted else (None,)
        value = named.get("value", 0.0) if function == "fill" else 0.0
        numbers = [size for size in sizes if type(size) is int and size > 0]
        if not isinstance(rows, Size) or rows.of is None or rows.axis or not sizes or numbers != sizes:
            return
        if dtype not in (None, "float32") or not isinstance(value, float):
            return
        of = [rows.of[0], 0, rows.of[1]]
        flat = graph.add_layer(part, "flat", "Flatten", of)
        one = graph.before(part, "one")
        spec = [{"start": None, "stop": None, "step": None}, {"start": None, "stop": 1, "step": None}]
        graph.set_record(one, SLICING, {"function": "__operators__.getitem"}, [*flat, {"slice_spec": spec}])
        number = graph.add(part, "number", "cast", [one.name, 0, 0], dtype="float32")
        number = graph.add(part, "like", _FILLED[function], number)
        if value:
            number = graph.add(part, "value", "math.add", number, y=value)
        many = graph.add(part, "many", "tile", number, multiples=[1, math.prod(numbers)])
        graph.set_record(part, "Reshape", {"target_shape": numbers}, [[*many, {}]])

    def _same_batch(self, size: Size, tensor: Any) -> bool:
        batch = None if size.of is None or size.axis else self._batch([size.of[0], 0, size.of[1]], 0)
        return batch is not None and batch == self._batch(tensor, 0)

    def _batch(self, tensor: Any, depth: int) -> str | None:
        """Return a word for the rows of a tensor: one for all whose first axis is the batch of the model."""
        part = self.graph.parts.get(tensor[0])
        if part is None or depth > 200:
            return None
        if not is_operation(part):
            nodes = part.record.get("inbound_nodes")
            if part.class_name == "InputLayer" or not nodes:
                return "batch"
            first = _first_tensor(nodes)
            return None if first is None else self._batch(first, depth + 1)
        called = self.graph.call(part)
        if called is None:
            return None
        first, named = called
        if is_history(first) and self._keeps_first(part, named):
            return self._batch(first, depth + 1)
        return f"{tensor[0]}:{tensor[2]}"

    def _keeps_first(self, part: LayerPart, named: dict[str, Any]) -> bool:
        function = self.graph.function(part)
        if part.class_name == SLICING:
            spec = named.get("slice_spec")
            first = spec[0] if isinstance(spec, list) and spec else None
            return isinstance(first, dict) and set(first.values()) == {None}
        if function in _ARITHMETIC:
            return isinstance(named.get("y"), (int, float))
        if function == "expand_dims":
            return type(named.get("axis")) is int and named["axis"] > 0
        if function == "compat.v1.transpose":
            return isinstance(named.get("perm"), list) and named["perm"][:1] == [0]
        return function in _KEEP_FIRST


def _first_tensor(nodes: Any) -> Any:
    while isinstance(nodes, list) and nodes and not is_history(nodes):
        nodes = nodes[0]
    return nodes if is_history(nodes) else None
