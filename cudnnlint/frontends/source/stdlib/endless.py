"""Iterators of itertools that are read item by item: count, cycle, repeat, islice, tee, takewhile and others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.core.frozen import record
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.python import containers, hooks, item_sources, iteration, iterators, operators
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_items import ItemSource, Stuck
from cudnnlint.frontends.source.python.plain import Computed
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    ITEMS,
    NONE,
    Const,
    Contents,
    Listing,
    Tuple,
    UnknownValue,
    Value,
    may_be_missing,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


@record(frozen=True, eq=False)
class Counted(ItemSource):
    """The numbers of `count(number, step)`."""

    number: Value
    step: Value

    def pull(self, run: Interpreter) -> tuple[Value | None, ItemSource]:
        """Return the number."""
        behind = operators.combine(run, cst.Add, self.number, self.step)
        if behind is None:
            raise Stuck
        return self.number, replace(self, number=behind)

    def rest(self, run: Interpreter) -> Contents:
        """Return any number."""
        return Contents((), UnknownValue("is a number that itertools.count() counts"))


@record(frozen=True, eq=False)
class Repeated(ItemSource):
    """One value again and again: `left` times, or forever."""

    value: Value
    left: int | None = None

    def pull(self, run: Interpreter) -> tuple[Value | None, ItemSource]:
        """Return the value."""
        if self.left is None:
            return self.value, self
        return (self.value, replace(self, left=self.left - 1)) if self.left > 0 else (None, self)

    def rest(self, run: Interpreter) -> Contents:
        """Return the value, any number of times."""
        return Contents((), self.value)


@record(frozen=True, eq=False)
class Cycled(ItemSource):
    """The items of an iterator, again and again."""

    iterator: Listing
    seen: tuple[Value, ...] = ()
    place: int | None = None

    def pull(self, run: Interpreter) -> tuple[Value | None, ItemSource]:
        """Return the next item, or the first one again."""
        if self.place is None:
            item = iterators.advance(run, self.iterator)
            if item is not None:
                return item, replace(self, seen=(*self.seen, item))
        if not self.seen:
            return None, self
        place = self.place or 0
        return self.seen[place], replace(self, place=(place + 1) % len(self.seen))

    def rest(self, run: Interpreter) -> Contents:
        """Return any of the items."""
        left = iterators.drained(run, self.iterator)
        return containers.unordered(Contents((*self.seen, *left.items), left.rest))


@record(frozen=True, eq=False)
class Sliced(ItemSource):
    """Some items of an iterator: after `skip` others one, `left` items in all, `by` apart."""

    iterator: Listing
    skip: int
    left: int | None
    by: int

    def pull(self, run: Interpreter) -> tuple[Value | None, ItemSource]:
        """Skip what is to be skipped, and return the next item."""
        if self.left == 0:
            return None, self
        for _ in range(self.skip):
            if iterators.advance(run, self.iterator) is None:
                return None, self
        item = iterators.advance(run, self.iterator)
        left = None if self.left is None else self.left - 1
        return item, replace(self, skip=self.by - 1, left=left)

    def rest(self, run: Interpreter) -> Contents:
        """Return any of the items."""
        return containers.unordered(iterators.drained(run, self.iterator), UnknownValue("is an item of a part"))


@record(frozen=True, eq=False)
class Teed(ItemSource):
    """One of several readers of an iterator; `kept` is the list of what one of them has read."""

    iterator: Listing
    kept: Listing
    place: int = 0

    def pull(self, run: Interpreter) -> tuple[Value | None, ItemSource]:
        """Return the next item: one that was kept, else a new one, which is kept then."""
        known = containers.contents_of(self.kept)
        if not known.certain:
            raise Stuck
        if self.place >= len(known.items):
            item = iterators.advance(run, self.iterator)
            if item is None:
                return None, self
            run.journal.write(self.kept.table, ITEMS, Contents((*known.items, item)))
        return containers.contents_of(self.kept).items[self.place], replace(self, place=self.place + 1)


@record(frozen=True, eq=False)
class While(ItemSource):
    """The items of an iterator up to the first for which a test fails, or (`before` false) from that one on."""

    test: Value
    iterator: Listing
    origin: Origin
    takes: bool
    decided: bool = False

    def pull(self, run: Interpreter) -> tuple[Value | None, ItemSource]:
        """Take the next item, and ask the test until it has failed once."""
        for _ in range(iterators.MOST_PULLED):
            if self.decided and self.takes:
                return None, self
            item = iterators.advance(run, self.iterator)
            if item is None or self.decided:
                return item, self
            passed = truth(hooks.meant(run, run.call(self.test, Arguments([item]), self.origin), self.origin))
            if passed is None or may_be_missing(item):
                raise Stuck
            if passed is self.takes:
                return (item, self) if self.takes else (item, replace(self, decided=True))
            if self.takes:
                return None, replace(self, decided=True)
        raise Stuck

    def rest(self, run: Interpreter) -> Contents:
        """Return any of the items."""
        return containers.unordered(iterators.drained(run, self.iterator), UnknownValue("is an item of a part"))


def _count(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    first, step = arguments.get(0, "start") or Const(0), arguments.get(1, "step") or Const(1)
    known = all(isinstance(one, Const) and isinstance(one.value, (int, float)) for one in (first, step))
    return iterators.new(run, Counted(first, step)) if known else None


def _repeat(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    value, times = arguments.get(0, "object"), arguments.get(1, "times")
    if value is None or arguments.rest:
        return None
    if times is None:
        return iterators.new(run, Repeated(value))
    known = isinstance(times, Const) and isinstance(times.value, int)
    return iterators.new(run, Repeated(value, times.value)) if known and isinstance(times, Const) else None


def _cycle(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    if len(arguments.positional) != 1:
        return None
    return iterators.new(run, Cycled(iteration.over(run, arguments.positional[0], origin)))


def _slice(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `itertools.islice(items, stop)`, `islice(items, start, stop, step)`."""
    if not 2 <= len(arguments.positional) <= 4 or arguments.rest:
        return None
    bounds = [one.value for one in arguments.positional[1:] if isinstance(one, Const)]
    if len(bounds) < len(arguments.positional) - 1 or not all(one is None or _is_place(one) for one in bounds):
        return None
    start, stop, by = (0, bounds[0], 1) if len(bounds) == 1 else (bounds[0] or 0, bounds[1], (*bounds, None)[2] or 1)
    left = None if stop is None else max(0, -(-(stop - start) // by))
    return iterators.new(run, Sliced(iteration.over(run, arguments.positional[0], origin), start, left, by))


def _is_place(value: object) -> bool:
    return isinstance(value, int) and 0 <= value <= iterators.MOST_PULLED


def _tee(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    given, times = arguments.get(0, "iterable"), arguments.get(1, "n") or Const(2)
    if given is None or not isinstance(times, Const) or not isinstance(times.value, int) or not 0 < times.value < 9:
        return None
    source, kept = iteration.over(run, given, origin), containers.new_list(run, ())
    return Tuple(Contents(tuple(iterators.new(run, Teed(source, kept)) for _ in range(times.value))))


def _while(takes: bool) -> Computed:
    def made(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        if len(arguments.positional) != 2:
            return None
        test, given = arguments.positional
        return iterators.new(run, While(test, iteration.over(run, given, origin), origin, takes))

    return made


def _filter_false(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    if len(arguments.positional) != 2:
        return None
    test, given = arguments.positional
    return iterators.new(run, item_sources.Kept(test or NONE, iteration.over(run, given, origin), origin, False))


_TABLE: dict[str, Callable[..., Value | None]] = {
    "count": _count,
    "repeat": _repeat,
    "cycle": _cycle,
    "islice": _slice,
    "tee": _tee,
    "takewhile": _while(True),
    "dropwhile": _while(False),
    "filterfalse": _filter_false,
}


def table() -> dict[str, Computed]:
    """Return the functions by their dotted names."""
    return {f"itertools.{name}": function for name, function in _TABLE.items()}
