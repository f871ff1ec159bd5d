"""`contextlib`: what its context managers do when their block ends."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from cudnnlint.core.frozen import record
from cudnnlint.frontends.source.python import containers, contexts, raising, swallowing
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.call_path import Step
from cudnnlint.frontends.source.python.contexts import QUIET, Leave
from cudnnlint.frontends.source.python.lazy_items import Stuck
from cudnnlint.frontends.source.python.plain import Computed
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    ITEMS,
    NONE,
    Bound,
    Class,
    Const,
    Contents,
    Instance,
    Library,
    Listing,
    Partial,
    Tuple,
    UnknownValue,
    Value,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

_CLOSING = "contextlib.closing"
_WAITING, _THING = "·waiting", "·thing"


@record(frozen=True, eq=False)
class Later(Value):
    """What an ExitStack does at its end."""

    leave: Leave


def _stack(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    return _holding(run, (), origin)


def _holding(run: Interpreter, waiting: tuple[Value, ...], origin: Origin | None) -> Instance:
    stack = Instance(Library("contextlib.ExitStack"), run.journal.table(), at=origin)
    run.journal.write(stack.table, _WAITING, containers.new_list(run, waiting))
    return stack


def _closing(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    closing = Instance(Library(_CLOSING), run.journal.table(), at=origin)
    run.journal.write(closing.table, _THING, arguments.get(0, "thing") or NONE)
    return closing


def _nothing_around(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    context = Instance(Library("contextlib.nullcontext"), run.journal.table(), at=origin)
    run.journal.write(context.table, _THING, arguments.get(0, "enter_result") or NONE)
    return context


def _suppress(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    context = Instance(Library("contextlib.suppress"), run.journal.table(), at=origin)
    if not arguments.rest:
        run.journal.write(context.table, swallowing.SUPPRESSED, Tuple(Contents(tuple(arguments.positional))))
    return context


def given(context: Value) -> Value | None:
    """Return what `with context as name` binds for `closing(thing)` and `nullcontext(value)`; None for others."""
    return context.table.get(_THING) if isinstance(context, Instance) else None


def enters(run: Interpreter, context: Value) -> Leave | None:
    """Return what an ExitStack, `closing` or `suppress` does at the end of its block; None for others."""
    if not isinstance(context, Instance) or not isinstance(context.kind, Library):
        return None
    waiting, thing, at = context.table.get(_WAITING), context.table.get(_THING), context.at
    if isinstance(waiting, Listing):
        return partial(_finish, run, waiting)
    if thing is not None and context.kind.name == _CLOSING and at is not None:
        return partial(_call_later, run, run.attribute(thing, "close", at), at)
    kinds = swallowing.swallowed_kinds(context)
    return None if kinds is None else partial(_suppressed, run, kinds)


def _suppressed(run: Interpreter, kinds: Value, said: list[Value]) -> Value:
    taken = not containers.is_nothing(said[1]) and raising.matches(run, said[1], kinds)
    return UnknownValue("is not known to take an exception") if taken is None else Const(taken)


def method(run: Interpreter, bound: Bound, arguments: Arguments, origin: Origin) -> Value | None:
    """Call a method of an ExitStack; None for anything else."""
    waiting = bound.receiver.table.get(_WAITING) if isinstance(bound.receiver, Instance) else None
    name = bound.name.replace("async_", "")
    if not isinstance(waiting, Listing):
        return None
    if name in ("callback", "push", "enter_context") and arguments.positional:
        return _add(run, waiting, name, arguments, origin)
    if name == "pop_all":
        held = containers.contents_of(waiting).items
        run.journal.write(waiting.table, ITEMS, containers.bounded(()))
        return _holding(run, held, origin)
    if name in ("close", "aclose", "__exit__", "__aexit__"):
        return _finish(run, waiting, arguments.positional if len(arguments.positional) == len(QUIET) else QUIET)
    return bound.receiver if name in ("__enter__", "__aenter__") else None


def _add(run: Interpreter, waiting: Listing, name: str, arguments: Arguments, origin: Origin) -> Value:
    """Run `stack.callback(function, ...)`, `push(exit)` or `enter_context(manager)`."""
    first, *rest = arguments.positional
    if name == "enter_context":
        result, leave = _entered(run, first, origin)
    elif name == "push":
        result, leave = first, partial(_call_exit, run, first, origin)
    else:
        later = Partial(first, tuple(rest), dict(arguments.keywords), arguments.open)
        result, leave = first, partial(_call_later, run, later, origin)
    items = containers.contents_of(waiting)
    run.journal.write(waiting.table, ITEMS, containers.bounded((*items.items, Later(leave, at=origin)), items.rest))
    return result


def _entered(run: Interpreter, manager: Value, origin: Origin) -> tuple[Value, Leave]:
    """Enter a context manager; what is not known of one is not followed at its end either."""
    try:
        entered = contexts.manager(run, manager, origin)
    except Stuck:
        entered = None
    return entered or (contexts.enter_context(run, manager), lambda said: NONE)


def _call_later(run: Interpreter, later: Value, origin: Origin, said: list[Value]) -> Value:
    """Call a callback, which is told nothing."""
    run.call(later, Arguments(), origin)
    return NONE


def _call_exit(run: Interpreter, pushed: Value, origin: Origin, said: list[Value]) -> Value:
    """Call what was pushed: the `__exit__` of an object that has one, or a function."""
    if isinstance(pushed, Instance) and isinstance(pushed.kind, Class):
        pushed = run.attribute(pushed, "__exit__", origin)
    return run.call(pushed, Arguments(list(said)), origin)


def _finish(run: Interpreter, waiting: Listing, said: list[Value]) -> Value:
    """Do what was registered, last first; return whether one of them takes the exception."""
    contents, taken = containers.contents_of(waiting), False
    run.journal.write(waiting.table, ITEMS, containers.bounded(()))
    for place, later in enumerate(reversed(contents.items)):
        if not isinstance(later, Later) or later.at is None:
            continue
        with run.step(Step(later.at, place)):
            answer = later.leave(QUIET if taken else said)
        took = False if answer is None else truth(answer)
        if took is None and not taken and not containers.is_nothing(said[1]):
            return UnknownValue("is not known to take an exception")
        taken = taken or took is True
    return Const(taken and not containers.is_nothing(said[1]))


def table() -> dict[str, Computed]:
    """Return the context managers by their dotted names."""
    return {
        **dict.fromkeys(contexts.STACKS, _stack),
        _CLOSING: _closing,
        "contextlib.nullcontext": _nothing_around,
        "contextlib.suppress": _suppress,
    }
