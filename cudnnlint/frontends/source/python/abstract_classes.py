"""Abstract classes: Python makes no object of one that has methods without a body of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import classes, raising
from cudnnlint.frontends.source.python.values import Class, Const, Function, Library, Value, options, words

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The base class, and the metaclass, that make a class abstract, and the decorators that make a method so.
_BASES = words("abc.ABC abc.ABCMeta")
_DECORATORS = words("abc.abstractmethod abc.abstractproperty abc.abstractclassmethod abc.abstractstaticmethod")


def refuse(run: Interpreter, kind: Class) -> None:
    """Raise TypeError, where a `try` takes it, if a class is certainly abstract."""
    if run.guards and _has_abc(kind) and (name := _abstract(kind)) is not None:
        raising.throw_python(run, "TypeError", Const(f"Can't instantiate abstract class {kind.name} ({name})"))


def _has_abc(kind: Class) -> bool:
    meta = () if kind.meta is None else classes.lineage(kind.meta)
    return any(isinstance(base, Library) and base.name in _BASES for base in (*classes.lineage(kind), *meta))


def _abstract(kind: Class) -> str | None:
    """Return the name of a method that is abstract, however it was defined; None where none is."""
    names = [name for base in classes.lineage(kind) if isinstance(base, Class) for name, _ in base.table.items()]
    for name in (name for name in names if isinstance(name, str)):
        found = classes.search(kind, name)
        if found is not None and all(map(_is_abstract, options(found[0]))):
            return name
    return None


def _is_abstract(value: Value) -> bool:
    return isinstance(value, Function) and any(mark.name in _DECORATORS for mark in value.marks)
