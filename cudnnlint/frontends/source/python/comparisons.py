"""Comparisons of abstract values: `a < b`, `a is None`, `a in b`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

import libcst as cst

from cudnnlint.frontends.source.python import classes, containers, enums, kinds, membership, plain, records, views
from cudnnlint.frontends.source.python.scopes import Frame
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    ANY,
    DEEPEST,
    Bound,
    Class,
    Const,
    Foreign,
    Instance,
    Library,
    Listing,
    Mapping,
    Tuple,
    Unbound,
    UnknownValue,
    Value,
    alike,
    assumption,
    join,
    options,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

_COMPARE: dict[type, Callable[[Any, Any], Any]] = {
    cst.Equal: operator.eq,
    cst.NotEqual: operator.ne,
    cst.LessThan: operator.lt,
    cst.LessThanEqual: operator.le,
    cst.GreaterThan: operator.gt,
    cst.GreaterThanEqual: operator.ge,
}
#: What a class defines to be compared, and what the class of the other side is asked where it does not.
_DUNDER: dict[type, tuple[str, str]] = {
    cst.Equal: ("__eq__", "__eq__"),
    cst.NotEqual: ("__ne__", "__ne__"),
    cst.LessThan: ("__lt__", "__gt__"),
    cst.LessThanEqual: ("__le__", "__ge__"),
    cst.GreaterThan: ("__gt__", "__lt__"),
    cst.GreaterThanEqual: ("__ge__", "__le__"),
}


def comparison(run: Interpreter, node: cst.Comparison, frame: Frame) -> Value:
    """Return the value of `a < b`, `a is None`, `a in b`: True, False, or unknown."""
    left = run.evaluate(node.left, frame)
    if isinstance(left, Foreign) and (computed := run.library.operation(left, name="comparison")) is not None:
        others = [run.evaluate(target.comparator, frame) for target in node.comparisons]
        how = node.comparisons[0].operator
        if isinstance(how, (cst.Is, cst.IsNot)) and containers.is_nothing(others[0]) and run.library.is_there(left):
            return Const(isinstance(how, cst.IsNot))
        return computed
    plain = not isinstance(node.comparisons[0].operator, (cst.Is, cst.IsNot, cst.In, cst.NotIn))
    if plain and (many := run.library.compared(run, left, Origin(frame.unit, node))) is not None:
        run.evaluate(node.comparisons[0].comparator, frame)
        return many
    result: Value = Const(True)
    for target in node.comparisons:
        right = run.evaluate(target.comparator, frame)
        how, origin = target.operator, Origin(frame.unit, node)
        pairs = [(one, other) for one in options(left) for other in options(right)]
        answers = [answer(run, how, one, other, origin) for one, other in pairs]
        result = join([_verdict(one, left, right) for one in dict.fromkeys(answers)])
        if truth(result) is not True:
            break
        left = right
    return result


def answer(run: Interpreter, how: cst.BaseCompOp, left: Value, right: Value, origin: Origin) -> bool | None:
    """Return the result of a comparison as the class of one side defines it, else as Python does."""
    if isinstance(how, (cst.In, cst.NotIn)):
        own = classes.operator(run, right, "__contains__", [left], origin)
        inside = None if own is None else truth(own)
        if own is not None:
            return inside if inside is None or isinstance(how, cst.In) else not inside
    elif type(how) in _DUNDER:
        for one, other, name in zip((left, right), (right, left), _DUNDER[type(how)], strict=True):
            own = classes.operator(run, one, name, [other], origin)
            if own is not None:
                return truth(own) if _is_plain(own) else None
            opposite = classes.operator(run, one, "__eq__", [other], origin) if name == "__ne__" else None
            if opposite is not None:
                return not truth(opposite) if _is_plain(opposite) else None
    known = records.compare(run, how, left, right, origin)
    return _compare(run, how, left, right) if known is None else known


def _is_plain(answer: Value) -> bool:
    """Return whether what a class says of a comparison is True or False.

    Anything else is the value of the comparison itself, but for NotImplemented: then the other side is asked.
    """
    return truth(answer) is not None and all(
        isinstance(one, Const) and isinstance(one.value, bool) for one in options(answer)
    )


def _verdict(answer: bool | None, left: Value, right: Value) -> Value:
    if answer is not None:
        return Const(answer, assumed=assumption(left, right))
    for side in (left, right):
        for option in options(side):
            if isinstance(option, UnknownValue):
                return option
    return UnknownValue("is the result of a comparison that is not known")


def _compare(run: Interpreter, how: cst.BaseCompOp, left: Value, right: Value) -> bool | None:
    if isinstance(left, _OPEN) or isinstance(right, _OPEN) or enums.may_be_one(left, right):
        return None
    if isinstance(how, (cst.In, cst.NotIn)):
        inside = membership.contains(run, left, right)
        return inside if inside is None or isinstance(how, cst.In) else not inside
    same = isinstance(how, (cst.Is, cst.Equal))
    if not isinstance(how, (cst.Is, cst.IsNot)):
        left, right = enums.worth(left), enums.worth(right)
    if isinstance(left, Const) and isinstance(right, Const):
        return _compare_constants(how, left.value, right.value)
    if not isinstance(how, (cst.Is, cst.IsNot)) and (isinstance(left, Library) or isinstance(right, Library)):
        answer = run.library.compare(left, right, _COMPARE[type(how)])
        if answer is not None:
            return answer
    if any(isinstance(side, (Library, Bound)) and side.may_be_plain for side in (left, right)):
        return same if alike(left, right) and isinstance(how, _SAME) else None
    if any(isinstance(side, views.View) for side in (left, right)) or all(map(views.is_like_set, (left, right))):
        return _compare_sets(run, how, left, right)
    if isinstance(left, (Tuple, Listing)) and type(left) is type(right) and not isinstance(how, _SAME):
        rows = [_constants(run, side) for side in (left, right)]
        return None if None in rows else _compare_constants(how, *rows)
    if isinstance(how, _SAME):
        if alike(left, right):
            return same
        known = _same_things(run, left, right)
        if known is not None and not isinstance(how, (cst.Is, cst.IsNot)):
            return known is same
        if isinstance(left, Library) and isinstance(right, Library):
            differ = kinds.differ(left.name, right.name) or run.library.differ(left.name, right.name)
            return not same if differ else None  # the same thing may have several names
        if type(left) is not type(right) or isinstance(how, (cst.Is, cst.IsNot)):
            objects = isinstance(left, Instance) or isinstance(right, Instance)
            return None if objects and isinstance(how, (cst.Equal, cst.NotEqual)) else not same
        if isinstance(left, Instance) and isinstance(right, Instance) and _by_identity(left) and _by_identity(right):
            return not same
    return None


def _compare_sets(run: Interpreter, how: cst.BaseCompOp, left: Value, right: Value) -> bool | None:
    """Return the result of `{1} <= {1, 2}`, whether one set is a part of the other; views may be among the sides."""
    if isinstance(how, (cst.Is, cst.IsNot)):
        return isinstance(how, cst.Is) if alike(left, right) else isinstance(how, cst.IsNot)
    if not all(map(views.is_like_set, (left, right))):
        return None
    contents = [containers.elements(run, side) for side in (left, right)]
    keys = [[containers.key_of(item) for item in one.items] for one in contents]
    if not all(one.certain for one in contents) or any(None in one for one in keys):
        return None
    return _compare_constants(how, *map(set, keys))


def _constants(run: Interpreter, value: Value) -> list[Any] | None:
    """Return the items of a list or tuple that holds constants only.

    None for anything else, and for a set, whose order is not that of the source.
    """
    if isinstance(value, Listing) and value.kind != "list":
        return None
    contents = containers.elements(run, value)
    items = [item.value for item in contents.items if isinstance(item, Const)]
    return items if contents.certain and len(items) == len(contents.items) else None


_SAME = (cst.Is, cst.IsNot, cst.Equal, cst.NotEqual)
_OPEN = (UnknownValue, Foreign, Unbound)


def _by_identity(value: Instance) -> bool:
    """Return whether two different objects of the value's class are never equal."""
    if not isinstance(value.kind, Class):
        return value.kind.name == "builtins.object"
    plain = classes.library_base(value.kind) is None and not any(
        mark in classes.DATACLASSES
        for entry in classes.lineage(value.kind)
        if isinstance(entry, Class)
        for mark in entry.marks
    )
    return enums.is_member(value) or plain


def _same_things(run: Interpreter, left: Value, right: Value) -> bool | None:
    """Return whether two lists, tuples or dicts are equal.

    None where that is not known, or they are something else.
    """
    keys = [_content_key(run, side) for side in (left, right)]
    if None in keys or all(views.kind_of(side) == "collections.Counter" for side in (left, right)):
        return None  # a Counter takes a count of zero for none, from Python 3.10 on
    return keys[0] == keys[1] and views.same_order(left, right)


def _content_key(run: Interpreter, value: Value, depth: int = 0) -> Hashable | None:
    """Return a key that is equal for equal values, as far as they hold constants only."""
    if depth > DEEPEST:
        return None
    if isinstance(value, Const):
        return containers.key_of(value)
    if isinstance(value, Mapping):
        cells = value.table.items()
        parts = {key: _content_key(run, cell, depth + 1) for key, cell in cells}
        return None if None in parts.values() or ANY in parts else (Mapping, frozenset(parts.items()))
    if not isinstance(value, (Listing, Tuple)) or not (contents := containers.elements(run, value)).certain:
        return None
    items = tuple(_content_key(run, item, depth + 1) for item in contents.items)
    if None in items:
        return None
    kind = value.kind if isinstance(value, Listing) else Tuple
    return ("set", frozenset(items)) if views.is_like_set(value) else (kind, items)


def _is_one_object(value: Any) -> bool:
    """Return whether CPython has a constant once: None, truth values, small integers, and texts of the source."""
    return isinstance(value, (bool, str, type(None), type(...))) or (type(value) is int and -5 <= value <= 256)


def _compare_constants(how: cst.BaseCompOp, left: Any, right: Any) -> bool | None:
    if isinstance(how, (cst.Is, cst.IsNot)):
        same = type(left) is type(right) and left == right
        if same and not _is_one_object(left):
            return None
        return same if isinstance(how, cst.Is) else not same
    try:
        return bool(plain.attempt(_COMPARE[type(how)], left, right))
    except plain.NotPlain:
        return None
