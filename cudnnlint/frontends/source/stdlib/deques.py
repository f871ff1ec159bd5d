"""`collections.deque`: a list with two more ends, and maybe a maximum length."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import containers, methods
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.plain import Computed
from cudnnlint.frontends.source.python.values import ITEMS, NONE, Const, Contents, Listing, UnknownValue, Value, words
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The cell of a deque that holds its maximum length.
_LONGEST = "·maxlen"
_GROW = words("append extend insert appendleft extendleft")


def _made(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    given, longest = arguments.get(0, "iterable"), arguments.get(1, "maxlen") or NONE
    contents = Contents(()) if given is None else containers.elements(run, given)
    found = containers.new_list(run, contents.items, contents.rest, "deque")
    if not containers.is_nothing(longest):
        run.journal.write(found.table, _LONGEST, longest)
        _cut(run, found, "append")
    return found


def method(run: Interpreter, deque: Listing, name: str, arguments: Arguments, origin: Origin) -> Value | None:
    """Call a method of a deque that a list does not have, or that does something else here."""
    if name == "copy":
        return _made(run, Arguments([deque, deque.table.get(_LONGEST) or NONE]), origin)
    if name == "extendleft":
        _extend_left(run, deque, arguments)
    elif name == "rotate":
        _rotate(run, deque, arguments)
    elif name in _GROW and deque.table.get(_LONGEST) is not None:
        methods.call(run, deque, name, arguments, origin)
    else:
        return None
    _cut(run, deque, name)
    return NONE


def _cut(run: Interpreter, deque: Listing, name: str) -> None:
    """Drop what is too much, from the other end than the one that grew."""
    longest, here = deque.table.get(_LONGEST), containers.contents_of(deque)
    if longest is None:
        return
    if here.certain and isinstance(longest, Const) and isinstance(longest.value, int):
        left = name in ("appendleft", "extendleft")
        kept = here.items[: longest.value] if left else here.items[max(0, len(here.items) - longest.value) :]
        run.journal.write(deque.table, ITEMS, Contents(kept))
    else:
        run.journal.write(deque.table, ITEMS, containers.unordered(here, UnknownValue("is an item of a deque")))


def _extend_left(run: Interpreter, deque: Listing, arguments: Arguments) -> None:
    contents = containers.elements(run, arguments.positional[0]) if arguments.positional else Contents(())
    here = containers.contents_of(deque)
    known = Contents(contents.items[::-1] + here.items, here.rest)
    made = known if contents.rest is None else containers.unordered(known, contents.rest)
    run.journal.write(deque.table, ITEMS, made)


def _rotate(run: Interpreter, deque: Listing, arguments: Arguments) -> None:
    here, by = containers.contents_of(deque), arguments.get(0, "n") or Const(1)
    if here.certain and here.items and isinstance(by, Const) and isinstance(by.value, int):
        cut = -by.value % len(here.items)
        run.journal.write(deque.table, ITEMS, Contents(here.items[cut:] + here.items[:cut]))
    elif here.items:
        run.journal.write(deque.table, ITEMS, containers.unordered(here))


def table() -> dict[str, Computed]:
    """Return the class by its dotted name."""
    return {"collections.deque": _made}
