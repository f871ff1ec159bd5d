"""What is written between brackets: an index, several of them, slice objects and what `sequence[cut]` is for one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python import classes, sequence_parts
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.scopes import Frame
from cudnnlint.frontends.source.python.values import (
    NONE,
    Class,
    Const,
    Contents,
    Instance,
    Library,
    Mapping,
    Tuple,
    UnknownValue,
    Value,
    options,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

KIND = "builtins.slice"
_BOUNDS = ("start", "stop", "step")


def written(run: Interpreter, node: cst.Subscript, frame: Frame) -> Value | None:
    """Return the index of `x[i]`, the tuple of `x[i, j]`; None where a part of it is a slice."""
    parts = [part.slice.value for part in node.slice if isinstance(part.slice, cst.Index) and part.slice.star is None]
    if len(parts) < len(node.slice):
        return None
    found = [run.evaluate(part, frame) for part in parts]
    return found[0] if len(found) == 1 else Tuple(Contents(tuple(found)))


def takes_several(value: Value) -> bool:
    """Return whether `value[i, j]` is one entry: of a dict, or of what a class of the program defines."""
    return all(
        isinstance(one, (Mapping, Class)) or (isinstance(one, Instance) and isinstance(one.kind, Class))
        for one in options(value)
    )


def made(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Return `slice(stop)`, `slice(start, stop, step)`."""
    given = arguments.positional
    if arguments.rest or arguments.keywords or not 1 <= len(given) <= len(_BOUNDS):
        return None
    given = [NONE, *given] if len(given) == 1 else given
    found = Instance(Library(KIND), run.journal.table(), at=origin)
    for name, value in zip(_BOUNDS, [*given, NONE], strict=False):
        run.journal.write(found.table, name, value)
    return found


def of_object(run: Interpreter, value: Value, bounds: tuple[int | None, ...], origin: Origin) -> Value | None:
    """Return `value[start:stop]` as the value's class defines it; None where it does not."""
    kind = classes.kind_of(value)
    if not isinstance(kind, Class) or classes.search(kind, "__getitem__") is None:
        return None
    cut = made(run, Arguments([Const(bound) for bound in bounds]), origin)
    return None if cut is None else classes.operator(run, value, "__getitem__", [cut], origin)


def by_slice(run: Interpreter, value: Value, index: Value) -> Value | None:
    """Return `value[index]` where the index is a slice object; None for any other index."""
    if not isinstance(index, Instance) or not isinstance(index.kind, Library) or index.kind.name != KIND:
        return None
    bounds = [index.table.get(name) for name in _BOUNDS]
    plain = [bound.value for bound in bounds if isinstance(bound, Const) and isinstance(bound.value, (int, type(None)))]
    cut = None if len(plain) < len(bounds) or plain[-1] == 0 else sequence_parts.part(run, value, *plain)
    return cut or UnknownValue("is a part that is not followed")
