"""Context managers that take an exception of their block: what follows the `with` runs all the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python import classes, raising, trying
from cudnnlint.frontends.source.python.values import (
    Class,
    Function,
    Instance,
    Library,
    Managed,
    UnknownValue,
    Value,
    words,
)
from cudnnlint.frontends.source.syntax.index import walk

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Context managers that take an exception of their block, by their last name.
SWALLOWERS = words("suppress raises warns assertRaises assertRaisesRegex assertWarns assertWarnsRegex subTest")


def guarded(
    run: Interpreter, context: Value, written: cst.BaseExpression, leaving: str, work: Callable[[], bool]
) -> bool:
    """Run a `with`; where it may swallow an exception, what follows it is alive. `leaving` is called at its end."""
    expects = _name(written) in SWALLOWERS
    if not expects and not _may_swallow(context, leaving):
        return work()
    takes = partial(_takes, run, swallowed_kinds(context), expects)
    doubts, kinds = run.doubts, swallowed_kinds(context)
    if kinds is None and not _by_own_exit(context) and not isinstance(context, Managed):
        return trying.swallowing(run, work, takes)
    meeting = run.journal.open()
    done, trial, guard = trying.tried(run, work, meeting, takes)
    for error, state in guard.ends:
        path = run.journal.open()
        run.journal.restore(state)
        taken = raising.matches(run, error, kinds) if kinds is not None else False
        if taken is not False:
            run.journal.leave(meeting)
        if taken is not True:
            raising.pass_on(run, error)
        run.journal.abandon(path)
    if run.doubts > doubts:
        path = run.journal.open()
        run.journal.weaken(done, trying.STOPS, trial)
        run.journal.leave(meeting)
        run.journal.abandon(path)
    return run.journal.close(meeting, trying.STOPS)


def swallowed_kinds(context: Value) -> Value | None:
    """Return the classes of exceptions that `contextlib.suppress(...)` takes; None for other context managers."""
    return context.table.get(SUPPRESSED) if isinstance(context, Instance) else None


def _takes(run: Interpreter, kinds: Value | None, expects: bool, error: str) -> bool | None:
    """Return whether a context manager takes an exception of Python; None where that is not known."""
    if kinds is None:
        return True if expects else None
    return raising.matches(run, raising.made(run, Library(f"builtins.{error}"), ()), kinds)


def _by_own_exit(context: Value) -> bool:
    return isinstance(context, Instance) and isinstance(context.kind, Class)


#: The cell of a context manager with the classes of exceptions that it swallows.
SUPPRESSED = "·suppressed"


def _name(written: cst.BaseExpression) -> str:
    """Return the last name of what makes a context manager."""
    called = written.func if isinstance(written, cst.Call) else written
    return called.attr.value if isinstance(called, cst.Attribute) else str(getattr(called, "value", ""))


def _may_swallow(value: Value, leaving: str) -> bool:
    """Return whether what follows a `with` block may run although its body raised; `leaving` is called at its end."""
    if isinstance(value, Managed):
        return any(isinstance(node, (cst.Try, cst.TryStar)) and node.handlers for node in walk(value.function.node))
    kind = value.kind if isinstance(value, Instance) else None
    own = classes.search(kind, leaving) if isinstance(kind, Class) else None
    if own is None or not isinstance(own[0], Function):
        return isinstance(value, UnknownValue) or (isinstance(kind, Library) and kind.foreign)
    returned = [node.value for node in walk(own[0].node.body) if isinstance(node, cst.Return)]
    plain = (one is None or (isinstance(one, cst.Name) and one.value in ("None", "False")) for one in returned)
    return not all(plain)
