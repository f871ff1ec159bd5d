"""Attributes that Python itself gives to classes, partial functions and others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import classes, containers, enums, methods, signatures
from cudnnlint.frontends.source.python.lazy_message import Words
from cudnnlint.frontends.source.python.of_python import OfPython
from cudnnlint.frontends.source.python.state import ModuleUnit
from cudnnlint.frontends.source.python.values import (
    UNBOUND,
    Bound,
    Class,
    Const,
    Contents,
    Library,
    Mapping,
    Partial,
    Tuple,
    UnknownValue,
    Value,
    join,
    may_be_missing,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


#: What makes a named tuple of its class and a sequence.
MAKE = "collections.·make"


def of_partial(run: Interpreter, value: Partial, name: str) -> Value:
    """Return an attribute of `functools.partial(...)`."""
    if name == "keywords":
        given = ((Const(key), given) for key, given in value.keywords.items())
        return containers.new_dict(run, given) if value.held is None else value.held
    return value.function if name == "func" else Tuple(Contents(value.positional))


def of_unknown(value: UnknownValue, name: str, origin: Origin) -> Value:
    """Return an attribute of something unknown, maybe of a frame."""
    if name in ("f_globals", "f_locals") and isinstance(origin.unit, ModuleUnit):
        return Mapping(origin.unit.table)
    return UnknownValue(value.why, _longer(value, name, origin), value.mask, at=origin)


def _longer(value: UnknownValue, name: str, origin: Origin) -> Words:
    """Return the name of an attribute of something unknown: `config` becomes `config.units`."""
    return f"{value.what}.{name}" if isinstance(value.what, str) and value.what else origin


def of_class(run: Interpreter, value: Class, name: str) -> Value | None:
    """Return an attribute that every class has; None for any other name, or where it is not known."""
    if name in ("__name__", "__qualname__"):
        known = name == "__name__" or classes.is_top(value)
        return Const(value.name) if known else UnknownValue("is the name of a class inside something")
    if name == "_fields":
        return Tuple(Contents(tuple(Const(field) for field in classes.fields(value))))
    if name == "_make" and classes.library_base(value, classes.NAMED_TUPLES) is not None:
        return Partial(Library(MAKE), (value,), {})
    if name == "__mro__":
        return _order(value)
    if name == "__bases__":
        return Tuple(Contents(value.bases or (_OBJECT,)))
    if name == "__new__" and classes.search(value, name) is None:
        return Library("builtins.object.__new__")
    if name == "__dict__":
        return _names(run, value)
    if name == "__members__" and enums.is_enumeration(value):
        return enums.by_name(run, value)
    if name == "__annotations__":
        return signatures.annotations_of_class(run, value)
    return None


def of_member(value: Value, name: str) -> Value | None:
    """Return a method that a member of an enumeration has as a text or number: `Kind.LSTM.upper`."""
    worth = enums.worth(value)
    return Bound(worth, name) if isinstance(worth, Const) and methods.has(worth, name) else None


_OBJECT = Library("builtins.object")


def _order(value: Class) -> Tuple | None:
    """Return the method resolution order; None where a base is not followed, which has bases of its own."""
    order = classes.lineage(value)
    known = [entry for entry in order if isinstance(entry, Class) or _is_object(entry)]
    if len(known) < len(order):
        return None
    return Tuple(Contents((*(entry for entry in order if not _is_object(entry)), _OBJECT)))


def _is_object(entry: Value) -> bool:
    return isinstance(entry, Library) and entry.name == "builtins.object"


def _names(run: Interpreter, value: Class) -> Value | None:
    """Return the `__dict__` of a class: a copy, through which nothing can be set; None where a name may be absent."""
    cells = [(key, cell) for key, cell in value.table.items() if isinstance(key, str) and not key.startswith("·")]
    if value.meta is not None or any(may_be_missing(cell) for _, cell in cells):
        return None
    made, unseen = containers.new_dict(run), join([OfPython("is what Python puts into a class"), UNBOUND])
    for key, cell in [("__module__", unseen), *cells, *((name, unseen) for name in _BY_PYTHON)]:
        containers.set_key(run, made, Const(key), cell)
    return made


#: What a class has that is not written in it; some releases put in more.
_BY_PYTHON = ("__dict__", "__weakref__", "__doc__", "__annotations__", "__firstlineno__", "__static_attributes__")
