"""The methods of `core.quick_dataclass`: what they do without being compiled, and the text of the compiled ones."""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Callable, Sequence
from reprlib import recursive_repr
from typing import Any

NONE = dataclasses.MISSING
#: Where a class keeps its fields.
QUICK = "_quick_fields"
#: To compile a method takes as long as to do without for so many calls.
_OFTEN = 32
_ORDER = {"__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}
_SIGNS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq}


class Field:
    """A field, as far as methods depend on it."""

    __slots__ = ("compare", "default", "default_factory", "init", "kw_only", "name", "repr")

    def __init__(self, name: str, default: Any) -> None:
        self.name = name
        if type(default) is dataclasses.Field:
            self.default, self.default_factory = default.default, default.default_factory
            self.init, self.repr, self.compare = default.init, default.repr, default.compare
            self.kw_only = default.kw_only is True
        else:
            self.default, self.default_factory = default, NONE
            self.init = self.repr = self.compare = True
            self.kw_only = False


def methods(
    cls: type[Any], fields: Sequence[Field], frozen: bool, eq: bool, order: bool, hashed: bool
) -> dict[str, Any]:
    """Return what a class has that does not write it itself."""
    compared = [f.name for f in fields if f.compare]
    signs = ({"__eq__": "=="} if eq else {}) | (_ORDER if order else {})
    found: dict[str, Any] = {name: _comparing(cls, name, sign, compared) for name, sign in signs.items()}
    if eq or hashed:
        found["__hash__"] = _hashing(cls, compared) if frozen or hashed else None
    if frozen:
        found |= _refusing(cls, frozenset(f.name for f in fields))
    return found | {
        "__init__": _later(cls, "__init__", _setting(fields), lambda: _init(fields, frozen)),
        "__repr__": _shown,
        "__match_args__": tuple(f.name for f in fields if f.init and not f.kw_only),
    }


def _later(
    cls: type[Any], name: str, plainly: Callable[..., Any], write: Callable[[], tuple[str, dict[str, Any]]]
) -> Callable[..., Any]:
    """Return a method that is compiled when it has been called often, from a text and what the text refers to.

    Until then `plainly` does the same; it returns NotImplemented for a call that only the compiled one can answer.
    """
    calls = 0

    def method(self: Any, *given: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls < _OFTEN and (result := plainly(self, *given, **named)) is not NotImplemented:
            return result
        text, known = write()
        exec(text, known)
        setattr(cls, name, known[name])
        return known[name](self, *given, **named)

    return method


def _setting(fields: Sequence[Field]) -> Callable[..., Any]:
    """Return a function that sets the fields to what is given, or to their defaults."""
    positional: list[str] = []

    def plainly(self: Any, *given: Any, **named: Any) -> Any:
        if not positional:
            positional.extend(field.name for field in fields if field.init and not field.kw_only)
        values = dict(zip(positional, given, strict=False)) | named
        if len(given) > len(positional) or len(values) < len(given) + len(named):
            return NotImplemented
        state, taken = self.__dict__, 0
        for field in fields:
            name = field.name
            if field.init and name in values:
                state[name] = values[name]
                taken += 1
            elif field.default is not NONE:
                state[name] = field.default
            elif field.default_factory is not NONE:
                state[name] = field.default_factory()
            elif field.init:
                return NotImplemented
        return None if taken == len(values) else NotImplemented

    return plainly


def _init(fields: Sequence[Field], frozen: bool) -> tuple[str, dict[str, Any]]:
    """Return the function that sets the fields to what is given, or to their defaults, and what it refers to."""
    known: dict[str, Any] = {"_set": object.__setattr__, "_none": NONE}
    parameters: list[str] = ["self"]
    keywords: list[str] = []
    lines: list[str] = []
    for field in fields:
        name, given, value = field.name, field.name, field.name
        if field.default is not NONE:
            known[f"_{name}"] = field.default
            given = f"{name}=_{name}"
        elif field.default_factory is not NONE:
            known[f"_{name}"] = field.default_factory
            given, value = f"{name}=_none", f"_{name}() if {name} is _none else {name}"
        if field.init:
            (keywords if field.kw_only else parameters).append(given)
        elif given == name:
            continue  # no default, and not an argument: set by others
        else:
            value = f"_{name}" if field.default is not NONE else f"_{name}()"
        lines.append(f" _set(self, {name!r}, {value})" if frozen else f" self.{name} = {value}")
    arguments = ", ".join([*parameters, *(["*", *keywords] if keywords else [])])
    return f"def __init__({arguments}):\n" + "\n".join(lines or [" pass"]), known


def _comparing(cls: type[Any], method: str, sign: str, names: Sequence[str]) -> Callable[..., Any]:
    compare = _SIGNS[sign]

    def plainly(self: Any, other: Any) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return compare(*([getattr(side, name) for name in names] for side in (self, other)))

    def write() -> tuple[str, dict[str, Any]]:
        compared = f"{_tuple('self', names)} {sign} {_tuple('other', names)}"
        same = f" if other.__class__ is self.__class__:\n  return {compared}\n return NotImplemented"
        return f"def {method}(self, other):\n{same}", {}

    return _later(cls, method, plainly, write)


def _hashing(cls: type[Any], names: Sequence[str]) -> Callable[..., Any]:
    def plainly(self: Any) -> int:
        return hash(tuple([getattr(self, name) for name in names]))

    return _later(cls, "__hash__", plainly, lambda: (f"def __hash__(self):\n return hash({_tuple('self', names)})", {}))


def _tuple(of: str, names: Sequence[str]) -> str:
    return f"({''.join(f'{of}.{name},' for name in names)})"


@recursive_repr("...")
def _shown(self: Any) -> str:
    """Return what `repr` shows of a record."""
    shown = [field.name for field in getattr(self, QUICK).values() if field.repr]
    return f"{self.__class__.__qualname__}({', '.join([f'{name}={getattr(self, name)!r}' for name in shown])})"


def _refusing(cls: type[Any], names: frozenset[str]) -> dict[str, Any]:
    """Return the methods of a frozen class that set and delete no field."""

    def __setattr__(self: Any, name: str, value: object) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"{cls.__name__}.{name}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"{cls.__name__}.{name}")
        super(cls, self).__delattr__(name)

    return {"__setattr__": __setattr__, "__delattr__": __delattr__}
