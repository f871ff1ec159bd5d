"""What the program has come by, in a cell of the world: texts, each on a line, at the first of their places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.python.values import UNBOUND, Const, Value, choice, join, options
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def add(run: Interpreter, cell: str, line: str, origin: Origin) -> None:
    """Say that the program has come by what a line names."""
    world = state_of(run).world
    before = world.get(cell) or UNBOUND
    run.journal.write(world, cell, join([_with(one, line, origin) for one in options(before)], choice(before)))


def _with(before: Value, line: str, origin: Origin) -> Value:
    """Return the lines with one more."""
    if not isinstance(before, Const):
        return Const(line, at=origin)
    lines = str(before.value).split("\n")
    return before if line in lines else Const("\n".join([*lines, line]), at=before.at)
