"""What an index makes of a tensor: `x[:, 0]` has a dimension less."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.keras import stops
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.tensors import Tensor, operation
from cudnnlint.frontends.source.python.values import Const, Tuple, Value

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The kind of stop (stops.py, tables/defaults.toml): Keras 3 takes a number or several parts, no slice, `...` or None.
ALONE = Const("a slice alone as the index of a tensor of a Keras graph")


def noted(run: Interpreter, value: Tensor, index: Value | None, part: Value | None) -> None:
    """Note where a part of a tensor is asked for that Keras 3 does not give; an index of None is a slice alone."""
    alone = index is None or (isinstance(index, Const) and index.value in (None, ...) and not index.assumed)
    inside = state_of(run).line_by_line or state_of(run).in_lambda
    if alone and not inside and isinstance(part, Tensor) and part.source is not None and stops.of_graph(run, value):
        stops.note(run, part.source, ALONE)


def indexed(value: Tensor, index: Const | Tuple) -> Tensor:
    """Return a part of a tensor: a number takes a dimension away, None puts one in, a slice (`()`) keeps it."""
    made, parts = operation(value), index.contents.items if isinstance(index, Tuple) else (index,)
    changes = [_change(part) for part in parts]
    if value.rank is None or None in changes:
        return made
    return replace(made, rank=value.rank + sum(change for change in changes if change is not None))


def _change(part: Value) -> int | None:
    """Return how many dimensions one part of an index adds; None where that is not known."""
    if isinstance(part, Tuple) and not part.contents.items:
        return 0
    if not isinstance(part, Const) or part.assumed:
        return None
    if type(part.value) is int:
        return -1
    return {None: 1, ...: 0}.get(part.value) if part.value in (None, ...) else None
