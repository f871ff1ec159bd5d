"""Decorators: what they make of a function or class."""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import libcst as cst

from cudnnlint.core.frozen import record
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.python import class_escape, classes, escape, spreading
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.readers import only_reads
from cudnnlint.frontends.source.python.scopes import Frame
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    Bound,
    Class,
    Const,
    Either,
    Function,
    Instance,
    Library,
    Partial,
    UnknownValue,
    Value,
    join,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

KINDS = {"staticmethod": "staticmethod", "classmethod": "classmethod", "property": "property"}
KINDS["functools.cached_property"] = "cached"
_DISPATCHING = ("functools.singledispatch", "functools.singledispatchmethod", "functools.·register")
KINDS["abc.abstractproperty"] = "property"


@record(frozen=True)
class Mark:
    """A library decorator on a function: its dotted name and constant keyword arguments."""

    name: str
    arguments: tuple[tuple[str, Any], ...] = ()


def decorate(run: Interpreter, function: Function, nodes: Sequence[cst.Decorator], frame: Frame) -> Value:
    """Return the function that its decorators leave; one of a library is assumed to return what it is given."""
    value: Value = function
    for node in reversed(nodes):
        value = _apply(run, value, node.decorator, frame)
    return value


def decorate_class(run: Interpreter, made: Class, nodes: Sequence[cst.Decorator], frame: Frame) -> Value:
    """Return a class as its decorators leave it; those of a library are noted on it and taken to hand it back."""
    value: Value = made
    for node in reversed(nodes):
        value = _apply(run, value, node.decorator, frame)
    return value


def _apply(run: Interpreter, value: Value, node: cst.BaseExpression, frame: Frame) -> Value:
    if isinstance(node, cst.Attribute) and node.attr.value in ("setter", "getter", "deleter"):
        of = run.evaluate(node.value, frame)
        return _part_of_property(of, value, node.attr.value)
    origin = Origin(frame.unit, node)
    decorator = run.evaluate(node, frame) if not isinstance(node, cst.Call) else None
    if isinstance(node, cst.Call):
        run.reached.add(id(node))
        factory = run.evaluate(node.func, frame)
        given = spreading.gather(run, node.args, frame)
        followed = ("functools.partial", "unittest.mock.patch", "mock.patch")
        if not isinstance(factory, Library) or factory.name.startswith(followed):
            decorator = run.call(factory, given, origin)
        else:
            if factory.name == "functools.wraps" and isinstance(value, Function):
                _like(run, value, given)
            return _library(run, value, factory.name, given, origin)
    called = decorator.function if isinstance(decorator, Partial) else decorator
    if isinstance(called, Library) and called.name in _DISPATCHING:
        return run.call(decorator, Arguments([value]), origin) if decorator is not None else value
    if isinstance(decorator, Library):
        return _library(run, value, decorator.name, Arguments(), origin)
    if isinstance(decorator, Instance) and isinstance(value, Function) and _is_context(decorator):
        return replace(value, contexts=(*value.contexts, decorator))
    own = isinstance(decorator, (Function, Class, Instance, Bound))
    own = own or (isinstance(decorator, Partial) and not isinstance(decorator.function, Library))
    if decorator is not None and own and isinstance(value, (Function, Class, Instance)):
        return run.call(decorator, Arguments([value]), origin)
    if isinstance(decorator, Partial) and isinstance(decorator.function, Library) and isinstance(value, Function):
        keywords = {**decorator.keywords}
        return _library(run, value, decorator.function.name, Arguments(keywords=keywords), origin)
    return _by_unknown(run, value, decorator, origin)


def _by_unknown(run: Interpreter, value: Value, decorator: Value | None, origin: Origin) -> Value:
    """Return what a decorator that is not known makes of a function or class: the same, or anything."""
    if not isinstance(decorator, (UnknownValue, Either)):
        return value
    escape.from_unknown(run, Arguments([value]), origin)
    return join([value, UnknownValue("is the result of a decorator that is not followed", at=origin)])


def _like(run: Interpreter, function: Function, given: Arguments) -> None:
    """Give a function the name and the attributes of the one that it wraps."""
    wrapped = given.positional[0] if given.positional else None
    if isinstance(wrapped, Function):
        table = run.attached(function)
        run.journal.write(table, "__wrapped__", wrapped)
        for name in ("__name__", "__qualname__"):
            run.journal.write(table, name, run.attached(wrapped).get(name) or Const(wrapped.name))
        for key, value in run.attached(wrapped).items():
            if isinstance(key, str) and key.isidentifier() and not hasattr(types.FunctionType, key):
                run.journal.write(table, key, value)


def _is_context(decorator: Instance) -> bool:
    """Return whether an object decorates a function by running it inside itself."""
    if isinstance(decorator.kind, Library):
        return decorator.kind.name == "unittest.mock.·patch"
    bases = [base.name for base in classes.lineage(decorator.kind) if isinstance(base, Library)]
    return "contextlib.ContextDecorator" in bases


def _part_of_property(of: Value, value: Value, part: str) -> Value:
    """Return a property with another getter, setter or deleter."""
    if not isinstance(of, Function) or not isinstance(value, Function):
        return of
    if part == "setter":
        return replace(of, setter=value)
    if part == "deleter":
        return replace(of, deleter=value)
    return replace(value, kind=of.kind, setter=of.setter, deleter=of.deleter)


def _library(run: Interpreter, value: Value, name: str, given: Arguments, origin: Origin) -> Value:
    """Apply a decorator of a library: some change what a function is, the others are recorded on it."""
    harmless, name = only_reads(name), name.removeprefix("builtins.")
    if isinstance(value, Function):
        if name in KINDS:
            return replace(value, kind=KINDS[name])
        if not harmless:
            escape.from_library(run, name, Arguments([value]), origin)
        run.library.decorate(run, value, name, given, origin)
        constants = tuple((key, item.value) for key, item in given.keywords.items() if isinstance(item, Const))
        return replace(value, marks=(*value.marks, Mark(name, constants)))
    if isinstance(value, Class):
        if not harmless and name.split(".")[0] not in ("attrs", "attr"):
            class_escape.of_class(run, value, Sentence("may have been set by `", origin, "`, which is not followed"))
        return replace(value, marks=(*value.marks, name, *flags(given)))
    return value


def flags(given: Arguments) -> list[str]:
    """Return marks for the arguments of a decorator: "·frozen" where it is true, "·no eq", "·perhaps order"."""
    words = {True: "·", False: "·no ", None: "·perhaps "}
    return [words[truth(value)] + name for name, value in given.keywords.items()]
