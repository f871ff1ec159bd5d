"""Statements: what a suite does to names and objects, and whether anything gets to its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import libcst as cst

from cudnnlint.frontends.source.python import (
    assignments,
    branches,
    classes,
    contexts,
    failing,
    functions,
    imports,
    jumps,
    loops,
)
from cudnnlint.frontends.source.python.matching import match
from cudnnlint.frontends.source.python.scopes import Frame
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

STOPS = "it depends on whether an exception is raised"
Handler = Callable[["Interpreter", Any, Frame], bool]


def execute(run: Interpreter, body: cst.BaseSuite | cst.Module, frame: Frame) -> bool:
    """Run a suite; return False if no path gets to its end."""
    return _run_all(run, body.body, frame)


def _run_all(run: Interpreter, body: Sequence[cst.CSTNode], frame: Frame) -> bool:
    for index, node in enumerate(body):
        if type(node) is cst.If:
            run.budget.spend()
            if not _if(run, node, frame, partial(_run_all, run, body[index + 1 :], frame)):
                return False
            continue
        if type(node) is cst.SimpleStatementLine:
            if not _run_all(run, node.body, frame):
                return False
            continue
        run.budget.spend()
        handler = _HANDLERS.get(type(node))
        if handler is not None and not handler(run, node, frame):
            return False
    return True


def _expression(run: Interpreter, node: cst.Expr, frame: Frame) -> bool:
    run.evaluate(node.value, frame)
    return True


def _raise(run: Interpreter, node: cst.Raise, frame: Frame) -> bool:
    if node.exc is not None:
        run.evaluate(node.exc, frame)
    return False


def _assert(run: Interpreter, node: cst.Assert, frame: Frame) -> bool:
    run.evaluate(node.test, frame)
    return True


def _if(run: Interpreter, node: cst.If, frame: Frame, after: Callable[[], bool]) -> bool:
    test = run.evaluate(node.test, frame)
    other = node.orelse

    def otherwise() -> bool:
        if other is None:
            return True
        return _if(run, other, frame, after) if isinstance(other, cst.If) else execute(run, other.body, frame)

    return branches.branch(
        run, test, Origin(frame.unit, node.test), lambda: execute(run, node.body, frame), otherwise, after
    )


def _try(run: Interpreter, node: cst.Try | cst.TryStar, frame: Frame) -> bool:
    if node.finalbody is None:
        return _try_handled(run, node, frame)
    before, frame.finals = frame.finals, (*frame.finals, (node.finalbody.body, len(frame.loops)))
    alive = _try_handled(run, node, frame)
    frame.finals = before
    return execute(run, node.finalbody.body, frame) and alive


def _try_handled(run: Interpreter, node: cst.Try | cst.TryStar, frame: Frame) -> bool:
    def otherwise() -> bool:
        return node.orelse is None or execute(run, node.orelse.body, frame)

    def handlers(stopped: bool) -> list[branches.Arm]:
        if not stopped and failing.cannot_fail(run, node.body, frame):
            return []
        return [partial(_handle, run, handler, frame) for handler in run.library.handlers(run, node, stopped)]

    return _attempted(run, lambda: _guarded(run, node, frame), otherwise, handlers)


def _attempted(
    run: Interpreter,
    body: Callable[[], tuple[bool, bool]],
    otherwise: branches.Arm,
    handlers: Callable[[bool], list[branches.Arm]],
) -> bool:
    """Run a `try` whose body may stop anywhere.

    A handler starts from what held before, or from what the body did. Where an import is known to fail, that is where
    the body stops, and its handler is what runs. Return False if no path goes on behind the statement.
    """
    meeting = run.journal.open()
    path = run.journal.open()
    (reached, stopped), trial = run.journal.attempt(body)
    done = run.journal.since(path)
    arms = handlers(stopped)
    behind = run.journal.open()  # what `else` does to an object that the body made is not seen by a handler
    if reached and otherwise():
        run.journal.leave(meeting)
    run.journal.abandon(behind)
    run.journal.abandon(path)
    for handler in arms:
        run.forked = True
        path = run.journal.open()
        if stopped:
            run.journal.restore(done)
        else:
            run.journal.weaken(done, STOPS, trial)
        if handler():
            run.journal.leave(meeting)
        run.journal.abandon(path)
    return run.journal.close(meeting, STOPS)


def _handle(run: Interpreter, handler: cst.ExceptHandler | cst.ExceptStarHandler, frame: Frame) -> bool:
    if handler.name is not None and isinstance(handler.name.name, cst.Name):
        error = run.unfollowed("is the exception that was caught", handler.name.name, frame.unit)
        frame.scope.bind(run.journal, handler.name.name.value, error)
    return execute(run, handler.body, frame)


def _guarded(run: Interpreter, node: cst.Try | cst.TryStar, frame: Frame) -> tuple[bool, bool]:
    """Run the body of a `try`; return whether anything reaches its end, and whether an import stops it."""
    run.stopped = False
    with run.library.attempting(run, node):
        reached = execute(run, node.body, frame)
    stopped, run.stopped = run.stopped, False
    return reached, stopped


def _with(run: Interpreter, node: cst.With, frame: Frame) -> bool:
    def attempted(whole: Callable[[], bool]) -> bool:
        return _attempted(run, lambda: (whole(), False), lambda: True, lambda stopped: [lambda: True])

    return contexts.enter(run, node, list(node.items), frame, attempted)


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
        while scope is not None and scope.table.get(item.name.value) is None and scope.parent is not None:
            scope = scope.enclosing()
        frame.scope.outer[item.name.value] = scope or frame.scope.module()
    return True


_HANDLERS: dict[type, Handler] = {
    cst.Expr: _expression,
    cst.Assign: assignments.plain,
    cst.AnnAssign: assignments.annotated,
    cst.AugAssign: assignments.augmented,
    cst.Return: jumps.return_,
    cst.Raise: _raise,
    cst.Assert: _assert,
    cst.Del: _delete,
    cst.Global: _global,
    cst.Nonlocal: _nonlocal,
    cst.For: loops.each,
    cst.While: loops.repeat,
    cst.Break: jumps.leave,
    cst.Continue: jumps.continue_,
    cst.Try: _try,
    cst.TryStar: _try,
    cst.With: _with,
    cst.Match: match,
    cst.FunctionDef: functions.define,
    cst.ClassDef: classes.define,
    cst.Import: imports.plain,
    cst.ImportFrom: imports.named,
}
