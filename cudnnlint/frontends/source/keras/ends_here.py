"""What ends the program at a line in some releases, whatever is called behind it: the surrounding "run_stops"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.python import raising
from cudnnlint.frontends.source.python.values import UNBOUND, Const, Value, choice, join, options
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The cell of the world, and the surrounding: the kinds of stops (tables/defaults.toml), each on a line.
RUN_STOPS = "run_stops"
#: Kinds of stops.
LAYER = "the attribute `layer` of a Bidirectional"


def note(run: Interpreter, kind: str, error: str, origin: Origin) -> None:
    """Note that some release raises an error here, by its class; nothing where the program may take it."""
    if raising.taken(run, error) is False:
        world = state_of(run).world
        before = world.get(RUN_STOPS) or UNBOUND
        run.journal.write(world, RUN_STOPS, join([_with(one, kind, origin) for one in options(before)], choice(before)))


def asked(run: Interpreter, origin: Origin) -> None:
    """Note `wrapper.layer` of a Bidirectional, unless the program asks whether it has one: hasattr(x, "layer")."""
    text = origin.unit.text
    if "attr(" not in text or not any(word in text for word in ('"layer"', "'layer'")):
        note(run, LAYER, "AttributeError", origin)


def _with(before: Value, kind: str, origin: Origin) -> Value:
    """Return the lines with one more, at the first of their places."""
    if not isinstance(before, Const):
        return Const(kind, at=origin)
    lines = str(before.value).split("\n")
    return before if kind in lines else Const("\n".join([*lines, kind]), at=before.at)
