"""The classes of `collections` that are dicts: Counter, OrderedDict, defaultdict, UserDict; and namedtuple."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.python import builtins, containers, fields, inherent, mappings, methods
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.plain import Computed
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    ANY,
    NONE,
    UNBOUND,
    Bound,
    Const,
    Contents,
    Instance,
    Library,
    Listing,
    Mapping,
    Tuple,
    Value,
    may_be_missing,
)
from cudnnlint.frontends.source.stdlib import chained, counters, deques
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

def _ordered(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    made = builtins.call(run, "dict", arguments, origin)
    assert isinstance(made, Mapping)
    return replace(made, body=Instance(Library("collections.OrderedDict"), run.journal.table(), at=origin))


def _default_dict(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    made = builtins.call(run, "dict", Arguments(arguments.positional[1:], arguments.keywords), origin)
    assert isinstance(made, Mapping)
    body = Instance(Library("collections.defaultdict"), run.journal.table(), at=origin)
    run.journal.write(body.table, "default_factory", arguments.positional[0] if arguments.positional else NONE)
    return replace(made, body=body)


def _user_dict(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    made = builtins.call(run, "dict", arguments, origin)
    assert isinstance(made, Mapping)
    return replace(made, body=Instance(Library("collections.UserDict"), run.journal.table(), at=origin))


def _named_tuple(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    if len(arguments.positional) < 2 or not isinstance(arguments.positional[0], Const):
        return None
    names = arguments.positional[1]
    if isinstance(names, Const) and isinstance(names.value, str):
        texts = names.value.replace(",", " ").split()
    else:
        items = containers.elements(run, names).items
        texts = [str(item.value) for item in items if isinstance(item, Const)]
    made = fields.new_named_tuple(run, str(arguments.positional[0].value), texts, origin)
    defaults = containers.elements(run, arguments.keywords.get("defaults", NONE)).items
    for field, default in zip(reversed(texts), reversed(defaults), strict=False):
        run.journal.write(made.table, field, default)
    return made


def _make(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `NamedTuple._make(items)`."""
    kind, *given = arguments.positional
    contents = containers.elements(run, given[0]) if len(given) == 1 else Contents((), NONE)
    return run.call(kind, Arguments(list(contents.items)), origin) if contents.certain else None


def _read_only(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `types.MappingProxyType(mapping)`: the same entries, seen through something that is no dict."""
    given = arguments.positional[0] if len(arguments.positional) == 1 else None
    if not isinstance(given, Mapping):
        return None
    return replace(given, body=Instance(Library("types.MappingProxyType"), run.journal.table(), at=origin))


def _of_ordered(
    run: Interpreter, receiver: Mapping, name: str, arguments: Arguments, origin: Origin
) -> Value | None:
    """Run `move_to_end(key, last)` and `popitem(last)`; None where nothing is there."""
    cells = receiver.table.items()
    if not cells:
        return None
    last = truth(arguments.get(1 if name == "move_to_end" else 0, "last") or Const(True))
    if last is None or any(key == ANY or may_be_missing(cell) for key, cell in cells):
        containers.smear(run, receiver, Sentence("may have been changed by `", origin, "`, whose order is not known"))
        return run.unfollowed("is not followed", origin.node, origin.unit)
    if name == "popitem":
        key, cell = cells[-1 if last else 0]
        run.journal.write(receiver.table, key, UNBOUND)
        return Tuple(Contents((containers.key_value(key), cell)))
    wanted = containers.key_of(arguments.get(0, "key") or NONE)
    first, rest = [one for one in cells if one[0] == wanted], [one for one in cells if one[0] != wanted]
    if not first:
        return None
    for key, cell in [*rest, *first] if last else [*first, *rest]:
        run.journal.write(receiver.table, key, UNBOUND)
        run.journal.write(receiver.table, key, cell)
    return NONE


#: Methods that put entries into a dict.
_FILLS = ("update", "__init__")


def _by_own_access(receiver: Value, name: str) -> bool:
    """Return whether a method reads and writes entries by what the class of a `UserDict` defines itself."""
    if not isinstance(receiver, Mapping) or not methods.of_dict(name):
        return False
    if name in _FILLS:
        return mappings.has_own_access(receiver, ("__setitem__",))
    return not name.startswith("__") and mappings.has_own_access(receiver)


def method(run: Interpreter, bound: Bound, arguments: Arguments, origin: Origin) -> Value | None:
    """Call a method of a Counter or deque that a dict or list does not have, or that does something else there."""
    receiver = bound.receiver
    if _by_own_access(receiver, bound.name) and (arguments.every() or arguments.open or bound.name not in _FILLS):
        containers.smear(run, receiver, Sentence("may have been changed by `", origin, "`, which is not followed"))
        return run.unfollowed("is not followed", origin.node, origin.unit)
    if isinstance(receiver, Mapping) and bound.name in ("move_to_end", "popitem") and arguments.every():
        return _of_ordered(run, receiver, bound.name, arguments, origin)
    if isinstance(receiver, Listing) and receiver.kind == "deque":
        return deques.method(run, receiver, bound.name, arguments, origin)
    if isinstance(receiver, Instance):
        return chained.method(run, receiver, bound.name, arguments, origin)
    if isinstance(receiver, Mapping) and counters.is_counter(receiver):
        return counters.method(run, receiver, bound.name, arguments, origin)
    return None


def operator(run: Interpreter, value: Value, name: str, given: list[Value], origin: Origin) -> Value | None:
    """Return the result of an operator on a Counter or a ChainMap; None for anything else."""
    if isinstance(value, Instance):
        return chained.operator(run, value, name, given, origin)
    known = isinstance(value, Mapping) and counters.is_counter(value)
    return counters.operator(run, value, name, given, origin) if known and isinstance(value, Mapping) else None


def table() -> dict[str, Computed]:
    """Return the classes by their dotted names."""
    return {
        "collections.OrderedDict": _ordered,
        "collections.defaultdict": _default_dict,
        "collections.namedtuple": _named_tuple,
        "collections.UserDict": _user_dict,
        "types.MappingProxyType": _read_only,
        inherent.MAKE: _make,
        **deques.table(),
        **chained.table(),
        **counters.table(),
    }
