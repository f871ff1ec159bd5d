"""Everything that can change while a program runs, and what a branch does to it.

All mutable state (scopes, attributes, dict entries, list contents) is cells of tables. A `JoinPoint` is a place where
several paths of the program meet again: each path runs from the same state, what it wrote is recorded and undone, and
at the end the records are joined, cell by cell.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import field
from typing import TypeVar

from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.frontends.source.python import joined_cells
from cudnnlint.frontends.source.python.lazy_message import Words
from cudnnlint.frontends.source.python.values import (
    UNBOUND,
    Unbound,
    UnknownValue,
    Value,
    join,
)
from cudnnlint.frontends.source.syntax.unit import Unit

T = TypeVar("T")


Cell = tuple["Table", Hashable]


class Table:
    """A mutable set of named cells with an identity.

    `born` is the time on the journal's clock when it was made, `version` how often a cell of it was set.
    """

    __slots__ = ("born", "cells", "first", "order", "version")

    def __init__(self, born: int) -> None:
        self.born = born
        self.version = 0
        self.cells: dict[Hashable, Value] = {}
        self.order: list[Value] | None = None  # of a class's table: its bases in the order of look-up
        self.first: dict[str, Value] | None = None  # of a module's table: what names were that were bound anew later

    def get(self, key: Hashable) -> Value | None:
        """Return the value of a cell; None where there is none."""
        value = self.cells.get(key)
        return None if type(value) is Unbound else value

    def keep(self, name: str) -> None:
        """Remember what a name of a module is before something outside its body binds it anew."""
        self.first = self.first or {}
        if (value := self.get(name)) is not None:
            self.first.setdefault(name, value)

    def items(self) -> list[tuple[Hashable, Value]]:
        """Return the cells that have a value, in the order in which they were first written."""
        return [(key, value) for key, value in self.cells.items() if type(value) is not Unbound]


@dataclass(eq=False)
class ModuleUnit(Unit):
    """A unit that is run as a module; its names are the cells of `table`. The cells of a notebook share one."""

    table: Table = field(kw_only=True)


class Raised(Exception):
    """A path of the program ends here by an exception, whose state is recorded where it is handled."""


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
        cells = table.cells
        table.version += 1
        before = cells.get(key, UNBOUND)
        if self.points:
            point = self.points[-1]
            if table.born <= point.opened:
                point.undo.setdefault((table, key), before)
        for trial in reversed(self.trying) if self.trying else ():
            if table.born > trial.opened:
                break  # those around it were opened before
            cell = table, key
            if cell in trial.written:
                trial.written[cell].append(value)
            else:
                trial.before[cell], trial.written[cell] = before, [value]
        if type(before) is Unbound:
            cells.pop(key, None)  # a key that comes back is behind the others
        cells[key] = value

    def admit(self, table: Table, key: Hashable, now: Value, *more: Value) -> None:
        """Let a cell hold more values; one that may hold them already is left as it is, and no path has touched it."""
        if not all(joined_cells.includes(now, one) for one in more):
            self.write(table, key, join([now, *more]))

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
        layers = self.points[self.points.index(point) :]
        return {cell: cell[0].cells.get(cell[1], UNBOUND) for layer in layers for cell in layer.undo}

    def leave(self, point: JoinPoint) -> None:
        """Record that a path reaches the end of `point` in the present state."""
        point.ends.append(self.since(point))

    def abandon(self, point: JoinPoint) -> None:
        """Undo what was written since the innermost point was opened, and close it."""
        assert self.points.pop() is point
        for (table, key), old in point.undo.items():
            table.cells[key] = old
            table.version += 1

    def close(self, point: JoinPoint, because: Words = "") -> bool:
        """Join the recorded paths into the state outside; return False if none reached the end."""
        self.abandon(point)
        ends = point.ends
        if len(ends) == 1:
            self.restore(ends[0])
            return True
        for cell in dict.fromkeys(cell for end in ends for cell in end):
            table, key = cell
            now = table.cells.get(key, UNBOUND)
            self.write(table, key, joined_cells.join_cells([end.get(cell, now) for end in ends], because))
        return bool(ends)

    def fork(self, arms: Sequence[Callable[[], bool]], because: Words = "") -> bool:
        """Run every arm from the same state, and go on from the join of those that reach their end.

        Return False if none does.
        """
        meeting = self.open()
        for arm in arms:
            path = self.open()
            if self._reaches(arm, path):
                self.leave(meeting)
            self.abandon(path)
        return self.close(meeting, because)

    def _reaches(self, arm: Callable[[], bool], path: JoinPoint) -> bool:
        """Return whether an arm reaches its end; one that raises an exception does not."""
        try:
            return arm()
        except Raised:
            while self.points[-1] is not path:
                self.abandon(self.points[-1])
            return False

    def aside(self, arm: Callable[[], object]) -> dict[Cell, Value]:
        """Run an arm only to see what it constructs; undo its effects, and return what it wrote."""
        path = self.open()
        self._reaches(lambda: bool(arm()), path)
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

    def settle(self, table: Table, key: Hashable) -> None:
        """Forget what a cell held on the way: it holds again what it held before, for whatever may follow."""
        for trial in self.trying:
            if (table, key) in trial.written:
                trial.written[table, key] = []

    def widen(self, trial: Trial, because: Words) -> bool:
        """Let each cell in which a trial put another plain value hold any value; return whether there was one."""
        changed = [
            (t, key) for (t, key), old in trial.before.items() if joined_cells.goes_on(old, t.cells.get(key, UNBOUND))
        ]
        for table, key in changed:
            self.write(table, key, join([table.cells[key], UnknownValue(because, None)], because))
        return bool(changed)

    def restore(self, written: dict[Cell, Value]) -> None:
        """Set each cell to what `written` holds for it."""
        for (table, key), value in written.items():
            self.write(table, key, value)

    def weaken(self, written: dict[Cell, Value], because: Words, trial: Trial | None = None) -> None:
        """Let each cell hold what it holds, or what `written` holds for it, or what a trial wrote before that."""
        for (table, key), value in written.items():
            passed = [] if trial is None else trial.written.get((table, key), [])
            on_the_way = [one for one in passed if not joined_cells.leads_to(one, value)]
            self.write(
                table, key, joined_cells.join_cells([table.cells.get(key, UNBOUND), value, *on_the_way], because)
            )
