"""`with`: what a context manager does before and after its block, and whether it takes an exception of it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python import (
    assignments,
    classes,
    functions,
    generator_signals,
    raising,
    swallowing,
    trying,
)
from cudnnlint.frontends.source.python.call_path import Step
from cudnnlint.frontends.source.python.scopes import EndBehind, Frame
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    NONE,
    Class,
    Instance,
    Library,
    Managed,
    UnknownValue,
    Value,
)
from cudnnlint.frontends.source.syntax.index import walk
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

Block = Callable[[Value], bool]
Leave = Callable[[list[Value]], Value | None]
#: The methods that a `with` and an `async with` call.
Hooks = tuple[str, str]
PLAIN: Hooks = ("__enter__", "__exit__")
ASYNCHRONOUS: Hooks = ("__aenter__", "__aexit__")
#: What `__exit__` is told where no exception ends the block.
QUIET: list[Value] = [NONE, NONE, NONE]
STACKS = frozenset({"contextlib.ExitStack", "contextlib.AsyncExitStack"})


def enter(run: Interpreter, node: cst.With, items: list[cst.WithItem], frame: Frame) -> bool:
    """Enter the context managers from the left, then run the block."""
    if not items:
        return run.execute(node.body, frame)
    item, *others = items
    value = run.evaluate(item.item, frame)
    origin, hooks = Origin(frame.unit, item.item), hooks_of(node)

    def inside(given: Value) -> bool:
        if item.asname is not None:
            assignments.assign(run, item.asname.name, given, frame)
        return enter(run, node, others, frame)

    jumps = frame if any(isinstance(one, _JUMPS) for one in walk(node.body)) else None
    work = partial(within, run, value, inside, origin, hooks, jumps)
    return swallowing.guarded(run, value, item.item, hooks[1], work)


#: What leaves a block that it stands in.
_JUMPS = (cst.Return, cst.Break, cst.Continue)


def within(
    run: Interpreter, context: Value, block: Block, origin: Origin, hooks: Hooks = PLAIN, frame: Frame | None = None
) -> bool:  # fmt: skip
    """Run a block inside a context manager; with the frame of a block that a jump may leave."""

    def inside(given: Value) -> bool:
        with run.library.entered(run, context):
            return block(given)

    if isinstance(context, Managed):
        return run_managed(run, context, inside, frame)
    given, leave = _entered(run, context, origin, hooks)
    if leave is None:
        return inside(given)
    jumped: list[Value | None] = []

    def end() -> bool:
        jumped.append(leave(QUIET))
        return True

    work = partial(inside, given) if frame is None else partial(_waiting, frame, end, partial(inside, given))
    if not run.guards and not _is_stack(context):
        alive = work()
        if alive or not jumped:
            leave(QUIET)
        return alive
    return left(run, leave, work)


def _waiting(frame: Frame, end: Callable[[], bool] | EndBehind, work: Callable[[], bool]) -> bool:
    """Run a block; what jumps out of it runs its end on the way."""
    before = frame.finals
    frame.finals = (*before, (end, len(frame.loops)))
    try:
        return work()
    finally:
        frame.finals = before


def _entered(run: Interpreter, context: Value, origin: Origin, hooks: Hooks) -> tuple[Value, Leave | None]:
    """Enter a context manager; return what it gives, and what it does at the end, if that is anything."""
    own = classes.operator(run, context, hooks[0], [], origin)
    kind = classes.kind_of(context)
    if own is None and not (isinstance(kind, Class) and classes.search(kind, hooks[1])):
        return enter_context(run, context), run.library.enters(run, context)
    return (
        enter_context(run, context) if own is None else own,
        lambda said: classes.operator(run, context, hooks[1], said, origin),
    )


def _is_stack(context: Value) -> bool:
    """Return whether a context manager may take an exception as what it holds decides."""
    return isinstance(context, Instance) and isinstance(context.kind, Library) and context.kind.name in STACKS


def manager(run: Interpreter, context: Value, origin: Origin, hooks: Hooks = PLAIN) -> tuple[Value, Leave] | None:
    """Enter a context manager whose end is somewhere else; return what it gives and what it does at its end.

    None where it is not known what it does.
    """
    if isinstance(context, Managed):
        return generator_signals.entered(run, context)
    kind = classes.kind_of(context)
    if not isinstance(kind, Class) and not (isinstance(kind, Library) and not kind.foreign and _is_plain(kind.name)):
        return None
    given, leave = _entered(run, context, origin, hooks)
    return given, leave or (lambda said: NONE)


def _is_plain(name: str) -> bool:
    """Return whether a library is Python's own, whose context managers are known."""
    return name.split(".")[0] in sys.stdlib_module_names or name.startswith("builtins.")


def hooks_of(node: cst.With) -> Hooks:
    """Return the methods that a `with` calls."""
    return PLAIN if node.asynchronous is None else ASYNCHRONOUS


def left(run: Interpreter, leave: Leave, work: Callable[[], bool]) -> bool:
    """Run a block and then `__exit__`, which is told the exception that ends the block and may swallow it."""
    meeting = run.journal.open()
    reached, guard = raising.guarded(run, work)
    if reached and _exits(run, leave, QUIET) is not None:
        run.journal.leave(meeting)
    run.journal.abandon(guard.point)
    for error, state in guard.ends:
        path = run.journal.open()
        run.journal.restore(state)
        kind = error.kind if isinstance(error, Instance) else error
        answer = _exits(run, leave, [kind, error, UnknownValue("is a traceback")])
        if answer is not None and truth(answer) is not False:
            run.journal.leave(meeting)
        if answer is not None and truth(answer) is not True:
            raising.pass_on(run, error)
        run.journal.abandon(path)
    return run.journal.close(meeting, trying.STOPS)


def _exits(run: Interpreter, leave: Leave, given: list[Value]) -> Value | None:
    """Return what `__exit__` returns; None where it raises itself."""
    found, _ = raising.stopped(run, lambda: leave(given) or NONE)
    return found


def enclosed(run: Interpreter, contexts: tuple[Value, ...], work: Callable[[], Value], origin: Origin) -> Value:
    """Return the result of work that runs inside context managers, which decorate a function."""
    if not contexts:
        return work()
    found: list[Value] = []

    def block(given: Value) -> bool:
        found.append(enclosed(run, contexts[1:], work, origin))
        return True

    within(run, contexts[0], block, origin)
    return found[0] if found else NONE


def run_managed(
    run: Interpreter, managed: Managed, body: Callable[[Value], bool], frame: Frame | None = None
) -> bool:  # fmt: skip
    """Run a `with` block, `body`, where the context manager's function yields, and then what jumps out of the block."""
    reached: list[bool] = []
    begun: list[Value] = []
    jumps: list[Callable[[], bool]] = []
    outside = run.path

    def with_jumps(value: Value, frame: Frame) -> bool:
        end = EndBehind(run.journal.open())
        alive = _waiting(frame, end, partial(body, value))
        if alive:
            run.journal.leave(end.point)
        run.journal.close(end.point, trying.STOPS)
        jumps.extend(end.jumps)
        return alive

    def at_yield(value: Value) -> None:
        begun.append(value)
        before, run.path = run.path, outside
        reached.append(body(value) if frame is None else with_jumps(value, frame))
        run.path = before

    with run.step(Step(managed.origin)):
        functions.run_body(run, managed.function, managed.bound, at_yield)
    for jump in jumps:
        path = run.journal.open()
        jump()
        run.journal.abandon(path)
    if begun and not reached:
        return True  # the function swallows the exception that ended the block
    return any(reached) if reached else body(UnknownValue("comes from a context manager"))


def enter_context(run: Interpreter, value: Value) -> Value:
    """Return what `with value as name` binds: the object itself where nothing else is known."""
    given = run.library.given(run, value)
    if given is not None:
        return given
    if isinstance(value, (Library, UnknownValue)):
        return UnknownValue("comes from a context manager", value.name if isinstance(value, Library) else value.what)
    return value
