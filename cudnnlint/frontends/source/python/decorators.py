"""Decorators: what they make of a function or class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python import escape, spreading
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.readers import only_reads
from cudnnlint.frontends.source.python.scopes import Frame
from cudnnlint.frontends.source.python.values import Class, Const, Function, Library, Mark, Partial, Value
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

KINDS = {"staticmethod": "staticmethod", "classmethod": "classmethod", "property": "property"}
KINDS["functools.cached_property"] = "cached"
KINDS["abc.abstractproperty"] = "property"


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
        if not isinstance(factory, Library) or factory.name == "functools.partial":
            decorator = run.call(factory, given, origin)
        else:
            return _library(run, value, factory.name, given, origin)
    if isinstance(decorator, Library):
        return _library(run, value, decorator.name, Arguments(), origin)
    if isinstance(decorator, (Function, Class)) and isinstance(value, (Function, Class)):
        return run.call(decorator, Arguments([value]), origin)
    if isinstance(decorator, Partial) and isinstance(decorator.function, Library) and isinstance(value, Function):
        keywords = {**decorator.keywords}
        return _library(run, value, decorator.function.name, Arguments(keywords=keywords), origin)
    return value


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
            escape.of_class(run, value, Sentence("may have been set by `", origin, "`, which is not followed"))
        return replace(value, marks=(*value.marks, name))
    return value
