"""Functions of TensorFlow that Keras 3 has as several operations: they are put together of functions that it has.

The formulas are TensorFlow's own (tensorflow/python/ops/nn_impl.py, linalg_ops.py, array_ops.py, math_ops.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cudnnlint.frontends.serialized.histories import is_history
from cudnnlint.rewriters.saved.keras3.op_graph import OpGraph
from cudnnlint.rewriters.saved.layer_tree import LayerPart

_MATMUL = "linalg.matmul"
#: Norms that are the square root of the sum of squares along one axis.
_EUCLIDEAN = ("euclidean", 2, 2.0, None)


def take_apart(graph: OpGraph) -> None:
    """Rewrite such functions in one model, in place."""
    for part in list(graph.model.parts):
        write = _WRITERS.get(graph.function(part))
        called = graph.call(part) if write is not None else None
        if write is not None and called is not None:
            write(graph, part, *called)


def _matmul(graph: OpGraph, part: LayerPart, first: Any, named: dict[str, Any]) -> None:
    """Write a product of transposed matrices: Keras 3's transposes nothing."""
    other = named.pop("b", None)
    turned = [
        any(named.pop(f"{how}_{side}", None) for how in ("transpose", "adjoint")) for side in ("a", "b")
    ]  # of real numbers, the adjoint is the transpose
    if turned[0] and is_history(first):
        first = graph.add(part, "first", "linalg.matrix_transpose", first)
    if turned[1] and is_history(other):
        other = graph.add(part, "second", "linalg.matrix_transpose", other)
    elif turned[1]:
        named["transpose_b"] = True  # of a constant
    graph.set_call(part, _MATMUL, first, {"b": other, **named})


def _squared_difference(graph: OpGraph, part: LayerPart, first: Any, named: dict[str, Any]) -> None:
    graph.set_call(part, "math.square", graph.add(part, "difference", "math.subtract", first, y=named.get("y")), {})


def _add_n(graph: OpGraph, part: LayerPart, first: Any, named: dict[str, Any]) -> None:
    if not isinstance(first, list) or is_history(first) or len(first) < 2:
        return
    *rest, last = first
    total = rest[0]
    for number, one in enumerate(rest[1:]):
        total = graph.add(part, f"part_{number + 1}", "math.add", total, y=one)
    graph.set_call(part, "math.add", total, {"y": last})


def _l2_normalize(graph: OpGraph, part: LayerPart, first: Any, named: dict[str, Any]) -> None:
    """Write x times rsqrt(max(sum(x^2), epsilon))."""
    squares = graph.add(part, "squares", "math.square", first)
    total = graph.add(part, "sum", "math.reduce_sum", squares, axis=named.get("axis"), keepdims=True)
    epsilon = named.get("epsilon")
    bounded = graph.add(part, "bounded", "math.maximum", total, y=1e-12 if epsilon is None else epsilon)
    graph.set_call(part, "math.multiply", first, {"y": graph.add(part, "inverse", "math.rsqrt", bounded)})


def _norm(graph: OpGraph, part: LayerPart, first: Any, named: dict[str, Any]) -> None:
    axis, order = named.get("axis"), named.get("ord")
    if isinstance(order, (int, float, str, type(None))) and order in _EUCLIDEAN and (axis is None or type(axis) is int):
        squares = graph.add(part, "squares", "math.square", first)
        keep = bool(named.get("keepdims"))
        total = graph.add(part, "sum", "math.reduce_sum", squares, axis=axis, keepdims=keep)
        graph.set_call(part, "math.sqrt", total, {})


def _sequence_mask(graph: OpGraph, part: LayerPart, first: Any, named: dict[str, Any]) -> None:
    """Compare the numbers of the steps with each length."""
    steps, dtype = named.get("maxlen"), named.get("dtype")
    if type(steps) is not int or not 0 < steps <= 1 << 16 or dtype not in (None, "bool"):
        return
    lengths = graph.add(part, "lengths", "expand_dims", first, axis=-1)
    graph.set_call(part, "math.greater", lengths, {"y": list(range(steps))})


def _band_part(graph: OpGraph, part: LayerPart, first: Any, named: dict[str, Any]) -> None:
    band = (named.get("num_lower"), named.get("num_upper"))
    halves = {(-1, 0): "experimental.numpy.tril", (0, -1): "experimental.numpy.triu"}
    if all(type(width) is int for width in band) and band in halves:
        graph.set_call(part, halves[band], first, {})


_Writer = Callable[[OpGraph, LayerPart, Any, dict[str, Any]], None]
_WRITERS: dict[str, _Writer] = {
    _MATMUL: _matmul,
    "math.squared_difference": _squared_difference,
    "math.add_n": _add_n,
    **dict.fromkeys(("math.l2_normalize", "nn.l2_normalize", "linalg.l2_normalize"), _l2_normalize),
    **dict.fromkeys(("compat.v1.norm", "norm", "linalg.norm"), _norm),
    "sequence_mask": _sequence_mask,
    "linalg.band_part": _band_part,
}
