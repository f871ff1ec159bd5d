"""The tensors that a serialised call names: ["name", 0, 0] in Keras 2, `keras_history` in Keras 3.

Reads them, and gives others in their place. What the names stand for is the business of connections.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.frontends.serialized.entry import text

#: The shape that `convert` writes: it says nothing, and the dtype beside it neither.
UNSHAPED = [None]


@dataclass(frozen=True)
class History:
    """A tensor as the file names it: layer name, call, output as the file counts; in Keras 3 dtype and rank too."""

    name: str
    call: int
    output: int
    dtype: str | None = None
    rank: int | None = None
    last: int | None = None


def keywords(call: Any) -> Any:
    """Return the keyword arguments of a Keras 2 call, which are beside its first tensor."""
    first = next(written(call), None)
    return first[3] if first is not None and len(first) > 3 and isinstance(first[3], dict) else {}


def histories(value: Any, keras3: bool) -> list[History]:
    """Return the tensors in an argument, in the order in which Keras flattens it."""
    if isinstance(value, dict):
        if value.get("class_name") == "__keras_tensor__":
            config = value.get("config")
            config = config if isinstance(config, dict) else {}
            value = config.get("keras_history")
            return [_history(value, config)] if is_history(value) else []
        return [found for key in sorted(value) for found in histories(value[key], keras3)]
    if not isinstance(value, list):
        return []
    if not keras3 and is_history(value):
        return [_history(value)]
    return [found for part in value for found in histories(part, keras3)]


def is_history(value: Any) -> bool:
    """Return whether a value names a tensor: ["name", 0, 0], in Keras 2 sometimes followed by keyword arguments.

    Constants are named _CONSTANT_VALUE.
    """
    return (
        isinstance(value, list)
        and len(value) in (3, 4)
        and isinstance(value[0], str)
        and type(value[1]) is int
        and type(value[2]) is int
        and value[1] >= 0
    )


def _history(value: list[Any], config: Mapping[str, Any] = MappingProxyType({})) -> History:
    shape = config.get("shape")
    if not isinstance(shape, list) or shape == UNSHAPED:
        return History(text(value[0]) or "", value[1], value[2])
    last = shape[-1] if shape and type(shape[-1]) is int else None
    return History(text(value[0]) or "", value[1], value[2], text(config.get("dtype")), len(shape), last)


def written(value: Any) -> Iterator[list[Any]]:
    """Yield every tensor that Keras 2 names in a structure, in its own list, those among keyword arguments too."""
    if is_history(value):
        yield value
        value = value[3:]
    if isinstance(value, (list, dict)):
        for part in value if isinstance(value, list) else value.values():
            yield from written(part)


def replaced(value: Any, change: Callable[[list[Any]], Any]) -> Any:
    """Return a structure of Keras 2 with `change` of every tensor in its place."""
    if is_history(value):
        return change(value)
    if isinstance(value, list):
        return [replaced(part, change) for part in value]
    return {key: replaced(part, change) for key, part in value.items()} if isinstance(value, dict) else value
