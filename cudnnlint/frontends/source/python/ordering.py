"""The order of objects whose class says which of two is less."""

from __future__ import annotations

from functools import cmp_to_key
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python import classes, records
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import Value
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


class _NotKnown(Exception):
    """It is not known which of two objects is less."""


def by_own_comparison(
    run: Interpreter, items: tuple[Value, ...], keys: list[Value], backwards: bool, origin: Origin
) -> list[Value] | None:
    """Return items in the order of their keys' own `__lt__`; None where that is not known."""

    def less(left: Value, right: Value) -> bool:
        found = classes.operator(run, left, "__lt__", [right], origin)
        answer = records.compare(run, cst.LessThan(), left, right, origin) if found is None else truth(found)
        if answer is None:
            raise _NotKnown
        return answer

    def compare(left: int, right: int) -> int:
        return -1 if less(keys[left], keys[right]) else 1 if less(keys[right], keys[left]) else 0

    try:
        places = sorted(range(len(items)), key=cmp_to_key(compare), reverse=backwards)
    except _NotKnown:
        return None
    return [items[place] for place in places]
