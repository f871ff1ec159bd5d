"""`contextlib`: what its context managers do when their block ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import containers, contexts
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.plain import Computed
from cudnnlint.frontends.source.python.values import (
    ITEMS,
    NONE,
    Bound,
    Contents,
    Instance,
    Library,
    Listing,
    Partial,
    Tuple,
    Value,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

STACKS = frozenset({"contextlib.ExitStack", "contextlib.AsyncExitStack"})
CLOSING = "contextlib.closing"
_WAITING, _THING = "·waiting", "·thing"


def _stack(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    stack = Instance(Library("contextlib.ExitStack"), run.journal.table(), at=origin)
    run.journal.write(stack.table, _WAITING, containers.new_list(run, ()))
    return stack


def _closing(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    closing = Instance(Library(CLOSING), run.journal.table(), at=origin)
    run.journal.write(closing.table, _THING, arguments.get(0, "thing") or NONE)
    return closing


def _nothing_around(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    context = Instance(Library("contextlib.nullcontext"), run.journal.table(), at=origin)
    run.journal.write(context.table, _THING, arguments.get(0, "enter_result") or NONE)
    return context


def _suppress(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    context = Instance(Library("contextlib.suppress"), run.journal.table(), at=origin)
    if not arguments.rest:
        run.journal.write(context.table, contexts.SUPPRESSED, Tuple(Contents(tuple(arguments.positional))))
    return context


def given(context: Value) -> Value | None:
    """Return what `with context as name` binds for `closing(thing)` and `nullcontext(value)`; None for others."""
    return context.table.get(_THING) if isinstance(context, Instance) else None


def method(run: Interpreter, bound: Bound, arguments: Arguments, origin: Origin) -> Value | None:
    """Call `ExitStack.callback(function, ...)` or `push`; None for anything else."""
    waiting = bound.receiver.table.get(_WAITING) if isinstance(bound.receiver, Instance) else None
    if bound.name not in ("callback", "pop_all", "close") or not isinstance(waiting, Listing):
        return None
    if bound.name == "callback" and arguments.positional:
        function, *rest = arguments.positional
        later = Partial(function, tuple(rest), dict(arguments.keywords), arguments.open)
        items = containers.contents_of(waiting)
        run.journal.write(waiting.table, ITEMS, containers.bounded((*items.items, later), items.rest))
        return function
    if bound.name == "close":
        _finish(run, waiting, origin)
    return NONE if bound.name == "close" else None


def _finish(run: Interpreter, waiting: Listing, origin: Origin) -> None:
    """Call what was registered, last first."""
    contents = containers.contents_of(waiting)
    run.journal.write(waiting.table, ITEMS, containers.bounded(()))
    for later in reversed(contents.items):
        run.call(later, Arguments(), origin)


@contextmanager
def entered(run: Interpreter, context: Value) -> Iterator[None]:
    """Run a block, and then what an ExitStack or `closing` does at its end."""
    yield
    if not isinstance(context, Instance) or context.at is None:
        return
    waiting, kind = context.table.get(_WAITING), context.kind
    if isinstance(waiting, Listing):
        _finish(run, waiting, context.at)
    thing = context.table.get(_THING)
    if thing is not None and isinstance(kind, Library) and kind.name == CLOSING:
        run.call(run.attribute(thing, "close", context.at), Arguments(), context.at)


def table() -> dict[str, Computed]:
    """Return the context managers by their dotted names."""
    return {
        **dict.fromkeys(STACKS, _stack),
        CLOSING: _closing,
        "contextlib.nullcontext": _nothing_around,
        "contextlib.suppress": _suppress,
    }
