"""The classes of `collections`: Counter, deque, OrderedDict, defaultdict, namedtuple."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cudnnlint.frontends.source.python import builtins, containers, fields, plain
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.plain import Computed, NotPlain
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    ANY,
    ITEMS,
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
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

COUNTER = "collections.Counter"
#: Methods of a Counter that are computed and leave it as it is.
_COUNTED = frozenset({"most_common", "elements", "total"})
#: Methods that a Counter has from dict, and that do the same there.
_OF_DICT = frozenset({"get", "keys", "values", "items", "copy", "pop", "clear", "setdefault"})


def _ordered(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    return builtins.call(run, "dict", arguments, origin)


def _default_dict(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    made = builtins.call(run, "dict", Arguments(arguments.positional[1:], arguments.keywords), origin)
    assert isinstance(made, Mapping)
    body = Instance(Library("collections.defaultdict"), run.journal.table(), at=origin)
    run.journal.write(body.table, "default_factory", arguments.positional[0] if arguments.positional else NONE)
    return replace(made, body=body)


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


def _deque(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Return a deque without a maximum length, as a list with two more ends."""
    longest = arguments.get(1, "maxlen") or NONE
    if not containers.is_nothing(longest):
        return None
    given = arguments.get(0, "iterable")
    contents = Contents(()) if given is None else containers.elements(run, given)
    return containers.new_list(run, contents.items, contents.rest, "deque")


def _counter(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Return a Counter of values that are known."""
    try:
        given = [plain.plain(run, value) for value in arguments.positional]
        named = {name: plain.plain(run, value) for name, value in arguments.keywords.items()}
        plain.check_size([*given, *named.values()])
        counted = plain.abstract(run, dict(plain.attempt(Counter, *given, **named)))
    except NotPlain:
        return None
    assert isinstance(counted, Mapping)
    return replace(counted, body=Instance(Library(COUNTER), run.journal.table(), at=origin))


def is_counter(value: Value) -> bool:
    """Return whether a value is a Counter."""
    kind = value.body.kind if isinstance(value, Mapping) and value.body is not None else None
    return isinstance(kind, Library) and kind.name == COUNTER


def _of_ordered(run: Interpreter, receiver: Mapping, name: str, arguments: Arguments) -> Value | None:
    """Run `move_to_end(key, last)` and `popitem(last)`; None where the order is not known."""
    cells = receiver.table.items()
    last = truth(arguments.get(1 if name == "move_to_end" else 0, "last") or Const(True))
    if last is None or any(key == ANY or may_be_missing(cell) for key, cell in cells) or not cells:
        return None
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


def method(run: Interpreter, bound: Bound, arguments: Arguments, origin: Origin) -> Value | None:
    """Call a method of a Counter or deque that a dict or list does not have, or that does something else there."""
    receiver = bound.receiver
    if isinstance(receiver, Mapping) and bound.name in ("move_to_end", "popitem") and arguments.every():
        return _of_ordered(run, receiver, bound.name, arguments)
    if isinstance(receiver, Listing) and receiver.kind == "deque":
        changed = _OF_DEQUES.get(bound.name)
        return None if changed is None else changed(run, receiver, arguments)
    if not is_counter(receiver) or bound.name in _OF_DICT:
        return None
    assert isinstance(receiver, Mapping)
    if bound.name in _COUNTED:
        called = replace(arguments, positional=[replace(receiver, body=None), *arguments.positional])
        return plain.evaluate(run, _counting(bound.name), called, origin)
    containers.smear(run, receiver, Sentence("may have been changed by `", origin, "`, which is not followed"))
    return run.unfollowed("is not followed", origin.node, origin.unit)


def _counting(name: str) -> Callable[..., Any]:
    def call(counts: dict[Any, int], *given: Any) -> Any:
        result = getattr(Counter(counts), name)(*given)
        return list(result) if name == "elements" else result

    return call


def _extend_left(run: Interpreter, deque: Listing, arguments: Arguments) -> Value:
    contents = containers.elements(run, arguments.positional[0]) if arguments.positional else Contents(())
    here = containers.contents_of(deque)
    known = Contents(contents.items[::-1] + here.items, here.rest)
    made = known if contents.rest is None else containers.unordered(known, contents.rest)
    run.journal.write(deque.table, ITEMS, made)
    return NONE


def _rotate(run: Interpreter, deque: Listing, arguments: Arguments) -> Value:
    here, by = containers.contents_of(deque), arguments.get(0, "n") or Const(1)
    known = here.certain and isinstance(by, Const) and isinstance(by.value, int)
    if known and here.items and isinstance(by, Const):
        cut = -by.value % len(here.items)
        run.journal.write(deque.table, ITEMS, Contents(here.items[cut:] + here.items[:cut]))
    elif here.items:
        run.journal.write(deque.table, ITEMS, containers.unordered(here))
    return NONE


_OF_DEQUES = {"extendleft": _extend_left, "rotate": _rotate}


def item(value: Value, index: Value) -> Value | None:
    """Return `counter[key]` for a key that is absent."""
    key = containers.key_of(index)
    return Const(0) if isinstance(value, Mapping) and is_counter(value) and key is not None else None


def table() -> dict[str, Computed]:
    """Return the classes by their dotted names."""
    return {
        "collections.OrderedDict": _ordered,
        "collections.defaultdict": _default_dict,
        "collections.namedtuple": _named_tuple,
        "collections.deque": _deque,
        COUNTER: _counter,
    }
