"""Arithmetic: on constants, and what `+`, `*` and `%` make of sequences and texts."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import libcst as cst

from cudnnlint.frontends.source.python import containers, plain
from cudnnlint.frontends.source.python.values import (
    Const,
    Contents,
    Listing,
    Mapping,
    Tuple,
    Value,
    assumption,
    join,
)

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def of_constants(kind: type, function: Callable[[Any, Any], Any] | None, left: Const, right: Const) -> Value | None:
    """Return the result of arithmetic on constants; None where it would be too large or fails."""
    if function is None or _explodes(kind, left.value, right.value):
        return None
    try:
        result = plain.attempt(function, left.value, right.value)
    except plain.NotPlain:
        return None
    return Const(result, assumed=assumption(left, right)) if plain.weight(result) <= plain.LONGEST else None


def _explodes(kind: type, left: Any, right: Any) -> bool:
    """Return whether the result could be larger than anything worth knowing."""
    if kind in (cst.Power, cst.LeftShift):
        numbers = isinstance(left, (int, float)) and isinstance(right, (int, float))
        return not (numbers and abs(left) <= 1_000_000 and abs(right) <= 64)
    if kind is cst.Multiply:
        for text, times in ((left, right), (right, left)):
            if isinstance(text, (str, bytes)) and isinstance(times, int):
                return len(text) * times > plain.LONGEST
        return any(isinstance(side, int) and abs(side) > 10**18 for side in (left, right))
    return kind is cst.Modulo and isinstance(left, (str, bytes)) and (len(left) > plain.LONGEST or plain.is_wide(left))


def percent(run: Interpreter, left: Const, right: Tuple | Mapping) -> Value | None:
    """Return `text % values`; None where it is not computed."""
    if not isinstance(left.value, (str, bytes)) or plain.is_wide(left.value):
        return None
    items = right.contents.items if isinstance(right, Tuple) else tuple(cell for _, cell in right.table.items())
    try:
        text = plain.attempt(operator.mod, left.value, plain.plain(run, right))
    except plain.NotPlain:
        return None
    return Const(text, assumed=assumption(left, *items)) if len(text) <= plain.LONGEST else None


def concatenate(run: Interpreter, left: Value, right: Value) -> Value:
    """Return `left + right` of two sequences."""
    one, other = containers.elements(run, left), containers.elements(run, right)
    if one.rest is None:
        both = containers.bounded(one.items + other.items, other.rest)
    else:
        both = Contents(one.items, join([one.rest, *other.items, *([other.rest] if other.rest else [])]))
    return Tuple(both) if isinstance(left, Tuple) else containers.new_list(run, both.items, both.rest, _kind(left))


def _kind(value: Value) -> str:
    """Return the kind of a new sequence that is made of another one."""
    return value.kind if isinstance(value, Listing) and value.kind == "deque" else "list"


def repeat(run: Interpreter, left: Value, right: Value) -> Value | None:
    """Return the value of `[item] * times`."""
    sequence, times = (left, right) if isinstance(left, (Tuple, Listing)) else (right, left)
    if not isinstance(sequence, (Tuple, Listing)):
        return None
    contents = containers.elements(run, sequence)
    known = isinstance(times, Const) and isinstance(times.value, int)
    if known and isinstance(times, Const) and times.value * len(contents.items) <= containers.MOST_KEPT:
        repeated = Contents(contents.items * max(0, min(times.value, containers.MOST_KEPT)), contents.rest)
    else:
        every = [*contents.items, *([contents.rest] if contents.rest else [])]
        repeated = Contents((), join(every) if every else None)
    if isinstance(sequence, Tuple):
        return Tuple(repeated)
    return containers.new_list(run, repeated.items, repeated.rest, _kind(sequence))
