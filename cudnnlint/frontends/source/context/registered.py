"""Own objects under the names of Keras's activations: `custom_object_scope` and `get_custom_objects`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.context.context_state import context_of
from cudnnlint.frontends.source.context.scoped import NAMED, scope
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import UNBOUND, Const, Mapping, Value, placed
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The cell of the world that holds the dict of own objects.
OBJECTS = "custom objects"


def named(run: Interpreter) -> dict[str, Value]:
    """Return what is registered now under the names that decide about the kernel, by entries of the context."""
    table = state_of(run).world.get(OBJECTS)
    return {entry: context_of(run).scope.get(entry) or _entry(table, name) or UNBOUND for entry, name in NAMED.items()}


def custom_objects(run: Interpreter, arguments: Arguments, origin: Origin) -> Value:
    """Evaluate `get_custom_objects()`: the one dict, which the program may change."""
    table = state_of(run).world.get(OBJECTS)
    if table is None:
        table = containers.new_dict(run)
        run.journal.write(state_of(run).world, OBJECTS, table)
    return table


def custom_object_scope(run: Interpreter, arguments: Arguments, origin: Origin) -> Value:
    """Evaluate `custom_object_scope({...})`, `CustomObjectScope({...})`."""
    said: dict[str, Value] = {}
    for given in (*arguments.positional, *arguments.keywords.values()):
        for entry, name in NAMED.items():
            found = _entry(given, name)
            if found is not None:
                said[entry] = placed(found, origin)
    return scope(run, "keras.utils.custom_object_scope", origin, **said)


def _entry(table: Value | None, name: str) -> Value | None:
    """Return what a dict holds under a name; an entry whose name is not known is taken for another."""
    key = containers.key_of(Const(name))
    return table.table.get(key) if isinstance(table, Mapping) and key is not None else None
