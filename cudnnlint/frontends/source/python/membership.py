"""`item in collection`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import containers, enums, iterators
from cudnnlint.frontends.source.python.lazy_items import Stuck
from cudnnlint.frontends.source.python.values import (
    ANY,
    Const,
    Instance,
    Listing,
    Mapping,
    Tuple,
    Value,
    alike,
    may_be_missing,
)

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def contains(run: Interpreter, item: Value, collection: Value) -> bool | None:
    """Return the result of `item in collection`; None where that is not known."""
    if isinstance(item, Const) and isinstance(collection, Const):
        both = type(item.value) is type(collection.value) and isinstance(item.value, (str, bytes))
        return item.value in collection.value if both or isinstance(collection.value, range) else None
    if isinstance(collection, Listing) and collection.kind == "iterator":
        return _comes(run, item, collection)
    if isinstance(item, Instance) and isinstance(collection, Instance):
        return enums.holds(item, collection)
    if not isinstance(collection, (Tuple, Listing, Mapping)):
        return None
    key = containers.key_of(item) if isinstance(collection, Mapping) else None
    if key is not None and isinstance(collection, Mapping) and collection.table.get(ANY) is None:
        cell = collection.table.get(key)
        return False if cell is None else None if may_be_missing(cell) else True
    contents = containers.elements(run, collection)
    answers = [_equal(item, entry) for entry in contents.items]
    if True in answers:
        return True
    return None if None in answers or contents.rest is not None else False


def _comes(run: Interpreter, item: Value, iterator: Listing) -> bool | None:
    """Return whether an item comes in an iterator, which is read up to it."""
    try:
        for _ in range(iterators.MOST_PULLED):
            one = iterators.advance(run, iterator)
            answer = False if one is None else _equal(item, one)
            if answer is not False or one is None:
                return answer
    except Stuck:
        pass
    return None


def _equal(left: Value, right: Value) -> bool | None:
    """Return the result of `left == right`, where `right` may be missing; None where that is not known."""
    left, right = enums.worth(left), enums.worth(right)
    if isinstance(left, Const) and isinstance(right, Const):
        return bool(left.value == right.value)
    if isinstance(left, Tuple) and isinstance(right, Tuple):
        return _all_equal(left, right)
    if any(not isinstance(side, (Const, Tuple)) for side in (left, right)):
        return True if alike(left, right) else None
    return False


def _all_equal(left: Tuple, right: Tuple) -> bool | None:
    if not left.contents.certain or not right.contents.certain:
        return None
    if len(left.contents.items) != len(right.contents.items):
        return False
    answers = [_equal(one, other) for one, other in zip(left.contents.items, right.contents.items, strict=True)]
    return False if False in answers else None if None in answers else True
