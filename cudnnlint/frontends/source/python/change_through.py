"""Objects of a library that may hand on changes to what they were made from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import escape
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import Contents, Instance, Listing, Mapping, Tuple, options
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The cell of a library's object with what it was made from.
_HELD = "·held"


def hold(run: Interpreter, instance: Instance, arguments: Arguments) -> None:
    """Note that a library's object may hand on changes to what it was made from."""
    every = [option for value in arguments.every() for option in options(value)]
    given = tuple(option for option in every if isinstance(option, (Mapping, Listing, Instance)))
    if given:
        run.journal.write(instance.table, _HELD, Tuple(Contents(given)))


def through(run: Interpreter, instance: Instance, origin: Origin) -> None:
    """Note that a library's object was changed, and with it perhaps what it was made from."""
    held = instance.table.get(_HELD)
    if isinstance(held, Tuple):
        escape.of_value(run, held, escape.why_of(origin))
