"""What ends the program at a line in some releases, whatever is called behind it: the surrounding "run_stops"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import passed_lines
from cudnnlint.frontends.source.python import raising
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
        passed_lines.add(run, RUN_STOPS, kind, origin)


def asked(run: Interpreter, name: str, origin: Origin, kind: str) -> None:
    """Note an attribute that an object lacks in some release, unless the program asks for it: hasattr(x, "layer")."""
    text = origin.unit.text
    if "attr(" not in text or not any(word in text for word in (f'"{name}"', f"'{name}'")):
        note(run, kind, "AttributeError", origin)
