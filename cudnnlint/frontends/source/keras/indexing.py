"""What an index makes of a tensor: `x[:, 0]` has a dimension less."""

from __future__ import annotations

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.keras.tensors import Tensor, operation
from cudnnlint.frontends.source.python.values import Const, Tuple, Value


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
