"""Everything that can change while a program runs, and what a branch does to it.

All mutable state (scopes, attributes, dict entries, list contents) is cells of tables. A `JoinPoint` is a place where
several paths of the program meet again: each path runs from the same state, what it wrote is recorded and undone, and
at the end the records are joined, cell by cell.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from cudnnlint.frontends.source.python.lazy_message import Words
from cudnnlint.frontends.source.python.values import (
    MISSING,
    Const,
    Contents,
    Missing,
    Unfollowed,
    Value,
    equal,
    identity,
    join,
    options,
    present,
)
from cudnnlint.frontends.source.syntax.unit import Unit

T = TypeVar("T")

#: A list that grew longer on several paths is known by what it holds, no longer item by item.
MOST_ITEMS = 256

Cell = tuple["Table", Hashable]


class Table:
    """A mutable set of named cells with an identity; `born` is the time on the journal's clock when it was made."""

    __slots__ = ("born", "cells", "order")

    def __init__(self, born: int) -> None:
        self.born = born
        self.cells: dict[Hashable, Value] = {}
        self.order: list[Value] | None = None  # of a class's table: its bases in the order of look-up

    def get(self, key: Hashable) -> Value | None:
        """Return the value of a cell; None where there is none."""
        value = self.cells.get(key)
        return None if isinstance(value, Missing) else value

    def items(self) -> list[tuple[Hashable, Value]]:
        """Return the cells that have a value, in the order in which they were first written."""
        return [(key, value) for key, value in self.cells.items() if not isinstance(value, Missing)]


@dataclass(eq=False)
class ModuleUnit(Unit):
    """A unit that is run as a module; its names are the cells of `table`. The cells of a notebook share one."""

    table: Table = field(kw_only=True)


class JoinPoint:
    """A place where paths meet: what was overwritten since it was opened, and how each path ended."""

    __slots__ = ("ends", "opened", "undo")

    def __init__(self, opened: int) -> None:
        self.opened = opened
        self.undo: dict[Cell, Value] = {}
        self.ends: list[dict[Cell, Value]] = []


class Trial:
    """A part of the program under watch: what each cell held before, and everything that is written on the way."""

    __slots__ = ("before", "opened", "written")

    def __init__(self, opened: int) -> None:
        self.opened = opened
        self.before: dict[Cell, Value] = {}
        self.written: dict[Cell, list[Value]] = {}


class Journal:
    """The writer of all cells, which remembers for every open point what they held before."""

    def __init__(self) -> None:
        self.clock = 0
        self.points: list[JoinPoint] = []
        self.trying: list[Trial] = []

    def table(self) -> Table:
        """Return a new, empty table."""
        self.clock += 1
        return Table(self.clock)

    def write(self, table: Table, key: Hashable, value: Value) -> None:
        """Set a cell.

        A table younger than the innermost point cannot be seen from outside it.
        """
        if self.points:
            point = self.points[-1]
            if table.born <= point.opened and (table, key) not in point.undo:
                point.undo[table, key] = table.cells.get(key, MISSING)
        for trial in self.trying:
            if table.born <= trial.opened:
                trial.before.setdefault((table, key), table.cells.get(key, MISSING))
                trial.written.setdefault((table, key), []).append(value)
        table.cells[key] = value

    def open(self) -> JoinPoint:
        """Open a part of the program that several paths leave."""
        self.clock += 1
        point = JoinPoint(self.clock)
        self.points.append(point)
        return point

    def since(self, point: JoinPoint) -> dict[Cell, Value]:
        """Return the cells written since `point` was opened, with what they hold now.

        Those of younger tables are among them: what one path makes may be seen from another one (a `try` and its
        handler).
        """
        touched: dict[Cell, Value] = {}
        for layer in self.points[self.points.index(point) :]:
            for table, key in layer.undo:
                touched[table, key] = table.cells.get(key, MISSING)
        return touched

    def leave(self, point: JoinPoint) -> None:
        """Record that a path reaches the end of `point` in the present state."""
        point.ends.append(self.since(point))

    def abandon(self, point: JoinPoint) -> None:
        """Undo what was written since the innermost point was opened, and close it."""
        assert self.points.pop() is point
        for (table, key), old in point.undo.items():
            table.cells[key] = old

    def close(self, point: JoinPoint, because: Words = "") -> bool:
        """Join the recorded paths into the state outside; return False if none reached the end."""
        self.abandon(point)
        touched = dict.fromkeys(cell for end in point.ends for cell in end)
        for table, key in touched:
            now = table.cells.get(key, MISSING)
            self.write(table, key, join_cells([end.get((table, key), now) for end in point.ends], because))
        return bool(point.ends)

    def fork(self, arms: Sequence[Callable[[], bool]], because: Words = "") -> bool:
        """Run every arm from the same state, and go on from the join of those that reach their end.

        Return False if none does.
        """
        meeting = self.open()
        for arm in arms:
            path = self.open()
            if arm():
                self.leave(meeting)
            self.abandon(path)
        return self.close(meeting, because)

    def aside(self, arm: Callable[[], object]) -> dict[Cell, Value]:
        """Run an arm only to see what it constructs; undo its effects, and return what it wrote."""
        path = self.open()
        arm()
        written = self.since(path)
        self.abandon(path)
        return written

    def attempt(self, work: Callable[[], T]) -> tuple[T, Trial]:
        """Run work that may stop anywhere, or may be only a part; return its result, and what it wrote."""
        self.clock += 1
        trial = Trial(self.clock)
        self.trying.append(trial)
        try:
            return work(), trial
        finally:
            self.trying.remove(trial)

    def widen(self, trial: Trial, because: Words) -> bool:
        """Let each cell in which a trial put another plain value hold any value; return whether there was one."""
        changed = [(t, key) for (t, key), old in trial.before.items() if _goes_on(old, t.cells.get(key, MISSING))]
        for table, key in changed:
            self.write(table, key, join([table.cells[key], Unfollowed(because, None)], because))
        return bool(changed)

    def restore(self, written: dict[Cell, Value]) -> None:
        """Set each cell to what `written` holds for it."""
        for (table, key), value in written.items():
            self.write(table, key, value)

    def weaken(self, written: dict[Cell, Value], because: Words, trial: Trial | None = None) -> None:
        """Let each cell hold what it holds, or what `written` holds for it, or what a trial wrote before that."""
        for (table, key), value in written.items():
            passed = [] if trial is None else trial.written.get((table, key), [])
            on_the_way = [one for one in passed if not _leads_to(one, value)]
            self.write(table, key, join_cells([table.cells.get(key, MISSING), value, *on_the_way], because))


def join_cells(values: list[Value], because: Words) -> Value:
    """Join what one cell holds at the end of several paths."""
    if all(isinstance(value, Contents) for value in values):
        joined = values[0]
        for value in values[1:]:
            assert isinstance(joined, Contents)
            assert isinstance(value, Contents)
            joined = _join_contents(joined, value, because)
        return joined
    return join(values, because)


def _goes_on(before: Value, now: Value) -> bool:
    """Return whether there is a plain value now that was not there before."""
    if isinstance(before, Contents) or isinstance(now, Contents):
        return False
    known = {identity(option) for option in options(before)}
    return any(isinstance(option, Const) and identity(option) not in known for option in options(now))


def _leads_to(value: Value, later: Value) -> bool:
    """Return whether a value is one that the later one includes: itself, or a list that only grew longer."""
    if not isinstance(value, Contents) or not isinstance(later, Contents):
        return value is later
    same = len(value.items) <= len(later.items) and all(map(equal, value.items, later.items))
    return same and (value.rest is None or later.rest is not None)


def _join_contents(left: Contents, right: Contents, because: Words) -> Contents:
    """Return the contents of a list after two paths: a common start, then items that may be missing."""
    same = 0
    for one, other in zip(left.items, right.items, strict=False):
        if not equal(one, other):
            break
        same += 1
    ours, theirs = left.items[same:], right.items[same:]
    if len(ours) == len(theirs):
        rest = tuple(join([one, other], because) for one, other in zip(ours, theirs, strict=True))
    else:
        rest = tuple(join([item, MISSING], because) for item in ours + theirs)
    more = [value for value in (left.rest, right.rest) if value is not None]
    if same + len(rest) > MOST_ITEMS:
        more += [present(item) for item in left.items[:same] + rest]
        same, rest = 0, ()
    return Contents(left.items[:same] + rest, join(more, because) if more else None)
