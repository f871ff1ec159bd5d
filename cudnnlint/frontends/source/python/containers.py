"""Lists, tuples, sets and dicts: reading, writing, iterating over them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import classes, enums, iterators, joined_cells, views
from cudnnlint.frontends.source.python.lazy_items import SOURCE
from cudnnlint.frontends.source.python.lazy_message import Sentence, Words
from cudnnlint.frontends.source.python.values import (
    ANY,
    DEEPEST,
    ITEMS,
    NONE,
    OTHER,
    UNBOUND,
    Class,
    Const,
    Contents,
    Either,
    Foreign,
    Function,
    Instance,
    Library,
    Listing,
    Mapping,
    Tuple,
    Unbound,
    UnknownValue,
    Value,
    assume,
    choice,
    join,
    may_be_missing,
    options,
    present,
)

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Iterations of a loop that are followed one by one; a longer loop is run once for all its iterations.
MOST_ROUNDS = 64
#: Items of a list that are kept one by one; of a longer one it is only known what it may hold.
MOST_KEPT = 4096


def is_nothing(value: Value) -> bool:
    """Return whether a value is None."""
    return isinstance(value, Const) and value.value is None


def unordered(contents: Contents, *more: Value) -> Contents:
    """Return the same items and some more, in an unknown order."""
    rest = [contents.rest] if contents.rest is not None else []
    return Contents((), join([*map(present, contents.items), *rest, *more]))


def bounded(items: tuple[Value, ...], rest: Value | None = None) -> Contents:
    """Return the contents of a list that may have become too long to keep its items one by one."""
    return Contents(items, rest) if len(items) <= MOST_KEPT else unordered(Contents(items, rest))


def new_list(run: Interpreter, items: Iterable[Value], rest: Value | None = None, kind: str = "list") -> Listing:
    """Return a new list (or set) with these items."""
    table = run.journal.table()
    held = distinct(items) if kind in ("set", "frozenset") else tuple(items)
    run.journal.write(table, ITEMS, bounded(held, rest))
    return Listing(table, kind)


def distinct(items: Iterable[Value]) -> tuple[Value, ...]:
    """Return the items of a set: each known one once."""
    kept: dict[Hashable, Value] = {}
    for item in items:
        key = key_of(item)
        kept.setdefault(("unknown", len(kept)) if key is None else ("known", key), item)
    return tuple(kept.values())


def smear(run: Interpreter, value: Value, why: Words) -> None:
    """Let a list or dict hold anything after a change that is not followed; `why` describes the new values."""
    unknown = UnknownValue(why)
    if isinstance(value, Listing):
        before = contents_of(value)
        if before.items or not joined_cells.includes(before.rest or NONE, unknown):
            every = [*before.items, before.rest or unknown, unknown]
            run.journal.write(value.table, ITEMS, Contents((), join([present(item) for item in every])))
    elif isinstance(value, Mapping):
        for key, cell in value.table.items():
            run.journal.admit(value.table, key, cell, unknown, UNBOUND)
        run.journal.write(value.table, ANY, unknown)


def new_dict(run: Interpreter, entries: Iterable[tuple[Value, Value]] = ()) -> Mapping:
    """Return a new dict with these entries."""
    mapping = Mapping(run.journal.table())
    for key, value in entries:
        set_key(run, mapping, key, value)
    return mapping


def contents_of(listing: Listing) -> Contents:
    """Return what a list holds now."""
    contents = listing.table.cells.get(ITEMS)
    known = isinstance(contents, Contents) and listing.table.get(SOURCE) is None
    return contents if known and isinstance(contents, Contents) else Contents((), UnknownValue("is not known"))


def key_of(value: Value, depth: int = 0) -> Hashable | None:
    """Return what a value is as a dict key; None if that is not known."""
    if isinstance(value, Const) and isinstance(value.value, (str, int, float, bool, bytes, type(None))):
        return ("none",) if value.value is None else value.value
    if isinstance(value, Library):
        return "ref", value.name
    if isinstance(value, Class) or (isinstance(value, Instance) and enums.has_one_name(value)):
        return _object_key(value)
    if isinstance(value, Function):
        return "function", id(value.node)
    if isinstance(value, Tuple) and value.contents.certain and depth < DEEPEST:
        keys = tuple(key_of(item, depth + 1) for item in value.contents.items)
        return None if None in keys else ("tuple", keys)
    return None


def _object_key(value: Instance | Class) -> Hashable | None:
    """Return what an object is as a key: itself, unless its class says when two are equal."""
    if isinstance(value, Class) or isinstance(worth := enums.worth(value), Const):
        return ("object", id(value.table)) if isinstance(value, Class) else key_of(worth)
    kinds = classes.lineage(value.kind) if isinstance(value.kind, Class) else []
    own = any(isinstance(kind, Class) and ("__eq__" in kind.table.cells or kind.marks) for kind in kinds)
    return None if own else ("object", id(value.table))


def key_value(key: Hashable) -> Value:
    """Return the value that a key was made from, as far as it can be recovered."""
    if isinstance(key, tuple):
        if key[0] == "none":
            return NONE
        if key[0] == "ref":
            return Library(str(key[1]))
        if key[0] == "tuple":
            return Tuple(Contents(tuple(key_value(part) for part in key[1])))
        return UnknownValue("is a dict key that is not followed")
    return Const(key)


def set_key(run: Interpreter, mapping: Mapping, key: Value, value: Value) -> None:
    """Run `mapping[key] = value`."""
    hashable = key_of(key)
    if hashable is not None:
        run.journal.write(mapping.table, hashable, value)
        return
    before = mapping.table.get(ANY)
    run.journal.write(mapping.table, ANY, value if before is None else join([before, value]))


def get_key(mapping: Mapping, key: Value, default: Value | None = None) -> Value:
    """Return `mapping[key]`, or `mapping.get(key, default)` where a default is given."""
    hashable, anything = key_of(key), mapping.table.get(ANY)
    otherwise = [default] if default is not None else []
    if hashable is None:
        cells = [present(cell) for _, cell in mapping.table.items()]
        return join([*cells, *otherwise], _undecided(key)) if cells else _no_entry(key, default)
    cell = mapping.table.get(hashable)
    found = [value for value in (cell, anything) if value is not None]
    if not found:
        return _no_entry(key, default)
    if cell is None or may_be_missing(cell):
        found += otherwise
    return join([present(value) for value in found if not isinstance(value, Unbound)])


def _undecided(key: Value) -> Words:
    return (
        Sentence("it depends on a dict key that is not known: ", key.because) if isinstance(key, UnknownValue) else ""
    )


def _no_entry(key: Value, default: Value | None) -> Value:
    return default or UnknownValue("comes from a dict that has no such key in the code that is followed")


def elements(run: Interpreter, value: Value) -> Contents:
    """Return what a loop over `value` iterates over."""
    if isinstance(value, (Tuple, Listing)):
        contents = views.shown(run, value) if isinstance(value, Tuple) else _held(run, value)
        if value.assumed is None:
            return contents
        return Contents(tuple(assume(item, value.assumed) for item in contents.items), contents.rest)
    if isinstance(value, Mapping) and not _iterates(value):
        return _keys(value)
    if isinstance(value, Const) and isinstance(value.value, (str, bytes, range)):
        return _characters(value)
    if isinstance(value, Either):
        every = [elements(run, option) for option in value.options if not isinstance(option, Unbound)]
        return _joined(every, value.because)
    if isinstance(value, Foreign) and (inside := run.library.elements(value)) is not None:
        return inside
    if isinstance(value, Class) and enums.members_of(value):
        return enums.contents(value)
    if isinstance(value, (Instance, Mapping, Class)) and value.at is not None:
        made = iterators.of_object(run, value, value.at)
        if made is not None:
            return iterators.drained(run, made)
    because = value.because if isinstance(value, UnknownValue) else "it is not a sequence that is followed"
    return Contents((), UnknownValue(Sentence("is an item of a value that is not known: ", because)))


def _held(run: Interpreter, listing: Listing) -> Contents:
    """Return what a list or set holds; an iterator is read to its end."""
    return iterators.drained(run, listing) if listing.kind == "iterator" else contents_of(listing)


def _iterates(mapping: Mapping) -> bool:
    """Return whether an object that is a dict says itself what a loop over it gives."""
    kind = mapping.body.kind if mapping.body is not None else None
    found = classes.search(kind, "__iter__") if isinstance(kind, Class) else None
    return found is not None and isinstance(found[0], Function)


def _keys(mapping: Mapping) -> Contents:
    keys = tuple(
        join([key_value(key), UNBOUND]) if may_be_missing(cell) else key_value(key)
        for key, cell in mapping.table.items()
        if not views.is_hidden(key)
    )
    more = mapping.table.get(ANY) or mapping.table.get(OTHER)
    return Contents(keys, UnknownValue("is a dict key that is not known") if more else None)


def _characters(value: Const) -> Contents:
    whole = value.value
    if len(whole) > MOST_KEPT:
        return Contents((), UnknownValue("is an item of a sequence that is too long to follow"))
    return Contents(tuple(Const(item, at=value.at, assumed=value.assumed) for item in whole))


def _joined(every: list[Contents], because: Words) -> Contents:
    if len({len(contents.items) for contents in every}) == 1 and all(contents.certain for contents in every):
        rows = zip(*(contents.items for contents in every), strict=True)
        return Contents(tuple(join(items, because) for items in rows))
    items = [item for contents in every for item in (*contents.items, contents.rest) if item is not None]
    return Contents((), join([present(item) for item in items], because) if items else None)


def item(run: Interpreter, value: Value, index: Value) -> Value | None:
    """Return `value[index]` of a sequence or dict; None if it is neither."""
    if isinstance(value, Mapping):
        return assume(join([get_key(value, option) for option in options(index)], choice(index)), value.assumed)
    if isinstance(value, Class) and isinstance(index, Const):
        return enums.named(value, index)
    if not isinstance(value, (Tuple, Listing, Const)):
        return None
    contents = elements(run, value)
    if isinstance(index, Const) and isinstance(index.value, int):
        place = index.value
        if contents.certain and -len(contents.items) <= place < len(contents.items):
            return contents.items[place]
        head = contents.items[: place + 1] if place >= 0 else ()
        if place >= 0 and len(head) == place + 1 and not any(may_be_missing(entry) for entry in head):
            return head[place]
    found, alike = _any_of(contents)
    because = _undecided(index)
    return Either(found.options, because or found.because) if isinstance(found, Either) and not alike else found


@lru_cache(maxsize=64)
def _any_of(contents: Contents) -> tuple[Value, bool]:
    """Return what any of the items may be, and whether all are one; a table is often asked at many unknown places."""
    every = [*map(present, contents.items), *([contents.rest] if contents.rest else [])]
    return (join(every), every.count(every[0]) == len(every)) if every else (NONE, True)
