"""`dataclass` as in the standard library, made in a quarter of the time: a run makes hundreds before it reads a file.

The standard library compiles up to ten functions for each class, until Python 3.12 one by one. Here a method is
compiled when it is called first, which most never are. The class, its instances, `fields`, `replace` and `asdict` do
the same. There is no `__post_init__`, `InitVar`, `KW_ONLY` or `slots`, and that a frozen class does not inherit from
one that is not is left to the type checker. `replace`, for these classes and those of `core.frozen`, calls no
`__init__`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from functools import cache, partial
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

_NONE = dataclasses.MISSING

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import replace as replace
else:

    def dataclass(cls=None, /, *, frozen=False, eq=True, order=False, unsafe_hash=False):
        """Make a class a dataclass."""
        if cls is None:
            return lambda cls: _made(cls, frozen, eq, order, unsafe_hash)
        return _made(cls, frozen, eq, order, unsafe_hash)

    def replace(record, /, **changes):
        """Return a copy with other values of some fields. Raises TypeError for a name that is no field."""
        cls, state = record.__class__, {**record.__dict__, **changes}
        names = _names(cls)
        if len(state) != len(names):  # what was computed once and kept beside the fields is not of the copy
            state = {name: state.pop(name) for name in names}
            if changes.keys() - state:
                raise TypeError(f"{cls.__qualname__} has no such field: {sorted(changes.keys() - state)}")
        made = object.__new__(cls)
        made.__dict__.update(state)
        return made


@cache
def _names(cls: type[Any]) -> tuple[str, ...]:
    """Return the names of the fields of a class."""
    return tuple(field.name for field in dataclasses.fields(cls))


def _made(cls: type[Any], frozen: bool, eq: bool, order: bool, hashed: bool) -> type[Any]:
    """Return the class with the methods that it does not write itself."""
    fields = _fields(cls)
    compared = [f.name for f in fields if f.compare]
    signs = {"__eq__": "=="} if eq else {}
    signs |= {"__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="} if order else {}
    methods: dict[str, Any] = {"__repr__": _repr([f.name for f in fields if f.repr])}
    methods["__init__"] = _later(cls, "__init__", lambda: _init(fields, frozen))
    for name, sign in signs.items():
        methods[name] = _later(cls, name, partial(_comparing, name, sign, compared))
    if eq or hashed:
        by_fields = frozen or hashed
        methods["__hash__"] = _later(cls, "__hash__", lambda: _hash(compared)) if by_fields else None
    if frozen:
        methods |= _refusing(cls, frozenset(f.name for f in fields))
    for name, method in methods.items():
        if name not in cls.__dict__:
            setattr(cls, name, method)
    return cls


def _fields(cls: type[Any]) -> tuple[dataclasses.Field[Any], ...]:
    """Return the fields of a class, which becomes a dataclass without methods.

    The standard library searches each annotation that is a text for what makes it no field. Here it is given only the
    texts that may say so, which have ClassVar in them, and no text for the others.
    """
    made = dataclasses.dataclass(init=False, repr=False, eq=False)
    written = vars(cls).get("__annotations__", {})
    texts = {name: text for name, text in written.items() if isinstance(text, str)}
    plain = {name for name, text in texts.items() if "ClassVar" not in text}
    if plain:
        cls.__annotations__ = {name: None if name in plain else text for name, text in written.items()}
    fields = dataclasses.fields(made(cls))
    if plain:
        cls.__annotations__ = written
        for field in fields:
            if field.type is None:
                field.type = written[field.name]
    return fields


def _later(cls: type[Any], name: str, write: Callable[[], tuple[str, dict[str, Any]]]) -> Callable[..., Any]:
    """Return a method that is compiled when it is called first, from a text and what the text refers to."""

    def method(self: Any, *given: Any, **named: Any) -> Any:
        text, known = write()
        exec(text, known)
        setattr(cls, name, known[name])
        return known[name](self, *given, **named)

    return method


def _init(fields: Sequence[dataclasses.Field[Any]], frozen: bool) -> tuple[str, dict[str, Any]]:
    """Return the function that sets the fields to what is given, or to their defaults, and what it refers to."""
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
    return f"def __init__({arguments}):\n" + "\n".join(lines or [" pass"]), known


def _comparing(method: str, sign: str, names: Sequence[str]) -> tuple[str, dict[str, Any]]:
    text = (
        f"def {method}(self, other):\n if other.__class__ is self.__class__:\n"
        f"  return {_tuple('self', names)} {sign} {_tuple('other', names)}\n return NotImplemented"
    )
    return text, {}


def _hash(names: Sequence[str]) -> tuple[str, dict[str, Any]]:
    return f"def __hash__(self):\n return hash({_tuple('self', names)})", {}


def _tuple(of: str, names: Sequence[str]) -> str:
    return f"({''.join(f'{of}.{name},' for name in names)})"


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
