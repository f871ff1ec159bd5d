"""What reaches a generator from outside: a value, an exception, its end; and context managers that are generators."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.python import assignments, containers, generator_exits, generators, iterators, raising
from cudnnlint.frontends.source.python.lazy_items import SOURCE, ItemSource, Stuck
from cudnnlint.frontends.source.python.values import (
    NONE,
    Const,
    Library,
    Listing,
    Managed,
    UnknownValue,
    Value,
    options,
)

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def send(run: Interpreter, generator: Listing, value: Value) -> Value | None:
    """Return the next item of a generator that gets a value from outside; None at its end; raise Stuck."""
    body = generator.table.get(SOURCE)
    if not isinstance(body, generators.Body):
        raise Stuck
    if body.waits is not None:
        assignments.assign(run, body.waits, value, body.frame)
    run.journal.write(generator.table, SOURCE, replace(body, waits=None))
    return iterators.advance(run, generator)


def throw(run: Interpreter, generator: Listing, error: Value) -> Value | None:
    """Return the next item of a generator in which an exception is raised; None at its end; raise Stuck."""
    body = generator.table.get(SOURCE)
    if not isinstance(body, generators.Body):
        raise Stuck
    if not body.blocks or not body.begun:
        run.journal.write(generator.table, SOURCE, replace(body, blocks=(), waits=None))
        raising.throw(run, error)
        return None
    item, behind = body.stopped(run, error)
    run.journal.write(generator.table, SOURCE, behind)
    return item


def close(run: Interpreter, generator: Listing) -> None:
    """Run what a generator that waits inside a `try` or `with` does when it is closed, and leave it at its end."""
    body = generator.table.get(SOURCE)
    if isinstance(body, generators.Body) and body.begun and generator_exits.watches(body.blocks):
        try:
            _after(run, generator, raising.made(run, Library("builtins.GeneratorExit"), ()))
        except Stuck:
            iterators.drained(run, generator)
    iterators.finish(run, generator)


def left_behind(run: Interpreter, generator: Listing, node: cst.BaseExpression) -> bool:
    """Close a generator that nothing but a loop has held, which is left: `for x in generator(): break`.

    `node` is what the loop goes over: a call that makes a generator makes it for the loop alone. Return that the
    program goes on behind the loop.
    """
    before = generator.table.get(SOURCE) or NONE
    bodies = [one for one in options(before) if isinstance(one, generators.Body) and one.path[-1].origin.node is node]
    waiting = [one for one in bodies if one.begun and generator_exits.watches(one.blocks)]
    if len(waiting) == len(options(before)) == 1:
        close(run, generator)
    elif waiting:
        arms = [partial(_closed_in, run, generator, one) for one in waiting]
        run.journal.fork([*arms, lambda: True], "it depends on where a loop leaves a generator")
    return True


def _closed_in(run: Interpreter, generator: Listing, body: ItemSource) -> bool:
    run.journal.write(generator.table, SOURCE, body)
    close(run, generator)
    return True


def entered(run: Interpreter, managed: Managed) -> tuple[Value, Callable[[list[Value]], Value | None]]:
    """Run the function of a contextlib.contextmanager to its `yield`; return what it gives, and what runs the rest."""
    body = generators.start(run, managed.function, managed.bound, managed.origin)
    given = iterators.advance(run, body)

    def leave(said: list[Value]) -> Value | None:
        try:
            if not containers.is_nothing(said[1]):
                return _after(run, body, said[1])
            ended = iterators.advance(run, body) is None
        except Stuck:
            iterators.drained(run, body)
            ended = False
        return NONE if ended else UnknownValue("comes from a context manager that is not followed")

    return given or UnknownValue("comes from a context manager"), leave


def _after(run: Interpreter, body: Listing, error: Value) -> Value | None:
    """Raise an exception in the function of a context manager; return whether it takes it, as far as that is known."""
    ended, guard = raising.guarded(run, lambda: throw(run, body, error) is None)
    if ended and not guard.ends:
        run.journal.leave(guard.point)
        run.journal.close(guard.point)
        return Const(True)
    run.journal.abandon(guard.point)
    if len(guard.ends) != 1:
        raise Stuck
    raised, state = guard.ends[0]
    run.journal.restore(state)
    if raised is not error:
        raising.throw(run, raised)
    return Const(False)
