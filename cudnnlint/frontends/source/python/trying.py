"""`try` and `raise`: which handler runs, and from which state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python import branches, failing, raising
from cudnnlint.frontends.source.python.scopes import Frame
from cudnnlint.frontends.source.python.state import Cell, JoinPoint, Trial
from cudnnlint.frontends.source.python.values import Instance, UnknownValue, Value
from cudnnlint.frontends.source.syntax.index import walk
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter
    from cudnnlint.frontends.source.python.raising import Guard

STOPS = "it depends on whether an exception is raised"
Handler = cst.ExceptHandler | cst.ExceptStarHandler
Takes = Callable[[str], bool | None]


def takes(handlers: Sequence[Handler], error: str) -> bool | None:
    """Return whether one of the handlers takes an exception of Python; None where they name other classes."""
    answers: list[bool | None] = []
    for handler in handlers:
        names = [] if handler.type is None else [one.value for one in walk(handler.type) if isinstance(one, cst.Name)]
        answers += [True] if handler.type is None else [raising.is_kind_of(error, name) for name in names]
    return True if True in answers else None if None in answers else False


def raise_(run: Interpreter, node: cst.Raise, frame: Frame) -> bool:
    """Run `raise`, `raise X`, `raise X from Y`."""
    error: Value | None = None
    if node.exc is not None:
        error = raising.instance_of(run, run.evaluate(node.exc, frame), Origin(frame.unit, node.exc))
    elif run.handling:
        error = run.handling[-1]
    if node.cause is not None and isinstance(error, Instance):
        run.journal.write(error.table, "__cause__", run.evaluate(node.cause.item, frame))
    raising.throw(run, error or UnknownValue("is an exception that is not followed"))
    return False


def attempt(run: Interpreter, node: cst.Try | cst.TryStar, frame: Frame) -> bool:
    """Run a `try` statement; return False if no path goes on behind it."""
    if node.finalbody is None:
        return _handled(run, node, frame)
    final = node.finalbody.body
    before = frame.finals

    def work() -> bool:
        frame.finals = (*before, (partial(run.execute, final, frame), len(frame.loops)))
        try:
            return _handled(run, node, frame)
        finally:
            frame.finals = before

    if run.guards:
        return raising.cleaned(run, work, partial(run.execute, final, frame))
    alive = work()
    return run.execute(final, frame) and alive


def resumed(run: Interpreter, node: cst.Try, frame: Frame, inner: branches.Arm, in_body: bool) -> bool:
    """Run what is left inside a `try`, in its body or behind that, and then the rest of the `try`."""
    work = partial(_handled, run, node, frame, inner) if in_body else inner
    if node.finalbody is None:
        return work()
    return raising.cleaned(run, work, partial(run.execute, node.finalbody.body, frame))


def _handled(
    run: Interpreter, node: cst.Try | cst.TryStar, frame: Frame, inner: branches.Arm | None = None
) -> bool:  # fmt: skip
    """Run the body, `else` and the handlers that may run.

    An exception that is certainly raised is taken by the handler for it, from the state that it leaves. Where something
    in the body may fail without being followed, every handler may run, from what held before or from what any part of
    the body did.
    """
    meeting, doubts = run.journal.open(), run.doubts
    path = run.journal.open()
    (body, trial) = run.journal.attempt(lambda: _body(run, node, inner or partial(run.execute, node.body, frame)))
    reached, guard = body
    done = run.journal.since(path)
    doubtful = run.doubts > doubts and not failing.cannot_fail(run, node.body, frame)
    handlers = run.library.handlers(run, node) if doubtful else []
    behind = run.journal.open()  # what `else` does to an object that the body made is not seen by a handler
    if reached and _reaches(run, lambda: node.orelse is None or run.execute(node.orelse.body, frame)):
        run.journal.leave(meeting)
    run.journal.abandon(behind)
    run.journal.abandon(path)
    for error, state in guard.ends:
        _certain(run, node, frame, error, state, meeting)
    for handler in handlers:
        _possible(run, frame, handler, done, trial, meeting)
    return run.journal.close(meeting, STOPS)


def _reaches(run: Interpreter, work: branches.Arm) -> bool:
    """Return whether a path gets to the end of work; one that raises an exception does not."""
    return bool(raising.stopped(run, work)[0])


def _body(run: Interpreter, node: cst.Try | cst.TryStar, inner: branches.Arm) -> tuple[bool, Guard]:
    """Run the body of a `try`; return whether anything reaches its end, and what it raises."""

    def work() -> bool:
        with run.library.attempting(run, node):
            return inner()

    reached, guard = raising.guarded(run, work, partial(takes, node.handlers))
    if reached:
        run.journal.leave(guard.point)
    kept = guard.point.ends[:]
    run.journal.abandon(guard.point)
    for state in kept:
        run.journal.restore(state)
    return bool(reached), guard


def _certain(
    run: Interpreter, node: cst.Try | cst.TryStar, frame: Frame, error: Value, state: dict[Cell, Value],
    meeting: JoinPoint,
) -> None:  # fmt: skip
    """Run the handlers that take an exception, from the state that it leaves; hand it on where none certainly does."""
    path = run.journal.open()
    run.journal.restore(state)
    taken: bool | None = False
    for handler in node.handlers:
        kind = None if handler.type is None else run.evaluate(handler.type, frame)
        of_group = isinstance(handler, cst.ExceptStarHandler)  # which takes a part of a group, the next one another
        taken = None if of_group else raising.matches(run, error, kind)
        if taken is False:
            continue
        inner = run.journal.open()
        if _handle(run, handler, frame, None if of_group else error):
            run.journal.leave(meeting)
        run.journal.abandon(inner)
        if taken:
            break
    if not taken:
        raising.pass_on(run, error)
    run.journal.abandon(path)


def _possible(
    run: Interpreter, frame: Frame, handler: Handler, done: dict[Cell, Value], trial: Trial, meeting: JoinPoint
) -> None:
    """Run a handler that may run, from what held before the body or from what any part of it did."""
    run.forked = True
    path = run.journal.open()
    run.journal.weaken(done, STOPS, trial)
    run.perhaps += 1
    try:
        if _handle(run, handler, frame, None):
            run.journal.leave(meeting)
    finally:
        run.perhaps -= 1
    run.journal.abandon(path)


def _handle(run: Interpreter, handler: Handler, frame: Frame, error: Value | None) -> bool:
    """Run a handler's body; return whether a path gets to its end."""
    named = handler.name.name if handler.name is not None else None
    if isinstance(named, cst.Name):
        unknown = run.unfollowed("is the exception that was caught", named, frame.unit)
        frame.scope.bind(run.journal, named.value, error or unknown)
    run.handling.append(error or UnknownValue("is the exception that was caught"))
    try:
        reached = _reaches(run, lambda: run.execute(handler.body, frame))
    finally:
        run.handling.pop()
    if reached and isinstance(named, cst.Name):
        frame.scope.unbind(run.journal, named.value)
    return reached


def swallowing(run: Interpreter, work: branches.Arm, takes: Takes) -> bool:
    """Run a block whose exceptions may be swallowed, whatever they are: what follows it is alive."""
    meeting = run.journal.open()
    done, trial, guard = tried(run, work, meeting, takes)
    path = run.journal.open()
    run.journal.weaken(done, STOPS, trial)
    for _, state in guard.ends:
        run.journal.weaken(state, STOPS)
    run.journal.leave(meeting)
    run.journal.abandon(path)
    return run.journal.close(meeting, STOPS)


def tried(
    run: Interpreter, work: branches.Arm, meeting: JoinPoint, takes: Takes
) -> tuple[dict[Cell, Value], Trial, Guard]:
    """Run a block and undo it; a path that gets to its end goes on to the join point.

    Return what the block did, each of its steps, and the exceptions that it certainly raises.
    """
    path = run.journal.open()
    (reached, guard), trial = run.journal.attempt(lambda: raising.guarded(run, work, takes))
    done = {**run.journal.since(path)}
    if reached:
        run.journal.leave(meeting)
    run.journal.abandon(guard.point)
    run.journal.abandon(path)
    return done, trial, guard
