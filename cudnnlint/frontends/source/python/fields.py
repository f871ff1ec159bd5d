"""The annotated fields of classes: of dataclasses and named tuples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import classes
from cudnnlint.frontends.source.python.scopes import Scope
from cudnnlint.frontends.source.python.values import (
    Class,
    Const,
    Contents,
    Library,
    Tuple,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def new_named_tuple(run: Interpreter, name: str, names: list[str], origin: Origin) -> Class:
    """Return the class that collections.namedtuple() makes."""
    table = run.journal.table()
    run.journal.write(table, classes.FIELDS, Tuple(Contents(tuple(Const(field) for field in names))))
    return Class(name, None, origin.unit, (Library("typing.NamedTuple"),), table)


def note_field(run: Interpreter, scope: Scope, name: str, annotation: str) -> None:
    """Record an annotated name of a class body as a field."""
    written = classes.ANNOTATED.match(annotation)
    if written is not None and written[1] == "ClassVar":
        return
    if written is not None:
        _note(run, scope, classes.INIT_ONLY, name)
    _note(run, scope, classes.FIELDS, name)


def _note(run: Interpreter, scope: Scope, cell: str, name: str) -> None:
    before = scope.table.get(cell)
    known = before.contents.items if isinstance(before, Tuple) else ()
    run.journal.write(scope.table, cell, Tuple(Contents((*known, Const(name)))))
