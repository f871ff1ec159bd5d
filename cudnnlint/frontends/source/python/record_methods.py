"""Methods of named tuples, and what takes an entry out of a dict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import (
    containers,
)
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.values import (
    ANY,
    UNBOUND,
    Const,
    Contents,
    Mapping,
    Tuple,
    Value,
    may_be_missing,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def pop_entry(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    """Run `dict.popitem()`."""
    assert isinstance(receiver, Mapping)
    entries = [(key, cell) for key, cell in receiver.table.items() if key != ANY]
    if receiver.table.get(ANY) is not None or not entries or any(may_be_missing(cell) for _, cell in entries):
        containers.smear(run, receiver, Sentence("may have been changed by `", origin, "`, which is not followed"))
        return run.unfollowed("is not evaluated", origin.node, origin.unit)
    key, cell = entries[-1]
    run.journal.write(receiver.table, key, UNBOUND)
    return Tuple(Contents((containers.key_value(key), cell)))


def as_dict(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    """Return the entries of a named tuple as a dict."""
    assert isinstance(receiver, Tuple)
    names = (Const(name) for name in receiver.fields)
    return containers.new_dict(run, zip(names, receiver.contents.items, strict=False))


def replaced(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    """Return a named tuple with other entries."""
    assert isinstance(receiver, Tuple)
    items = zip(receiver.fields, receiver.contents.items, strict=False)
    return Tuple(
        Contents(tuple(arguments.keywords.get(name, item) for name, item in items)), receiver.fields, receiver.kind
    )
