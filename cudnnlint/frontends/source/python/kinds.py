"""Kinds: whether a value is an object of a class, as `isinstance` decides it."""

from __future__ import annotations

import builtins
import collections
import collections.abc
import enum
import json
import numbers
import pathlib
import types
import typing
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import classes, views
from cudnnlint.frontends.source.python.of_python import OfPython
from cudnnlint.frontends.source.python.values import (
    Bound,
    Class,
    Const,
    Either,
    Function,
    Imported,
    Instance,
    Library,
    Listing,
    Mapping,
    Partial,
    Tuple,
    UnknownValue,
    Value,
)
from cudnnlint.frontends.source.python.whole import COLLECTIONS, Whole

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Modules whose classes are what they are wherever a program runs.
_MODULES = {
    module.__name__: module
    for module in (builtins, collections, collections.abc, enum, json, numbers, pathlib, types, typing)
}


def is_a(run: Interpreter, value: Value, kind: Value) -> bool | None:
    """Return whether a value is an object of this class, or of one of these; None where that is not known."""
    if isinstance(kind, Tuple):
        answers = [is_a(run, value, item) for item in kind.contents.items]
        return True if True in answers else None if None in answers else False
    if not isinstance(kind, (Class, Library)) or _decides_itself(kind, "__instancecheck__"):
        return None
    if isinstance(kind, Library) and kind.name == "builtins.object":
        return None if isinstance(value, (UnknownValue, Either, Imported)) else True  # whatever it is
    if isinstance(value, Class) and isinstance(kind, Library) and kind.name == "builtins.type":
        return True
    if isinstance(value, Const) and isinstance(value.value, run.library.constants):
        known = isinstance(kind, Class) or kind.name.startswith("builtins.")
        return _of_python(run, type(value.value), kind) if known else None
    if isinstance(value, Const):
        return _of_python(run, getattr(type(value.value), "stands_for", type(value.value)), kind)
    if isinstance(value, Mapping) and value.body is not None:
        return _descends(run, value.body, kind)
    if isinstance(value, (Listing, Tuple, Mapping)):
        if isinstance(kind, Class):
            return isinstance(value, Tuple) and value.kind is not None and _is_class(value.kind, kind)
        if isinstance(value, views.View):
            return _of_python(run, value.kind_in_python, kind)
        own = value.kind if isinstance(value, Listing) else "tuple" if isinstance(value, Tuple) else "dict"
        return _of_python(run, getattr(builtins, own, None), kind)
    if isinstance(value, Instance):
        return _descends(run, value, kind)
    if isinstance(value, Bound) and value.may_be_plain:
        return None
    if isinstance(value, Whole) and isinstance(kind, Library) and kind.name in COLLECTIONS:
        return False
    if isinstance(value, (Function, Bound, Partial)):
        return False if isinstance(kind, Class) or kind.name.startswith("builtins.") else None
    return False if isinstance(value, OfPython) and isinstance(kind, Class) else None


def lacks(kind: Value, name: str) -> bool:
    """Return whether a class of Python or its standard library certainly has no attribute of that name."""
    found = _python_class(kind.name) if isinstance(kind, Library) else None
    return found is not None and not hasattr(found, name)


def _decides_itself(kind: Class | Library, check: str) -> bool:
    """Return whether a class, or its metaclass, says what its objects and subclasses are."""
    if isinstance(kind, Library):
        return False
    if kind.meta is not None and classes.search(kind.meta, check) is not None:
        return True
    bases = {base.name for base in kind.bases if isinstance(base, Library)}
    registers = f"{kind.name}.register" in kind.unit.text  # of an abstract class: what it is given is its subclass
    return registers or kind.table.get("__subclasshook__") is not None or not bases.isdisjoint(_PROTOCOLS)


#: Base classes of a class whose objects are all that have its methods.
_PROTOCOLS = frozenset({"typing.Protocol", "typing_extensions.Protocol"})


def plainly(value: Value) -> type | None:
    """Return the class of Python that a plain value is an object of; None for anything else."""
    if isinstance(value, Const):
        return type(value.value) if type(value.value).__module__ == "builtins" else None
    if isinstance(value, Tuple):
        return None if value.fields or value.kind is not None or isinstance(value, views.View) else tuple
    if isinstance(value, Mapping):
        return dict if value.body is None else None
    if isinstance(value, Listing):
        return {"list": list, "set": set, "frozenset": frozenset}.get(value.kind)
    return None


def is_subclass(run: Interpreter, own: Value, kind: Value) -> bool | None:
    """Return whether a class is another one, or inherits from it (or from one of these); None where not known."""
    if isinstance(kind, Tuple):
        answers = [is_subclass(run, own, item) for item in kind.contents.items]
        return True if True in answers else None if None in answers or not kind.contents.certain else False
    if isinstance(kind, Library) and kind.name == "builtins.object" and isinstance(own, Class):
        return True
    if isinstance(kind, Class) and _decides_itself(kind, "__subclasscheck__"):
        return None
    if isinstance(own, Class):
        return _descends(run, Instance(own, own.table), kind) if isinstance(kind, (Class, Library)) else None
    if not isinstance(own, Library) or not isinstance(kind, (Class, Library)) or not _python_class(own.name):
        return None
    return False if isinstance(kind, Class) else _heir(run, own.name, kind.name)


def _is_class(own: Class, kind: Class) -> bool:
    """Return whether a class is another one, or inherits from it."""
    return any(isinstance(entry, Class) and entry.table is kind.table for entry in classes.lineage(own))


def _of_python(run: Interpreter, own: object, kind: Class | Library) -> bool | None:
    """Return whether objects of a class of Python itself are objects of another class; None where not known."""
    if isinstance(kind, Class):
        return False
    theirs = _python_class(kind.name)
    if isinstance(own, type) and theirs is not None:
        return issubclass(own, theirs)
    last = kind.name.rsplit(".", 1)[-1]
    known = run.library.knows(kind.name)
    elsewhere = kind.foreign and last[:1].isupper() and not hasattr(collections.abc, last)  # not `six.string_types`
    return False if known or elsewhere else None


def _python_class(name: str) -> type | None:
    """Return a class of Python or its standard library by its dotted name, if its module is one that is looked into."""
    module, _, last = name.rpartition(".")
    found = getattr(_MODULES.get(module), last, None)
    return found if isinstance(found, type) else getattr(found, "__origin__", None)  # typing.Sequence has an origin


def differ(left: str, right: str) -> bool:
    """Return whether two names are those of different classes of Python."""
    one, other = _python_class(left), _python_class(right)
    return one is not None and other is not None and one is not other


def _descends(run: Interpreter, value: Instance, kind: Class | Library) -> bool | None:
    """Return whether an object is of this class, or of one that inherits from it; None where that is not known."""
    lineage = [value.kind] if isinstance(value.kind, Library) else classes.lineage(value.kind)
    if isinstance(kind, Class):
        found = any(isinstance(entry, Class) and entry.table is kind.table for entry in lineage)
        return found or (None if _has_unknown_base(lineage) else False)
    answers = [_heir(run, entry.name, kind.name) for entry in lineage if isinstance(entry, Library)]
    answers += [None] if _has_unknown_base(lineage) else []
    if True in answers:
        return True
    open_ones = None in answers or not kind.name.startswith("builtins.")
    return None if open_ones and not (len(lineage) == 1 and answers == [False]) else False


def _has_unknown_base(lineage: collections.abc.Sequence[Value]) -> bool:
    """Return whether a class may have other bases than those that are in its method resolution order."""
    bases = [base for entry in lineage if isinstance(entry, Class) for base in entry.bases]
    return not all(isinstance(base, (Class, Library)) for base in bases)


def _heir(run: Interpreter, name: str, base: str) -> bool | None:
    """Return whether the library class `name` is the class `base`, or inherits from it; None where not known."""
    ours, theirs = _python_class(name), _python_class(base)
    if ours is not None and theirs is not None:
        return issubclass(ours, theirs)
    return run.library.inherits(name, base)
