"""Calls of functions of the linted source that are not followed: recursions without an end, and what runs too long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import containers, effects, escape
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import (
    ANY,
    Const,
    Either,
    Function,
    Instance,
    Library,
    Listing,
    Mapping,
    UnknownValue,
    Value,
    options,
)
from cudnnlint.frontends.source.python.whole import Whole

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def counts_down(run: Interpreter, function: Function, arguments: Arguments) -> bool:
    """Return whether all arguments are known, and a recursion may end by itself.

    That is where one is a constant, or a list or dict that is known to its end, or where the receiver is an object that
    is not yet being walked through.
    """
    given = arguments.every()
    receiver = given[0] if given else None
    walks = isinstance(receiver, Instance) and (id(function.node), id(receiver.table)) not in run.walked
    known = not any(isinstance(value, (Either, UnknownValue)) for value in given)
    return known and (walks or any(map(is_finite, given)))


def not_entered(run: Interpreter, function: Function, arguments: Arguments) -> Value:
    """Return the unknown result of a call that is not followed, which may have changed what it is given."""
    if effects.changes_arguments(function):
        why = f"may have been changed by {function.name}(), which is nested too deeply to be followed"
        for option in (one for value in arguments.every() for one in options(value)):
            if isinstance(option, (Listing, Mapping)):
                escape.of_value(run, option, why)
    return UnknownValue(f"comes from {function.name}(), which calls itself or is nested too deeply to be followed")


def is_finite(value: Value) -> bool:
    """Return whether a value has no parts, or is a list or dict of which every item is known."""
    if isinstance(value, Mapping):
        return value.table.get(ANY) is None
    if isinstance(value, Listing):
        return containers.contents_of(value).rest is None
    return isinstance(value, (Const, Library, Whole))


def give_up(run: Interpreter, function: Function, arguments: Arguments) -> Value:
    """Return the unknown result of a function that is not followed to its end.

    What it was given may have been changed by it, and what it writes outside itself may hold anything.
    """
    because = f"comes from {function.name}(), which runs for too long to be followed"
    for value in (function, *arguments.every()):
        escape.of_value(run, value, because)
    return UnknownValue(because)
