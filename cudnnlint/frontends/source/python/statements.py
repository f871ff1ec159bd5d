"""Statements: what a suite does to names and objects, and whether anything gets to its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import libcst as cst

from cudnnlint.frontends.source.python import (
    assignments,
    augmenting,
    branches,
    classes,
    contexts,
    functions,
    hooks,
    imports,
    jumps,
    loops,
    matching,
    narrowing,
    raising,
    trying,
)
from cudnnlint.frontends.source.python.scopes import Frame
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import assumption
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

Handler = Callable[["Interpreter", Any, Frame], bool]


def execute(run: Interpreter, body: cst.BaseSuite | cst.Module, frame: Frame) -> bool:
    """Run a suite; return False if no path gets to its end."""
    return run_all(run, body.body, frame)


def run_all(run: Interpreter, body: Sequence[cst.CSTNode], frame: Frame) -> bool:
    """Run statements one after another; return False if no path gets to their end."""
    for index, node in enumerate(body):
        if type(node) is cst.If:
            run.budget.spend()
            if not _if(run, node, frame, partial(run_all, run, body[index + 1 :], frame)):
                return False
            continue
        if type(node) is cst.SimpleStatementLine:
            if not run_all(run, node.body, frame):
                return False
            continue
        run.budget.spend()
        run.here = Origin(frame.unit, node)
        handler = _handlers().get(type(node))
        if handler is not None and not handler(run, node, frame):
            return False
    return True


def _expression(run: Interpreter, node: cst.Expr, frame: Frame) -> bool:
    run.evaluate(node.value, frame)
    return True


def _assert(run: Interpreter, node: cst.Assert, frame: Frame) -> bool:
    test = hooks.meant(run, run.evaluate(node.test, frame), Origin(frame.unit, node.test))
    answer = truth(test)
    if answer is False and assumption(test):
        narrowing.passed(run, node.test, frame)
    elif answer is False:
        raising.throw_python(run, "AssertionError", *([] if node.msg is None else [run.evaluate(node.msg, frame)]))
    run.doubts += answer is None
    return True


def _if(run: Interpreter, node: cst.If, frame: Frame, after: Callable[[], bool]) -> bool:
    test = run.evaluate(node.test, frame)
    other = node.orelse

    def otherwise() -> bool:
        if other is None:
            return True
        return _if(run, other, frame, after) if isinstance(other, cst.If) else execute(run, other.body, frame)

    where, passed = Origin(frame.unit, node.test), partial(narrowing.passed, run, node.test, frame)
    yes = narrowing.arm(run, node.test, frame, True, partial(execute, run, node.body, frame))
    no = narrowing.arm(run, node.test, frame, False, otherwise)
    return branches.branch(run, test, where, yes, no, after, passed)


def _with(run: Interpreter, node: cst.With, frame: Frame) -> bool:
    return contexts.enter(run, node, list(node.items), frame)


def _delete(run: Interpreter, node: cst.Del, frame: Frame) -> bool:
    assignments.delete(run, node.target, frame)
    return True


def _global(run: Interpreter, node: cst.Global, frame: Frame) -> bool:
    for item in node.names:
        frame.scope.outer[item.name.value] = frame.scope.module()
    return True


def _nonlocal(run: Interpreter, node: cst.Nonlocal, frame: Frame) -> bool:
    for item in node.names:
        scope = frame.scope.enclosing()
        while scope is not None and not scope.holds(item.name.value) and scope.parent is not None:
            scope = scope.enclosing()
        frame.scope.outer[item.name.value] = scope or frame.scope.module()
    return True


@cache
def _handlers() -> dict[type, Handler]:
    """Return what runs each kind of statement."""
    return {
        cst.Expr: _expression,
        cst.Assign: assignments.plain,
        cst.AnnAssign: assignments.annotated,
        cst.AugAssign: augmenting.augmented,
        cst.Return: jumps.return_,
        cst.Raise: trying.raise_,
        cst.Assert: _assert,
        cst.Del: _delete,
        cst.Global: _global,
        cst.Nonlocal: _nonlocal,
        cst.For: loops.each,
        cst.While: loops.repeat,
        cst.Break: jumps.leave,
        cst.Continue: jumps.continue_,
        cst.Try: trying.attempt,
        cst.TryStar: trying.attempt,
        cst.With: _with,
        cst.Match: matching.match,
        cst.FunctionDef: functions.define,
        cst.ClassDef: classes.define,
        cst.Import: imports.plain,
        cst.ImportFrom: imports.named,
    }
