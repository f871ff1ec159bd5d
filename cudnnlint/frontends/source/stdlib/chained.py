"""`collections.ChainMap`: several dicts, the first of which has the last word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import builtins, containers, iterators, mappings, methods
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.plain import Computed
from cudnnlint.frontends.source.python.values import (
    NONE,
    UNBOUND,
    Const,
    Instance,
    Library,
    Mapping,
    Tuple,
    UnknownValue,
    Value,
    words,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

CHAIN = "collections.ChainMap"
#: Methods that read, and operators that do.
_READS = words("get keys values items copy")
_ASKS = words("__getitem__ __contains__ __len__ __iter__")


def _made(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    if arguments.rest:
        return None
    chain = Instance(Library(CHAIN), run.journal.table(), at=origin)
    maps = arguments.positional or [containers.new_dict(run)]
    run.journal.write(chain.table, "maps", containers.new_list(run, maps))
    return chain


def entries(run: Interpreter, value: Instance) -> Mapping | None:
    """Return all entries of a ChainMap as a dict; None for anything else, or where one of its maps is not known."""
    maps = _maps(run, value)
    if maps is None:
        return None
    found = containers.new_dict(run)
    for one in reversed(maps):
        builtins.update(run, found, one)
    return found


def _maps(run: Interpreter, value: Instance) -> list[Mapping] | None:
    kept = value.table.get("maps") if isinstance(value.kind, Library) and value.kind.name == CHAIN else None
    contents = None if kept is None else containers.elements(run, kept)
    every = [] if contents is None else [mappings.of_object(run, one) for one in contents.items]
    maps = [one for one in every if isinstance(one, Mapping)]
    return maps if contents is not None and contents.certain and maps and len(maps) == len(every) else None


def operator(run: Interpreter, value: Instance, name: str, given: list[Value], origin: Origin) -> Value | None:
    """Return the result of an operator on a ChainMap; None for anything else."""
    maps = _maps(run, value)
    if maps is None or (name not in _ASKS and name not in ("__setitem__", "__delitem__", "__bool__")):
        return None
    if name == "__setitem__":
        containers.set_key(run, maps[0], *given)
        return NONE
    if name == "__delitem__":
        containers.set_key(run, maps[0], given[0], UNBOUND)
        return NONE
    every = entries(run, value)
    assert every is not None
    if name == "__iter__":
        return iterators.new(run, iterators.Over(Tuple(containers.elements(run, every))))
    if name == "__bool__":
        length = methods.call(run, every, "__len__", Arguments(), origin)
        return Const(bool(length.value)) if isinstance(length, Const) else length
    return methods.call(run, every, name, Arguments(given), origin)


def method(run: Interpreter, value: Instance, name: str, arguments: Arguments, origin: Origin) -> Value | None:
    """Call a method of a ChainMap; None for anything else."""
    maps = _maps(run, value)
    if maps is None:
        return None
    if name == "new_child":
        first = arguments.positional[:1] or [containers.new_dict(run)]
        return _made(run, Arguments([*first, *maps]), origin)
    every = entries(run, value)
    if name in _READS and every is not None:
        return methods.call(run, every, name, arguments, origin)
    if name in ("update", "pop"):
        return methods.call(run, maps[0], name, arguments, origin)
    run.journal.write(value.table, "maps", UnknownValue("is not followed"))
    return None


def table() -> dict[str, Computed]:
    """Return the class by its dotted name."""
    return {CHAIN: _made}
