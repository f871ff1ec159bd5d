"""`dataclass` as in the standard library, made in a tenth of the time: a run makes hundreds before it reads a file.

The standard library compiles up to ten functions for each class, until Python 3.12 one by one. Here a method is
compiled when it has been called often, which most never are, and the standard library is told of the class when it is
asked about it first (`fields`, `asdict`, `is_dataclass`). The class, its instances, `fields`, `replace` and `asdict` do
the same. There is no `__post_init__`, `InitVar`, `KW_ONLY` or `slots`, and two things are left to linter and type
checker: that no default can be changed, and that a frozen class does not inherit from one that is not. `replace`, for
these classes and those of `core.frozen`, calls no `__init__`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from cudnnlint.core.quick_methods import NONE, QUICK, Field, methods

#: Where the standard library keeps the fields of a class, and how it was made.
_USUAL, _PARAMETERS = "__dataclass_fields__", "__dataclass_params__"

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import replace as replace
else:

    def dataclass(cls=None, /, *, frozen=False, eq=True, order=False, unsafe_hash=False):
        """Make a class a dataclass."""
        made = partial(_made, frozen=frozen, eq=eq, order=order, hashed=unsafe_hash)
        return made if cls is None else made(cls)

    def replace(record, /, **changes):
        """Return a copy with other values of some fields. Raises TypeError for a name that is no field."""
        cls, state = record.__class__, {**record.__dict__, **changes}
        names = field_names(cls)
        if len(state) != len(names):  # what was computed once and kept beside the fields is not of the copy
            state = {name: state.pop(name) for name in names}
            if changes.keys() - state:
                raise TypeError(f"{cls.__qualname__} has no such field: {sorted(changes.keys() - state)}")
        made = object.__new__(cls)
        made.__dict__.update(state)
        return made


@cache
def field_names(cls: type[Any]) -> tuple[str, ...]:
    """Return the names of the fields of a class that was made here."""
    return tuple(getattr(cls, QUICK))


def is_quick(cls: type[Any]) -> bool:
    """Return whether a class was made here."""
    return hasattr(cls, QUICK)


def _made(cls: type[Any], **options: bool) -> type[Any]:
    """Return the class with the methods that it does not write itself."""
    for name, method in methods(cls, _fields(cls), **options).items():
        if name not in cls.__dict__:
            setattr(cls, name, method)
    return cls


def _fields(cls: type[Any]) -> list[Field]:
    """Return the fields of a class, those that it inherits first, and note them in the class."""
    written = vars(cls).get("__annotations__", {})
    texts = "".join(map(str, written.values()))
    if "ClassVar" not in texts:
        found: dict[str, Field] = {}
        for base in cls.__mro__[-1:0:-1]:
            found |= vars(base).get(QUICK, {})
        own = vars(cls)
        defaults = {name: own.get(name, found[name].default if name in found else NONE) for name in written}
        found |= {name: Field(name, default) for name, default in defaults.items()}
        described = {name: value for name, value in defaults.items() if type(value) is dataclasses.Field}
        for name, field in described.items():
            _set_default(cls, name, field)
        setattr(cls, _USUAL, _Usual(cls, described))
    else:
        found = {field.name: Field(field.name, field) for field in dataclasses.fields(_told(cls))}
    setattr(cls, QUICK, found)
    return list(found.values())


def _set_default(cls: type[Any], name: str, field: dataclasses.Field[Any]) -> None:
    """Put the default in the place of what describes a field."""
    if field.default is NONE:
        delattr(cls, name)
    else:
        setattr(cls, name, field.default)


class _Usual:
    """The fields of a class as the standard library knows them, which is told of one like it when it asks for them."""

    __slots__ = ("cls", "described")

    def __init__(self, cls: type[Any], described: Mapping[str, dataclasses.Field[Any]]) -> None:
        self.cls, self.described = cls, described

    def __get__(self, instance: object, owner: type[Any]) -> object:
        written = vars(self.cls).get("__annotations__", {})
        body = {name: value for name, value in vars(self.cls).items() if name in written or name == "__module__"}
        body |= {"__annotations__": written, **self.described}
        told = _told(type(self.cls.__name__, self.cls.__bases__, body))
        for name in (_PARAMETERS, _USUAL):
            setattr(self.cls, name, vars(told)[name])
        return vars(told)[_USUAL]


def _told(cls: type[Any]) -> type[Any]:
    """Return the class as a dataclass of the standard library, without methods."""
    return dataclasses.dataclass(init=False, repr=False, eq=False)(cls)
