"""Activations that equal tanh or sigmoid: an Activation layer, a lambda or a function that only calls one of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.keras import layers
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.python.values import NONE, Const, Function, Imported, Library, Value

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

KNOWN = ("tanh", "sigmoid")
_DEEPEST = 4  # functions that hand on to one another


def like(run: Interpreter, value: Value, deep: int = 0) -> str | None:
    """Return the activation that an object computes ("tanh" or "sigmoid"), or None."""
    made = layers.made_of(value)
    if made is not None and made.build.class_name == "Activation":
        return like(run, made.build.arguments.get("activation", NONE), deep)
    if isinstance(value, Const):
        return value.value if value.value in KNOWN else None
    if isinstance(value, Library):
        top, _, name = value.name.rpartition(".")
        return name if name in KNOWN and top.split(".")[0] in state_of(run).names.frameworks else None
    if isinstance(value, Function) and deep < _DEEPEST:
        called = _only_calls(value)
        found = None if called is None else _meant(run, value, called)
        return None if found is None else like(run, found, deep + 1)
    return None


def calls_numpy(run: Interpreter, value: Value) -> bool:
    """Return whether a function returns what numpy makes of its parameter: that stops in a graph, not in eager code."""
    body = _body(value) if isinstance(value, Function) else None
    if body is None or not isinstance(value, Function):
        return False
    names = {parameter.name.value for parameter in value.node.params.params}
    for call in (node for node in _nodes(body) if isinstance(node, cst.Call)):
        called = _meant(run, value, call.func)
        passed = any(isinstance(node, cst.Name) and node.value in names for node in _nodes(call))
        if passed and isinstance(called, Library) and called.name.startswith("numpy."):
            return True
    return False


def _nodes(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    waiting = [node]
    while waiting:
        waiting += (one := waiting.pop()).children
        yield one


def _body(function: Function) -> cst.BaseExpression | None:
    """Return what a lambda returns, or a function of one line."""
    return function.node.body if isinstance(function.node, cst.Lambda) else _returned(function.node)


def _only_calls(function: Function) -> cst.BaseExpression | None:
    """Return what is called by a function that does nothing but call it with its one parameter."""
    node = function.node
    body = _body(function)
    names = [parameter.name.value for parameter in (*node.params.posonly_params, *node.params.params)]
    more = node.params.kwonly_params or node.params.star_kwarg or isinstance(node.params.star_arg, cst.Param)
    if not isinstance(body, cst.Call) or len(body.args) != 1 or len(names) != 1 or more:
        return None
    passed = body.args[0]
    plain = not passed.star and isinstance(passed.value, cst.Name) and passed.value.value == names[0]
    return body.func if plain else None


def _returned(node: cst.FunctionDef) -> cst.BaseExpression | None:
    """Return the value that a function returns, if that and a docstring is all that it has."""
    if node.decorators or node.asynchronous is not None:
        return None
    lines = _statements(node.body)
    if len(lines) == 2 and isinstance(lines[0], cst.Expr) and isinstance(lines[0].value, cst.SimpleString):
        lines = lines[1:]
    last = lines[0] if len(lines) == 1 else None
    return last.value if isinstance(last, cst.Return) else None


def _statements(body: cst.BaseSuite) -> list[cst.BaseSmallStatement]:
    """Return the statements of a body; none where it has a loop, a condition or the like."""
    if isinstance(body, cst.SimpleStatementSuite):
        return list(body.body)
    blocks = [block for block in body.body if isinstance(block, cst.SimpleStatementLine)]
    return [line for block in blocks for line in block.body] if len(blocks) == len(body.body) else []


def _meant(run: Interpreter, function: Function, called: cst.BaseExpression) -> Value | None:
    """Return what a dotted name means inside a function, as far as no code has to be run for it."""
    if isinstance(called, cst.Name):
        found = function.scope.find(called.value)
        return run.modules.resolve(found) if isinstance(found, Imported) else found
    if isinstance(called, cst.Attribute):
        outer = _meant(run, function, called.value)
        return Library(f"{outer.name}.{called.attr.value}") if isinstance(outer, Library) else None
    return None
