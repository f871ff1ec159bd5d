"""Methods that nothing in a file calls: which of an object's is entered next."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import classes, functions
from cudnnlint.frontends.source.python.values import Class, Const, Function, Instance, join

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: How often a method is entered on an object that it constructed itself, or that one did that it constructed.
MOST_AGAIN = 2
#: With how many other objects of a class one is compared.
MOST_OTHERS = 20


def first(run: Interpreter, instance: Instance, entries: tuple[int, ...]) -> Function | None:
    """Return a method of an object's class that nothing called, first those that a library calls by itself.

    `entries` led to the object. A method that is among them again and again constructs such objects without end.
    """
    if not isinstance(instance.kind, Class):
        return None
    methods: dict[str, tuple[Function, Class]] = {}
    for entry in classes.lineage(instance.kind):
        for name, value in entry.table.items() if isinstance(entry, Class) else []:
            if isinstance(name, str) and isinstance(value, Function) and isinstance(entry, Class):
                methods.setdefault(name, (value, entry))
    life = run.library.life
    for name in sorted(methods, key=lambda name: life.index(name) if name in life else len(life)):
        function, _ = methods[name]
        if _unused(run, instance, name, function):
            by_library = run.library.awaits(run, instance, name) is not None
            outermost = name if by_library else _outermost(run, methods, name)
            method = functions.as_method(*methods[outermost])
            assert isinstance(method, Function)
            if not by_library:
                _join_fields(run, instance)
            if entries.count(id(method.node)) < MOST_AGAIN:
                return method
    return None


def _join_fields(run: Interpreter, instance: Instance) -> None:
    """Give an object the plain fields of the others of its class: a method that nothing calls may be called on any."""
    others = [one.table for one, _, _ in run.instances if one is not instance and _same_class(one, instance)]
    for name, value in list(instance.table.items()) if others else []:
        found = [one for table in others[:MOST_OTHERS] if isinstance(one := table.get(name), Const)]
        differs = isinstance(value, Const) and any(one.value != value.value for one in found)
        if differs and not str(name).startswith("·"):
            run.journal.write(instance.table, name, join([value, *found], "objects of its class differ in it"))


def _same_class(one: Instance, other: Instance) -> bool:
    """Return whether two objects are of one class of the program's own."""
    return isinstance(one.kind, Class) and isinstance(other.kind, Class) and one.kind.table is other.kind.table


def _outermost(run: Interpreter, methods: dict[str, tuple[Function, Class]], name: str) -> str:
    """Return the method that leads to this one by calls on the object itself, and that no other method calls.

    What that method sets before is then known. It may be in a base class of another file.
    """
    way = [name]
    units = {function.unit for function, _ in methods.values()}
    while len(way) <= len(methods):
        calling = {unit for unit in units if way[-1] in _called_on_self(unit.text)}
        callers = (
            other
            for other, (function, _) in methods.items()
            if function.unit in calling
            and other not in way
            and not other.startswith("__")
            and id(function.node) not in run.called
            and way[-1] in _called_on_self(function.unit.text_of(function.node))
        )
        found = next(callers, None)
        if found is None:
            break
        way.append(found)
    return way[-1]


@lru_cache(maxsize=1024)
def _called_on_self(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\bself\s*\.\s*(\w+)\s*\(", text))


def _unused(run: Interpreter, instance: Instance, name: str, function: Function) -> bool:
    awaited = run.library.awaits(run, instance, name)
    if awaited is not None:
        return awaited
    if id(function.node) in run.called or not run.owns(function.unit):
        return False
    return name in run.library.life or run.index.leads(function.node)
