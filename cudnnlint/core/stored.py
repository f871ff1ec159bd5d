"""Values of core as plain JSON data, whole, and back: what the result cache holds.

Nothing but the data classes and enumerations of core can come out of it, whatever the data says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from packaging.version import Version

from cudnnlint.core import diagnostic, edit, fact, graph, layer, place, report, target, verdict
from cudnnlint.core.quick_dataclass import field_names, is_quick

_MODULES = (diagnostic, edit, fact, graph, layer, place, report, target, verdict)
_KINDS: Mapping[str, type[Any]] = {
    name: kind
    for module in _MODULES
    for name, kind in vars(module).items()
    if isinstance(kind, type) and kind.__module__ == module.__name__ and (is_quick(kind) or issubclass(kind, Enum))
}
_FIELDS = {kind: field_names(kind) for kind in _KINDS.values() if is_quick(kind)}  # type: ignore[arg-type]
_PLAIN = (type(None), bool, int, float, str)
#: Collections by their mark.
_MANY: Mapping[str, Callable[[list[Any]], Any]] = {"(": tuple, "[": list, "{": set, "f": frozenset}
_MARKS = {make: mark for mark, make in _MANY.items()}


class NotStorable(Exception):
    """Raised for a value that is no value of core."""


def packed(value: Any) -> Any:
    """Return a value as JSON data. Raises NotStorable."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind in _FIELDS:
        return [kind.__name__, *[packed(getattr(value, name)) for name in _FIELDS[kind]]]
    if kind in _MARKS:
        return [_MARKS[kind], *map(packed, value)]
    if kind is dict:
        return [":", *[packed(part) for item in value.items() for part in item]]
    if isinstance(value, Enum) and _KINDS.get(kind.__name__) is kind:
        return [kind.__name__, value.value]
    if kind is Version:
        return ["v", str(value)]
    if kind is complex:
        return ["c", value.real, value.imag]
    if kind is bytes:
        return ["b", value.decode("latin-1")]
    if value is ...:
        return ["."]
    raise NotStorable(kind.__name__)


def unpacked(data: Any) -> Any:
    """Return what `packed` was given. Raises LookupError, TypeError or ValueError for other data."""
    if type(data) is not list:
        return data
    mark, *parts = data
    kind = _KINDS.get(mark)
    if kind in _FIELDS:
        made = object.__new__(kind)
        made.__dict__.update(zip(_FIELDS[kind], map(unpacked, parts), strict=True))
        return made
    if kind is not None:
        return kind(*parts)
    if mark in _MANY:
        return _MANY[mark]([unpacked(part) for part in parts])
    return _OTHERS[mark](parts)


def _dict(parts: list[Any]) -> dict[Any, Any]:
    found = iter([unpacked(part) for part in parts])
    return dict(zip(found, found, strict=True))


_OTHERS: Mapping[str, Callable[[list[Any]], Any]] = {
    ":": _dict,
    "v": lambda parts: Version(parts[0]),
    "c": lambda parts: complex(*parts),
    "b": lambda parts: parts[0].encode("latin-1"),
    ".": lambda parts: ...,
}
