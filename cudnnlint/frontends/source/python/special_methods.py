"""Special methods of lists, dicts and iterators, where a program calls them by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import (
    assignments,
    builtins,
    containers,
    generators,
    iteration,
    membership,
    methods,
    raising,
)
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import (
    ITEMS,
    NONE,
    Const,
    Listing,
    UnknownValue,
    Value,
    present,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def next(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    assert isinstance(receiver, Listing)
    return iteration.next_of(run, receiver)


def set_place(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    """Run `list.__setitem__(place, value)`."""
    assert isinstance(receiver, Listing)
    if len(arguments.positional) == 2:
        index, value = arguments.positional
        run.journal.write(receiver.table, ITEMS, assignments.replaced(containers.contents_of(receiver), index, value))
    return NONE


def extend_itself(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    methods.extend(run, receiver, arguments, origin)
    return receiver


def update_itself(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    methods.update(run, receiver, arguments, origin)
    return receiver


def delete_key(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    methods.pop_key(run, receiver, arguments, origin)
    return NONE


def length(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    return builtins.call(run, "len", Arguments([receiver]), origin)


def at(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    found = containers.item(run, receiver, arguments.positional[0]) if arguments.positional else None
    return run.unfollowed("is not evaluated", origin.node, origin.unit) if found is None else present(found)


def holds(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    answer = membership.contains(run, arguments.positional[0], receiver) if arguments.positional else None
    return run.unfollowed("is not evaluated", origin.node, origin.unit) if answer is None else Const(answer)


def send(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    assert isinstance(receiver, Listing)
    sent = arguments.positional[0] if arguments.positional else NONE
    return iteration.next_of(run, receiver, take=lambda run, one: generators.send(run, one, sent))


def throw(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    assert isinstance(receiver, Listing)
    given = arguments.positional[0] if arguments.positional else UnknownValue("is an exception that is not followed")
    error = raising.instance_of(run, given, origin)
    return iteration.next_of(run, receiver, take=lambda run, one: generators.throw(run, one, error))


def close(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    assert isinstance(receiver, Listing)
    generators.close(run, receiver)
    return NONE
