"""`dataclass` as in the standard library, made in a third of the time: a run makes hundreds before it reads a file.

The standard library compiles up to ten functions for each class, until Python 3.12 one by one. Here `__init__` alone is
compiled; the other methods are closures over the names of the fields. The class, its instances, `fields`, `replace` and
`asdict` do the same. There is no `__post_init__`, `InitVar` or `slots`, and that a frozen class does not inherit from
one that is not is left to the type checker.
"""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Callable, Sequence
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

_NONE = dataclasses.MISSING

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, eq=True, order=False):
        """Make a class a dataclass."""
        if cls is None:
            return lambda cls: _made(cls, frozen, eq, order)
        return _made(cls, frozen, eq, order)


def _made(cls: type[Any], frozen: bool, eq: bool, order: bool) -> type[Any]:
    """Return the class with the methods that it does not write itself."""
    fields = dataclasses.fields(dataclasses.dataclass(init=False, repr=False, eq=False)(cls))
    methods: dict[str, Any] = {"__init__": _init(fields, frozen), "__repr__": _repr([f.name for f in fields if f.repr])}
    key = _key([f.name for f in fields if f.compare])
    if eq:
        methods["__eq__"] = _comparing(key, operator.eq)
        methods["__hash__"] = (lambda self: hash(key(self))) if frozen else None
    if order:
        for name in ("__lt__", "__le__", "__gt__", "__ge__"):
            methods[name] = _comparing(key, getattr(operator, name))
    if frozen:
        methods |= _refusing(cls, frozenset(f.name for f in fields))
    for name, method in methods.items():
        if name not in cls.__dict__:
            setattr(cls, name, method)
    return cls


def _init(fields: Sequence[dataclasses.Field[Any]], frozen: bool) -> Callable[..., None]:
    """Return the function that sets the fields to what is given, or to their defaults."""
    known: dict[str, Any] = {"_set": object.__setattr__, "_none": _NONE}
    parameters: list[str] = ["self"]
    keywords: list[str] = []
    lines: list[str] = []
    for field in fields:
        name, given, value = field.name, field.name, field.name
        if field.default is not _NONE:
            known[f"_{name}"] = field.default
            given = f"{name}=_{name}"
        elif field.default_factory is not _NONE:
            known[f"_{name}"] = field.default_factory
            given, value = f"{name}=_none", f"_{name}() if {name} is _none else {name}"
        if field.init:
            (keywords if field.kw_only else parameters).append(given)
        elif given == name:
            continue  # no default, and not an argument: set by others
        else:
            value = f"_{name}" if field.default is not _NONE else f"_{name}()"
        lines.append(f" _set(self, {name!r}, {value})" if frozen else f" self.{name} = {value}")
    arguments = ", ".join([*parameters, *(["*", *keywords] if keywords else [])])
    exec(f"def __init__({arguments}):\n" + "\n".join(lines or [" pass"]), known)
    made: Callable[..., None] = known["__init__"]
    return made


def _key(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return the function that returns these attributes of an object."""
    if len(names) > 1:
        return operator.attrgetter(*names)
    if names:
        return lambda self: (getattr(self, names[0]),)
    return lambda self: ()


def _comparing(key: Callable[[Any], Any], compare: Callable[[Any, Any], Any]) -> Callable[[Any, object], Any]:
    def method(self: Any, other: object) -> Any:
        return compare(key(self), key(other)) if other.__class__ is self.__class__ else NotImplemented

    return method


def _repr(names: Sequence[str]) -> Callable[[Any], str]:
    @recursive_repr("...")
    def __repr__(self: Any) -> str:
        return f"{self.__class__.__qualname__}({', '.join([f'{name}={getattr(self, name)!r}' for name in names])})"

    return __repr__


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
