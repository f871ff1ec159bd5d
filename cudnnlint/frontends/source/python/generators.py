"""Generator functions: their body runs from `yield` to `yield`, when an item is asked for.

The place where a body waits is a stack of blocks: the statements that are left in each suite, and the loops around
them. A body that waits inside a `with` or `try`, or whose way is not decided, is run to its end at once instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import libcst as cst

from cudnnlint.core.frozen import record
from cudnnlint.frontends.source.python import (
    assignments,
    call_path,
    containers,
    contexts,
    functions,
    generator_exits,
    generator_turns,
    iterators,
    local_names,
    loops,
    raising,
    statements,
    trying,
)
from cudnnlint.frontends.source.python.call_path import Step
from cudnnlint.frontends.source.python.lazy_items import SOURCE, ItemSource, Stuck
from cudnnlint.frontends.source.python.scopes import Frame, Scope
from cudnnlint.frontends.source.python.values import (
    NONE,
    Const,
    Contents,
    Either,
    Function,
    Instance,
    Library,
    Listing,
    Managed,
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
        return _inside(run, self, lambda: generator_turns.Turn(run, self).go())

    def stopped(self, run: Interpreter, error: Value) -> tuple[Value | None, ItemSource]:
        """Raise an exception in the body where it waits, and run it to its next `yield`."""
        return _inside(run, self, lambda: generator_turns.Turn(run, self).stopped(error))

    def rest(self, run: Interpreter) -> Contents:
        """Run the body from here to its end, and return what it yields."""
        return _inside(run, self, lambda: _to_the_end(run, self))


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
    counts_down = known and any(isinstance(value, (Const, Instance)) for value in bound.values())
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


def send(run: Interpreter, generator: Listing, value: Value) -> Value | None:
    """Return the next item of a generator that gets a value from outside; None at its end; raise Stuck."""
    body = generator.table.get(SOURCE)
    if not isinstance(body, Body):
        raise Stuck
    if body.waits is not None:
        assignments.assign(run, body.waits, value, body.frame)
    run.journal.write(generator.table, SOURCE, replace(body, waits=None))
    return iterators.advance(run, generator)


def throw(run: Interpreter, generator: Listing, error: Value) -> Value | None:
    """Return the next item of a generator in which an exception is raised; None at its end; raise Stuck."""
    body = generator.table.get(SOURCE)
    if not isinstance(body, Body):
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
    if isinstance(body, Body) and body.begun and generator_exits.watches(list(body.blocks)):
        _after(run, generator, raising.made(run, Library("builtins.GeneratorExit"), ()))
    iterators.finish(run, generator)


def entered(run: Interpreter, managed: Managed) -> tuple[Value, Callable[[list[Value]], Value | None]]:
    """Run the function of a contextlib.contextmanager to its `yield`; return what it gives, and what runs the rest."""
    body = start(run, managed.function, managed.bound, managed.origin)
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


def _to_the_end(run: Interpreter, body: Body) -> Contents:
    """Run what is left of a body as a whole, and return what it yields."""
    frame = replace(body.frame, yielded=containers.new_list(run, ()), loops=[], returned=[])
    frame.exit = run.journal.open()
    if _blocks_to_the_end(run, body.blocks, frame):
        run.journal.leave(frame.exit)
    run.journal.close(frame.exit, "it depends on which branch a generator takes")
    found = containers.contents_of(frame.yielded)
    begun = len(body.blocks) > 1
    return containers.unordered(found) if begun and found.items else found


def _blocks_to_the_end(run: Interpreter, blocks: Sequence[Block], frame: Frame) -> bool:
    """Run what is left of blocks, the innermost first; return False if no path gets to their end."""
    inner: list[Suite | Loop | Handing] = []
    for place, block in enumerate(blocks):
        if isinstance(block, (Trying, Entered)):
            work = partial(_blocks_to_the_end, run, blocks[place + 1 :], frame)
            alive = _left_to_the_end(run, block, work, frame)
            break
        inner.append(block)
    else:
        alive = True
    return alive and all(_finished(run, block, frame) for block in reversed(inner))


def _left_to_the_end(run: Interpreter, block: Trying | Entered, inner: Callable[[], bool], frame: Frame) -> bool:
    """Run what is inside a `try` or `with` to its end, and then what ends that."""
    if isinstance(block, Entered):
        return contexts.left(run, block.leave, inner)
    if block.part == "final":
        return inner() and block.then is None
    return trying.resumed(run, block.node, frame, inner, block.part == "body")


def _finished(run: Interpreter, block: Suite | Loop | Handing, frame: Frame) -> bool:
    """Run what is left of one block; return False if no path gets to its end."""
    if isinstance(block, Handing):
        run.here = Origin(frame.unit, block.node)
        left = iterators.drained(run, block.iterator)
        functions.hand_out(run, frame, left.items, left.rest)
        if block.target is not None:
            assignments.assign(run, block.target, returned(block.iterator), frame)
        return True
    if isinstance(block, Suite):
        return _suite_to_the_end(run, block, frame)
    if isinstance(block.node, cst.While):
        return loops.repeat(run, block.node, frame)
    assert block.iterator is not None
    return loops.each_of(run, block.node, block.iterator, frame)


def _suite_to_the_end(run: Interpreter, block: Suite, frame: Frame) -> bool:
    nodes = list(block.nodes[block.place :])
    if block.loop is None:
        return statements.run_all(run, nodes, frame)
    done, turn = run.journal.open(), run.journal.open()
    frame.loops.append((done, turn))
    if statements.run_all(run, nodes, frame):
        run.journal.leave(turn)
    frame.loops.pop()
    if run.journal.close(turn):
        run.journal.leave(done)
    return run.journal.close(done)
