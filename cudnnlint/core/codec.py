"""A layer with its facts as plain JSON data and back, so that what a GPU was seen to do can be judged again later.

Where a fact stood in its file is left out: no verdict hangs on it, and it would be most of the record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any

from packaging.version import Version

from cudnnlint.core.fact import Absent, Assumed, Default, Known, OneOf, Opaque, Ref, Unknown
from cudnnlint.core.layer import Call, Construction, Layer, Wrapper
from cudnnlint.core.load_fault import LoadFault
from cudnnlint.core.place import SavedPlace, SourcePlace
from cudnnlint.core.target import Era, Span

KIND = "is"
KINDS: Mapping[str, type[Any]] = {
    one.__name__: one
    for one in (
        Absent, Assumed, Default, Known, OneOf, Opaque, Ref, Unknown, Call, Construction, Layer, Wrapper, SavedPlace,
        SourcePlace, Era, Span, LoadFault,
    )
}  # fmt: skip


def pack(value: Any) -> Any:
    """Return a Layer, or a part of one, as JSON data; a value that JSON does not know is written as its text."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Version):
        return {KIND: "Version", "text": str(value)}
    if isinstance(value, tuple):
        return [pack(item) for item in value]
    if isinstance(value, list):
        return {KIND: "list", "items": [pack(item) for item in value]}
    if isinstance(value, Mapping):
        return {KIND: "dict", "items": [[pack(key), pack(item)] for key, item in value.items()]}
    if is_dataclass(value) and type(value).__name__ in KINDS:
        parts = {field.name: getattr(value, field.name) for field in fields(value) if _counts(field, value)}
        return {KIND: type(value).__name__, **{name: pack(part) for name, part in parts.items()}}
    return pack(Opaque(f"{value!r}"))


def unpack(data: Any) -> Any:
    """Return what `pack` was given. Raises KeyError for an unknown kind."""
    if isinstance(data, list):
        return tuple(unpack(item) for item in data)
    if not isinstance(data, dict):
        return data
    kind = data[KIND]
    if kind == "Version":
        return Version(data["text"])
    if kind == "list":
        return [unpack(item) for item in data["items"]]
    if kind == "dict":
        return {unpack(key): unpack(item) for key, item in data["items"]}
    return KINDS[kind](**{name: unpack(item) for name, item in data.items() if name != KIND})


def _counts(field: Field[Any], value: Any) -> bool:
    """Return whether a field holds more than its default, and is not a place."""
    left = field.default if field.default_factory is MISSING else field.default_factory()
    optional = left is not MISSING
    return not optional or (field.name not in ("place", "written") and bool(getattr(value, field.name) != left))
