"""Functions of numpy on small arrays of one dimension: what they make of numbers that are known."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from cudnnlint.frontends.source.stdlib.numbers import NumpyInteger

Numbers = Sequence[Any]
#: Numbers in an array; more are data.
MOST = 256


def _row(values: Any) -> list[Any]:
    """Return the numbers of a row; raise TypeError for anything else, as for a row of rows."""
    if not isinstance(values, (list, tuple)) or not all(type(one) in (int, float) for one in values):
        raise TypeError("no row of numbers")
    return list(values)


def _whole_row(values: Any) -> list[int]:
    """Return a row of whole numbers; sums of fractions depend on the order in which numpy adds them."""
    if not all(type(one) is int for one in _row(values)):
        raise TypeError("fractions")
    return _row(values)


def _joined(rows: Any) -> Numbers:
    if not isinstance(rows, (list, tuple)) or not rows:
        raise TypeError("no rows")
    return [number for row in rows for number in _row(row)]


def row(values: Any) -> Sequence[Any]:
    if not isinstance(values, (list, tuple)):
        raise TypeError("not a list")
    return values


def arange(*bounds: Any) -> Sequence[Any]:
    if not bounds or not all(type(one) in (int, NumpyInteger) for one in bounds) or len(range(*bounds)) > MOST:
        raise ValueError("not whole, or many")
    return range(*bounds)


def linspace(start: Any, stop: Any, num: int = 50) -> Sequence[Any]:
    if not 1 < num <= MOST:
        raise ValueError("few, or many")
    by = (stop - start) / (num - 1)
    return [*(place * by + start for place in range(num - 1)), float(stop)]


def filled(number: float) -> Callable[[Any], Sequence[Any]]:
    def compute(shape: Any) -> Sequence[Any]:
        size = shape[0] if isinstance(shape, tuple) and len(shape) == 1 else shape
        if type(size) is not int or not 0 <= size <= MOST:
            raise ValueError("more than one dimension, or many")
        return [number] * size

    return compute


#: Functions that give a row of numbers.
ROWS: dict[str, Callable[..., Numbers]] = {
    "unique": lambda values: sorted(set(_row(values))),
    "sort": lambda values: sorted(_row(values)),
    "flip": lambda values: _row(values)[::-1],
    "cumsum": lambda values: list(itertools.accumulate(_whole_row(values))),
    "diff": lambda values: [after - before for before, after in itertools.pairwise(_whole_row(values))],
    "append": lambda values, more: _joined([values, more if isinstance(more, (list, tuple)) else [more]]),
    "concatenate": _joined,
    "hstack": _joined,
    "full": lambda shape, value: filled(_row([value])[0])(shape),
}


def _clip(value: Any, low: Any, high: Any) -> Any:
    if not all(type(one) is int for one in (value, low, high)):
        raise TypeError("no whole numbers")
    return min(max(value, low), high)


#: Functions that give one whole number.
PLACES: dict[str, Callable[..., int]] = {
    "argmax": lambda values: _row(values).index(max(_row(values))),
    "argmin": lambda values: _row(values).index(min(_row(values))),
    "clip": _clip,
}
