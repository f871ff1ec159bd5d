"""Methods of built-in values: text, lists, sets, dicts, tuples."""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from types import GeneratorType
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import (
    assignments,
    builtins,
    comprehensions,
    constant_methods,
    containers,
    mappings,
    raising,
    record_methods,
    sequence_parts,
    special_methods,
    views,
)
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.values import (
    ANY,
    ITEMS,
    NONE,
    UNBOUND,
    Const,
    Contents,
    Listing,
    Mapping,
    Tuple,
    UnknownValue,
    Value,
    join,
    may_be_missing,
    present,
    words,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

def call(run: Interpreter, receiver: Value, name: str, arguments: Arguments, origin: Origin) -> Value:
    """Return the result of `receiver.name(arguments)`."""
    table: dict[str, Method] = {}
    if isinstance(receiver, Mapping):
        table = _DICT
    elif isinstance(receiver, Listing):
        table = _LIST
    elif isinstance(receiver, Tuple):
        table = _TUPLE
    elif isinstance(receiver, Const):
        return constant_methods.call(run, receiver, name, arguments, origin)
    method = table.get(name)
    if method is not None:
        return method(run, receiver, arguments, origin)
    containers.smear(run, receiver, Sentence("may have been changed by `", origin, "`, which is not followed"))
    return run.unfollowed("is not followed", origin.node, origin.unit)


_NEW_SETS = words("union intersection difference symmetric_difference issubset issuperset isdisjoint")


def has(value: Value, name: str) -> bool:
    """Return whether a value of Python's own has such an attribute, as far as its kind is known."""
    if isinstance(value, Const):
        return hasattr(value.value, name)
    kinds: tuple[type, ...] = (tuple,) if isinstance(value, Tuple) else (list, set, deque)
    if name == "maxlen":
        return False  # of a deque: no method
    if isinstance(value, Mapping):
        kinds = (dict, OrderedDict, Counter)
    if isinstance(value, Listing) and value.kind == "iterator":
        kinds = (GeneratorType,)
    if isinstance(value, Tuple) and value.fields and name in _RECORD:
        return True
    return name.startswith("·") or any(hasattr(kind, name) for kind in kinds)


def of_dict(name: str) -> bool:
    """Return whether it is a method that every dict has."""
    return name in _DICT


Method = Callable[["Interpreter", Value, Arguments, Origin], Value]


def _append(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    assert isinstance(receiver, Listing)
    if arguments.positional:
        comprehensions.append(run, receiver, arguments.positional[-1])
    return NONE


def _insert(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    assert isinstance(receiver, Listing)
    contents = containers.contents_of(receiver)
    if len(arguments.positional) == 2:
        index, value = arguments.positional
        at = index.value if isinstance(index, Const) and isinstance(index.value, int) else None
        before = contents.items[:at] if at is not None and at >= 0 else None
        sure = before is not None and len(before) == at and not any(map(may_be_missing, before))
        if at is not None and (sure or contents.certain):
            items = list(contents.items)
            items.insert(at, value)
            run.journal.write(receiver.table, ITEMS, Contents(tuple(items), contents.rest))
        else:
            run.journal.write(receiver.table, ITEMS, containers.unordered(contents, value))
    return NONE


def extend(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    assert isinstance(receiver, Listing)
    for value in arguments.positional:
        assignments.extend(run, receiver, value)
    return NONE


def _pop_item(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    assert isinstance(receiver, Listing)
    contents = containers.contents_of(receiver)
    index = arguments.positional[0] if arguments.positional else Const(-1)
    _check_place(run, receiver, contents, index)
    value = containers.item(run, receiver, index)
    if contents.certain and isinstance(index, Const) and isinstance(index.value, int):
        items = list(contents.items)
        if -len(items) <= index.value < len(items):
            items.pop(index.value)
        run.journal.write(receiver.table, ITEMS, Contents(tuple(items)))
    else:
        maybe = tuple(join([item, UNBOUND]) for item in contents.items)
        run.journal.write(receiver.table, ITEMS, Contents(maybe, contents.rest))
    return present(value) if value is not None else NONE


def _check_place(run: Interpreter, receiver: Listing, contents: Contents, index: Value) -> None:
    """Raise what `pop` raises where there is no such item."""
    place = index.value if isinstance(index, Const) and isinstance(index.value, int) else None
    outside = place is not None and not -len(contents.items) <= place < len(contents.items)
    if contents.certain and (outside or not contents.items):
        raising.throw_python(run, "KeyError" if receiver.kind == "set" else "IndexError", Const("pop from empty list"))


def _clear(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    assert isinstance(receiver, Listing)
    run.journal.write(receiver.table, ITEMS, Contents(()))
    return NONE


def _reverse(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    assert isinstance(receiver, Listing)
    contents = containers.contents_of(receiver)
    turned = Contents(contents.items[::-1]) if contents.rest is None else containers.unordered(contents)
    run.journal.write(receiver.table, ITEMS, turned)
    return NONE


def _sort(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    assert isinstance(receiver, Listing)
    contents = containers.contents_of(receiver)
    ordered = builtins.in_order(run, contents, arguments, origin)
    if ordered is None:
        containers.smear(run, receiver, Sentence("is an item whose place is not known after `", origin, "`"))
    else:
        run.journal.write(receiver.table, ITEMS, Contents(tuple(ordered)))
    return NONE


def _remove(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin, raises: bool = True) -> Value:
    """Run `list.remove(x)`, and without `raises` `set.discard(x)`."""
    assert isinstance(receiver, Listing)
    contents = containers.contents_of(receiver)
    place = _place_of(contents, arguments)
    if place is None:
        containers.smear(run, receiver, Sentence("may have been changed by `", origin, "`, which is not followed"))
    elif place >= 0:
        run.journal.write(receiver.table, ITEMS, Contents(contents.items[:place] + contents.items[place + 1 :]))
    elif raises:
        raising.throw_python(run, "KeyError" if receiver.kind == "set" else "ValueError", arguments.positional[0])
    return NONE


def _discard(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    return _remove(run, receiver, arguments, origin, raises=False)


def _place_of(contents: Contents, arguments: Arguments) -> int | None:
    """Return the index of the first argument among the items; -1 if it is not among them, None if not known."""
    wanted = arguments.positional[0] if arguments.positional else UNBOUND
    keys = [containers.key_of(item) for item in contents.items]
    key = containers.key_of(wanted)
    if not contents.certain or key is None or None in keys:
        return None
    return keys.index(key) if key in keys else -1


def _count(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    contents = containers.elements(run, receiver)
    keys = [containers.key_of(item) for item in contents.items]
    if _place_of(contents, arguments) is None:
        return run.unfollowed("is not evaluated", origin.node, origin.unit)
    return Const(keys.count(containers.key_of(arguments.positional[0])))


def _append_left(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    return _insert(run, receiver, Arguments([Const(0), *arguments.positional]), origin)


def _pop_left(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    return _pop_item(run, receiver, Arguments([Const(0)]), origin)


def _of_sets(name: str) -> Method:
    """Return a handler for a method of two sets."""

    def compute(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
        found = (
            sequence_parts.set_operation(run, name, receiver, *arguments.positional[:1])
            if arguments.positional
            else None
        )
        return found or run.unfollowed("is not evaluated", origin.node, origin.unit)

    return compute


def _copy_list(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    contents = containers.elements(run, receiver)
    kind = receiver.kind if isinstance(receiver, Listing) else "list"
    return containers.new_list(run, contents.items, contents.rest, kind)


def _index(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    place = _place_of(containers.elements(run, receiver), arguments)
    if place == -1:
        raising.throw_python(run, "ValueError", Const("it is not in the list"))
    known = place is not None and place >= 0 and len(arguments.positional) == 1
    return Const(place) if known else run.unfollowed("is not evaluated", origin.node, origin.unit)


def _get(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    assert isinstance(receiver, Mapping)
    default = arguments.get(1, "default")
    key = arguments.get(0, "key") or UnknownValue("is a key that is not passed")
    return containers.get_key(receiver, key, NONE if default is None else default)


def _item(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    assert isinstance(receiver, Mapping)
    key = arguments.get(0, "key") or UnknownValue("is a key that is not passed")
    return containers.get_key(receiver, key)


def _set_item(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    assert isinstance(receiver, Mapping)
    if len(arguments.positional) == 2:
        containers.set_key(run, receiver, *arguments.positional)
    return NONE


def _set_default(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    assert isinstance(receiver, Mapping)
    value = _get(run, receiver, arguments, origin)
    if arguments.positional:
        containers.set_key(run, receiver, arguments.positional[0], value)
    return value


def pop_key(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    assert isinstance(receiver, Mapping)
    key, default = arguments.get(0, "key"), arguments.get(1, "default")
    if key is None:
        return NONE
    value, hashable = mappings.taken_out(receiver, key, default), containers.key_of(key)
    if hashable is not None:
        run.journal.write(receiver.table, hashable, UNBOUND)
    else:
        for known, cell in receiver.table.items():
            if known != ANY:
                run.journal.write(receiver.table, known, join([cell, UNBOUND]))
    return value


def update(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    assert isinstance(receiver, Mapping)
    for value in arguments.positional:
        builtins.update(run, receiver, value)
    for name, value in arguments.keywords.items():
        before = receiver.table.get(name) or UNBOUND
        given = join([present(value), before]) if may_be_missing(value) else value
        run.journal.write(receiver.table, name, given)
    if arguments.open:
        builtins.update(run, receiver, UnknownValue(arguments.open, None))
    return NONE


def _copy_dict(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    copied = containers.new_dict(run)
    builtins.update(run, copied, receiver)
    return views.like(run, copied, receiver)


def _clear_dict(run: Interpreter, receiver: Value, arguments: Arguments, origin: Origin) -> Value:
    assert isinstance(receiver, Mapping)
    for key, _ in receiver.table.items():
        run.journal.write(receiver.table, key, UNBOUND)
    return NONE


_TUPLE: dict[str, Method] = {
    "_asdict": record_methods.as_dict,
    "_replace": record_methods.replaced,
    "index": _index,
    "count": _count,
    "__len__": lambda *given: special_methods.length(*given),
    "__getitem__": lambda *given: special_methods.at(*given),
    "__contains__": lambda *given: special_methods.holds(*given),
}
_RECORD = frozenset({"_asdict", "_replace"})
_LIST: dict[str, Method] = {
    "append": _append,
    "add": _append,
    "insert": _insert,
    "extend": extend,
    "update": extend,
    "pop": _pop_item,
    "clear": _clear,
    "reverse": _reverse,
    "copy": _copy_list,
    "index": _index,
    "count": _count,
    "sort": _sort,
    "remove": _remove,
    "discard": _discard,
    "appendleft": _append_left,
    "__setitem__": lambda *given: special_methods.set_place(*given),
    "__iadd__": lambda *given: special_methods.extend_itself(*given),
    "__len__": lambda *given: special_methods.length(*given),
    "__getitem__": lambda *given: special_methods.at(*given),
    "__contains__": lambda *given: special_methods.holds(*given),
    "__next__": lambda *given: special_methods.next(*given),
    **{name: lambda *given, to=name: special_methods.to_generator(to, *given) for name in ("send", "throw", "close")},
    "popleft": _pop_left,
    **{name: _of_sets(name) for name in _NEW_SETS},
}
_DICT: dict[str, Method] = {
    "get": _get,
    "setdefault": _set_default,
    "pop": pop_key,
    "update": update,
    "keys": lambda run, of, *given: views.made(run, of, "keys", *given),
    "values": lambda run, of, *given: views.made(run, of, "values", *given),
    "items": lambda run, of, *given: views.made(run, of, "items", *given),
    "copy": _copy_dict,
    "clear": _clear_dict,
    "popitem": lambda *given: record_methods.pop_entry(*given),
    "__init__": update,
    "__getitem__": _item,
    "__delitem__": lambda *given: special_methods.delete_key(*given),
    "__ior__": lambda *given: special_methods.update_itself(*given),
    "__len__": lambda *given: special_methods.length(*given),
    "__contains__": lambda *given: special_methods.holds(*given),
    **dict.fromkeys(("__setitem__", "__setattr__"), _set_item),
}
