"""Objects without `__init__`: what `object.__new__(cls)` returns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import classes
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import NONE, Class, Instance, Library, Value
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def made(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Return the object that is being made, inside a `__new__`; elsewhere a new one, whose `__init__` does not run."""
    kind = arguments.positional[0] if arguments.positional else NONE
    newest = run.making[-1] if run.making else None
    other = isinstance(newest, Instance) and isinstance(kind, Class) and not _is_of(newest, kind)
    if newest is not None and not other:
        return newest
    if not isinstance(kind, Class) or arguments.rest or any(isinstance(one, Library) for one in _above(kind)):
        return None
    return Instance(kind, run.journal.table(), at=origin)


def _above(kind: Class) -> list[Value]:
    """Return what a class inherits from, besides `object`."""
    return [one for one in classes.lineage(kind) if not isinstance(one, Library) or one.name != "builtins.object"]


def _is_of(newest: Instance, kind: Class) -> bool:
    return isinstance(newest.kind, Class) and newest.kind.table is kind.table
