"""Escape: what code that is not followed may have changed.

A function that is not followed can change every list, dict and object that it is given, and it can call every function
that it is given. What it may have changed is no longer certain, and what a package was given once it can change again
whenever it is called. Functions of well-known packages only read what they are given (they log, save, draw or compute),
so their arguments stay known; a function that is passed to them may run all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python import class_escape, containers, effects, iterators
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_message import Sentence, Words
from cudnnlint.frontends.source.python.readers import CHANGERS, LOOKS, only_reads, reads
from cudnnlint.frontends.source.python.spread import DEEP, UNCHANGEABLE, Spread
from cudnnlint.frontends.source.python.state import Table
from cudnnlint.frontends.source.python.values import (
    STATE,
    Bound,
    Class,
    Const,
    Function,
    Instance,
    Library,
    Listing,
    Managed,
    Mapping,
    Namespace,
    Partial,
    Tuple,
    UnknownValue,
    Value,
    options,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Values that one package was given and that are remembered; a program that hands out more is mostly handing out data.
_MOST_KEPT = 64
#: Methods of a thread that run what it was given.
_STARTERS = ("start", "run")


def from_library(run: Interpreter, callee: str, arguments: Arguments, origin: Origin) -> None:
    """Note that a function or class of a library, of which nothing is known, was called with these arguments."""
    top = callee.split(".")[0]
    spread = Spread(why_of(origin))
    _all(run, arguments, origin, spread, only_reads(callee))
    if only_reads(callee) or reads(top):
        return
    for value in run.leaked.get(top, ()):
        to_value(run, value, spread)
    for value in arguments.every():
        leak(run, callee, value)


def leak(run: Interpreter, owner: str, value: Value) -> None:
    """Note that a package, by the dotted name of something in it, holds a value from now on."""
    top = owner.split(".")[0]
    if not reads(top) and any(not isinstance(option, (Const, Library)) for option in options(value)):
        kept = run.leaked.setdefault(top, [])
        if len(kept) < _MOST_KEPT:
            kept.append(value)


def from_known(run: Interpreter, arguments: Arguments, origin: Origin) -> None:
    """Note a call of a library's function that is followed: the functions that it is given may run."""
    _all(run, arguments, origin, Spread(why_of(origin)), True, known=True)


def from_text(run: Interpreter, origin: Origin) -> None:
    """Note that `exec` or `eval` ran a text that is not known: it may have changed everything in the module."""
    table = getattr(origin.unit, "table", None)
    if isinstance(table, Table):
        _of_names(run, table, Spread(Sentence("may have been changed by `", origin, "`")))


def _of_names(run: Interpreter, table: Table, spread: Spread) -> None:
    """Make all names of a module uncertain, and the objects behind them."""
    for name, value in table.items():
        if isinstance(name, str) and not name.startswith("__"):
            for option in options(value):
                if not isinstance(option, (Function, Class)):
                    _changed(run, option, spread, DEEP)
            if not any(isinstance(option, (Function, Class, Library)) for option in options(value)):
                run.journal.write(table, name, spread.added_to(value))


def from_method(run: Interpreter, method: Bound, arguments: Arguments, origin: Origin) -> None:
    """Note that a method that is not followed was called: it may change its object, and what that holds."""
    receiver, owner = method.receiver, method.function
    if isinstance(owner, Library) and only_reads(owner.name):
        from_known(run, arguments, origin)
        if isinstance(receiver, Instance) and method.name not in ("__init__", "__new__"):
            class_escape.methods(run, receiver.kind, Spread(why_of(origin)))
        return
    from_unknown(run, arguments, origin)
    if isinstance(receiver, Instance) and method.name not in LOOKS:
        of_value(run, receiver, why_of(origin))


def from_unknown(run: Interpreter, arguments: Arguments, origin: Origin) -> None:
    """Note that something that is not followed was called with these arguments."""
    called = origin.node.func if isinstance(origin.node, cst.Call) else None
    looks = isinstance(called, cst.Attribute) and called.attr.value in LOOKS
    _all(run, arguments, origin, Spread(why_of(origin)), looks)


def why_of(origin: Origin) -> Words:
    return Sentence("may have been changed by `", origin, "`, which is not followed")


def _all(
    run: Interpreter, arguments: Arguments, origin: Origin, spread: Spread, quietly: bool, known: bool = False
) -> None:
    every = [value for value in arguments.every() if type(value) is not Const]
    if not every:
        return
    for option in () if known else [option for value in every for option in options(value)]:
        if isinstance(option, Listing) and option.kind == "iterator":
            iterators.unsure(run, option, origin)
        elif isinstance(option, Instance) and isinstance(option.kind, Library) and option.kind.name[:3] == "io.":
            run.journal.write(option.table, STATE, UnknownValue(spread.why))  # it may have been read
    quietly = quietly and not any(_may_change(option) for value in every for option in options(value))
    for value in every:
        to_value(run, value, spread, quietly)


def _may_change(value: Value) -> bool:
    """Return whether an argument is a function that may change the other arguments, which it may be called with."""
    if isinstance(value, Function):
        return effects.changes_arguments(value)
    if isinstance(value, Partial):
        return _may_change(value.function)
    if isinstance(value, Library):
        last = value.name.rsplit(".", 1)[-1]
        return not only_reads(value.name) and not last[:1].isupper()
    return isinstance(value, Bound) and (value.function is None or _may_change(value.function))


def of_value(run: Interpreter, value: Value, why: Words) -> None:
    """Make uncertain what a value holds and what a function writes."""
    to_value(run, value, Spread(why))


def to_value(run: Interpreter, value: Value, spread: Spread, quietly: bool = False, depth: int = 0) -> None:
    """Let a change come to a value; `quietly`: only functions may have run."""
    if depth > DEEP:
        return
    for option in (one for one in options(value) if type(one) not in UNCHANGEABLE):  # most are
        if isinstance(option, Function):
            written_by(run, spread, (option, option.owner))
            class_escape.of_function(run, option, spread.why)
        elif isinstance(option, Partial):
            for one in (option.function, *option.positional, *option.keywords.values()):
                to_value(run, one, spread, quietly, depth + 1)
        elif isinstance(option, Bound):
            _bound(run, option, spread, depth)
        elif isinstance(option, Managed):
            class_escape.of_managed(run, option, spread)
        elif isinstance(option, Tuple):
            for item in option.contents.items:
                to_value(run, item, spread, quietly, depth + 1)
        elif isinstance(option, Instance) and quietly and not class_escape.is_called_back(option.kind):
            class_escape.methods(run, option.kind, spread, ("__call__",))
        elif isinstance(option, (Listing, Mapping)) and quietly:
            for item in _inside(option):
                to_value(run, item, spread, quietly, depth + 1)
        elif not quietly or isinstance(option, Instance):
            _changed(run, option, spread, depth)


def _inside(value: Listing | Mapping) -> list[Value]:
    """Return what a list or dict holds that may be called, as far as it is looked through."""
    if isinstance(value, Listing):
        held = () if value.kind == "iterator" else containers.contents_of(value).items[:_MOST_KEPT]
    else:
        held = tuple(cell for _, cell in value.table.items()[:_MOST_KEPT])
    return [one for one in held if type(one) is not Const]


def _bound(run: Interpreter, method: Bound, spread: Spread, depth: int) -> None:
    """Take a method to have run: what it writes, and its object, are uncertain."""
    if isinstance(method.function, Function):
        written_by(run, spread, (method.function, method.function.owner))
        if effects.changes_arguments(method.function):
            _changed(run, method.receiver, spread, depth)
    elif method.name in CHANGERS or method.name in _STARTERS:
        _changed(run, method.receiver, spread, depth)
    elif isinstance(method.receiver, Instance) and method.receiver.table.get(STATE) is not None:
        run.journal.write(method.receiver.table, STATE, UnknownValue(spread.why))


def _changed(run: Interpreter, value: Value, spread: Spread, depth: int) -> None:
    """Make a container, a module, or an object of a class of the program, uncertain."""
    if isinstance(value, Namespace):
        _of_names(run, value.unit.table, spread)
    if not isinstance(value, (Listing, Mapping, Instance, Class)) or not spread.comes_to(value.table, depth=depth):
        return
    if isinstance(value, Class):
        if not class_escape.of_a_reader(value):
            class_escape.handed_out(run, value, spread, depth)
            if depth < DEEP:
                class_escape.methods(run, value, spread)
        return
    inner = containers.contents_of(value).items if isinstance(value, Listing) else [c for _, c in value.table.items()]
    if isinstance(value, Instance):
        if value.table.get(STATE) is not None:
            run.journal.write(value.table, STATE, UnknownValue(spread.why))
        if not isinstance(value.kind, Class) or class_escape.of_a_reader(value.kind):
            class_escape.of_plain_object(run, value, spread)
            return  # what Keras made is asked of Keras
        class_escape.of_object(run, value, value.kind, spread, depth)
        for name, cell in value.table.items():
            run.journal.admit(value.table, name, cell, UnknownValue(spread.why))
        class_escape.methods(run, value.kind, spread)
    else:
        containers.smear(run, value, spread.why)
    for one in inner:
        if depth < DEEP:
            to_value(run, one, spread, False, depth + 1)


def written_by(run: Interpreter, spread: Spread, *methods: tuple[Function, Class | None]) -> None:
    """Make uncertain what functions that may have run, each with its class, write outside themselves."""
    for one, outside in run.effects.of(methods):
        for name, is_global in outside.bound:
            scope = effects.holder(one.scope.module() if is_global else one.scope, name)
            if scope is not None:
                before = scope.table.get(name) or UnknownValue(spread.why)
                run.journal.write(scope.table, name, spread.added_to(before))
        for name in outside.changed:
            found = one.scope.find(name)
            for option in options(found) if found is not None else ():
                _changed(run, option, spread, DEEP)
