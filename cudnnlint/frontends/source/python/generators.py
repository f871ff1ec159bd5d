"""Generator functions: their body runs from `yield` to `yield`, when an item is asked for.

The place where a body waits is a stack of blocks: the statements that are left in each suite, and the loops around
them. A body whose way is not decided is run to its end at once instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import libcst as cst

from cudnnlint.core.frozen import record
from cudnnlint.frontends.source.python import (
    call_path,
    containers,
    generator_rest,
    generator_turns,
    iterators,
    local_names,
)
from cudnnlint.frontends.source.python.call_path import Step
from cudnnlint.frontends.source.python.calls_not_followed import is_finite
from cudnnlint.frontends.source.python.lazy_items import SOURCE, ItemSource, Stuck
from cudnnlint.frontends.source.python.scopes import Frame, Scope
from cudnnlint.frontends.source.python.values import (
    NONE,
    Contents,
    Either,
    Function,
    Instance,
    Listing,
    UnknownValue,
    Value,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


T = TypeVar("T")


@record(frozen=True, eq=False)
class Suite:
    """The statements of a suite from a place on; with `loop` it is the body of one round of that loop."""

    nodes: Sequence[cst.CSTNode]
    place: int = 0
    loop: cst.For | cst.While | None = None
    steps: tuple[Step, ...] = ()


@record(frozen=True, eq=False)
class Loop:
    """A `for` with the iterator that it reads, or a `while`; `turn` counts its rounds."""

    node: cst.For | cst.While
    iterator: Listing | None
    turn: int = 0


@record(frozen=True, eq=False)
class Handing:
    """`yield from iterator`, the statement; `target` gets what that generator returns."""

    node: cst.CSTNode
    iterator: Listing
    target: cst.BaseExpression | None = None


@record(frozen=True, eq=False)
class Trying:
    """A `try` with the part of it that runs: "body", "handler" (of `error`), "else" or "final".

    `then` is what follows its `finally`: an exception, or a jump.
    """

    node: cst.Try
    part: str
    error: Value | None = None
    then: Value | str | None = None


@record(frozen=True, eq=False)
class Entered:
    """A context manager that is entered, and what it does at its end."""

    leave: Callable[[list[Value]], Value | None]


Block = Suite | Loop | Handing | Trying | Entered


@record(frozen=True, eq=False)
class Body(ItemSource):
    """A generator's body that waits: its frame, the blocks that it is in, and where it was called."""

    function: Function
    frame: Frame
    blocks: tuple[Block, ...]
    path: tuple[Step, ...]
    waits: cst.BaseExpression | None = None
    counts_down: bool = False
    begun: bool = False

    def pull(self, run: Interpreter) -> tuple[Value | None, ItemSource]:
        """Run the body to its next `yield`."""
        if run.too_deep(self.function.node, self.counts_down):
            raise Stuck
        return _inside(run, self, lambda: _whole(run, generator_turns.Turn(run, self).go))

    def stopped(self, run: Interpreter, error: Value) -> tuple[Value | None, ItemSource]:
        """Raise an exception in the body where it waits, and run it to its next `yield`."""
        return _inside(run, self, lambda: _whole(run, lambda: generator_turns.Turn(run, self).stopped(error)))

    def rest(self, run: Interpreter) -> Contents:
        """Run the body from here to its end, and return what it yields."""
        return _inside(run, self, lambda: generator_rest.to_the_end(run, self))


def is_generator(function: Function) -> bool:
    """Return whether calling a function makes a generator."""
    if isinstance(function.node, cst.Lambda) or "yield" not in function.unit.text:
        return False
    return any(type(node) is cst.Yield for node in generator_turns.own_nodes(function.node.body))


def start(run: Interpreter, function: Function, bound: dict[str, Value], origin: Origin) -> Listing:
    """Return a generator whose body has not begun to run."""
    table = run.journal.table()
    for name, value in bound.items():
        run.journal.write(table, name, value)
    scope = Scope(table, function.scope, "function", local=local_names.of(function.node))
    frame = Frame(function.unit, scope, containers.new_list(run, ()), function, owner=function.owner)
    parameters = function.node.params
    first = [*parameters.posonly_params, *parameters.params][:1]
    frame.receiver = bound.get(first[0].name.value) if first and function.kind in ("method", "classmethod") else None
    assert isinstance(function.node, cst.FunctionDef)
    known = not any(isinstance(value, (Either, UnknownValue)) for value in bound.values())
    counts_down = known and any(isinstance(value, Instance) or is_finite(value) for value in bound.values())
    path = (*run.path, Step(origin))
    body = Body(function, frame, (Suite(function.node.body.body),), path, counts_down=counts_down)
    return iterators.new(run, body)


def returned(iterator: Listing) -> Value:
    """Return what a generator that is at its end has returned, for `x = yield from generator`."""
    body = iterator.table.get(SOURCE)
    if not isinstance(body, Body):
        return UnknownValue("is what a generator returns")
    found = body.frame.returned
    return NONE if not found else found[0] if len(found) == 1 else UnknownValue("is what a generator returns")


def runs(iterator: Listing) -> bool:
    """Return whether an iterator is a generator whose body is not at its end."""
    body = iterator.table.get(SOURCE)
    return isinstance(body, Body) and bool(body.blocks)


def _whole(run: Interpreter, turn: Callable[[], T]) -> T:
    """Run a body to its next `yield`, or not at all: where that is Stuck, it waits where it did, with what it reads."""
    marks, point = run.mark(), run.journal.open()
    try:
        found = turn()
    except Stuck:
        run.back_to(marks)
        raise
    run.journal.leave(point)
    run.journal.close(point)
    return found


def _inside(run: Interpreter, body: Body, work: Callable[[], T]) -> T:
    """Do work as the body of a generator."""
    before, here, active = run.path, run.here, len(run.active)
    run.path = call_path.resumed(run.path, body.path, here)
    run.active.append(id(body.function.node))
    run.called.add(id(body.function.node))
    try:
        with run.library.inside(run, body.function):
            return work()
    finally:
        run.path, run.here = before, here
        del run.active[active:]
