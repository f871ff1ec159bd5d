"""How rows of the tables are found: by the names that they are about, and by the point where they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cudnnlint.core.target import Point


def by_name(rows: Iterable[Any], names: Callable[[Any], Iterable[str]]) -> dict[str, list[Any]]:
    """Return the rows under each of their names, in their order."""
    found: dict[str, list[Any]] = {}
    for row in rows:
        for name in names(row):
            found.setdefault(name, []).append(row)
    return found


def holding(rows: Iterable[Any], point: Point) -> tuple[Any, ...]:
    """Return the rows whose scope holds at a point."""
    return tuple(row for row in rows if row.scope.holds(point))


def texts(rows: Iterable[Any], point: Point) -> frozenset[str]:
    """Return the words of the rows that hold at a point."""
    return frozenset().union(*(row.texts for row in holding(rows, point)))
