"""Special methods of lists, dicts and iterators, where a program calls them by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import (
    assignments,
    builtins,
    containers,
    generator_signals,
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


def to_generator(name: str, run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    """Call `send`, `throw` or `close` of a generator."""
    assert isinstance(receiver, Listing)
    if name == "close":
        generator_signals.close(run, receiver)
        return NONE
    given = arguments.positional[0] if arguments.positional else NONE
    signal = generator_signals.send if name == "send" else generator_signals.throw
    passed = given if name == "send" else raising.instance_of(run, given, origin)
    return iteration.next_of(run, receiver, take=lambda run, one: signal(run, one, passed))
