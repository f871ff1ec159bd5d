"""Where the items of `map`, `filter`, `zip` and `enumerate` come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.core.frozen import record
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.python import containers, hooks, iterators, raising
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.call_path import Step
from cudnnlint.frontends.source.python.lazy_items import ItemSource, Stuck
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    UNBOUND,
    Const,
    Contents,
    Listing,
    Tuple,
    UnknownValue,
    Value,
    join,
    may_be_missing,
    present,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


@record(frozen=True, eq=False)
class Zipped(ItemSource):
    """Rows of items, one of each iterator; `strict` says that all have the same number of items."""

    iterators: tuple[Listing, ...]
    strict: bool = False

    def pull(self, run: Interpreter) -> tuple[Value | None, ItemSource]:
        """Take one item of each, up to the first that is at its end; with `strict`, all end together."""
        point = run.journal.open()
        row: list[Value] = []
        try:
            for one in self.iterators:
                item = iterators.advance(run, one)
                if item is None:
                    break
                row.append(item)
            whole = len(row) == len(self.iterators) > 0
            uneven = self.strict and not whole and (row or self._goes_on(run))
        except Stuck:
            run.journal.abandon(point)
            raise
        run.journal.leave(point)
        run.journal.close(point)
        if uneven:
            _uneven(run)
        return (Tuple(Contents(tuple(row))) if whole else None), self

    def _goes_on(self, run: Interpreter) -> bool:
        """Return whether another iterator than the first, which is at its end, has an item."""
        return any(iterators.advance(run, one) is not None for one in self.iterators[1:])

    def rest(self, run: Interpreter) -> Contents:
        """Return the rows that are left: no more than the shortest has, and as many as all of them surely have."""
        every = [iterators.drained(run, one) for one in self.iterators]
        certain = min((sure(contents) for contents in every), default=0)
        ends = [len(contents.items) for contents in every if contents.rest is None]
        most = min(ends, default=certain)
        whole = self.strict and any(contents.certain for contents in every)
        if self.strict and all(contents.certain for contents in every) and len({*map(sure, every)}) > 1:
            _uneven(run)
        rows = [Tuple(Contents(tuple(nth(contents, place) for contents in every))) for place in range(most)]
        items = [row if whole or place < certain else join([row, UNBOUND]) for place, row in enumerate(rows)]
        rest = None if ends else Tuple(Contents(tuple(nth(contents, -1) for contents in every)))
        return Contents(tuple(items), rest)


def _uneven(run: Interpreter) -> None:
    """Raise what `zip(..., strict=True)` raises where one of its arguments ends before another."""
    raising.throw_python(run, "ValueError", UnknownValue("is the text of an exception"))


def sure(contents: Contents) -> int:
    """Return how many items a sequence surely has, with their places."""
    return next((place for place, item in enumerate(contents.items) if may_be_missing(item)), len(contents.items))


def nth(contents: Contents, place: int) -> Value:
    """Return the item at a place; any one for a place that may hold several, or for -1."""
    if 0 <= place < sure(contents):
        return contents.items[place]
    every = [present(item) for item in contents.items] + ([contents.rest] if contents.rest is not None else [])
    return join(every)


@record(frozen=True, eq=False)
class Mapped(ItemSource):
    """What a function returns for each row of an iterator of rows."""

    function: Value
    rows: Listing
    origin: Origin
    place: int = 0

    def pull(self, run: Interpreter) -> tuple[Value | None, ItemSource]:
        """Call the function with the next row."""
        row = iterators.advance(run, self.rows)
        if row is None:
            return None, self
        return self._called(run, row, self.place), replace(self, place=self.place + 1)

    def rest(self, run: Interpreter) -> Contents:
        """Call the function with what is left."""
        left = iterators.drained(run, self.rows)
        items = [self._called(run, row, place) for place, row in enumerate(left.items, self.place)]
        return Contents(tuple(items), None if left.rest is None else self._called(run, left.rest, None))

    def _called(self, run: Interpreter, row: Value, place: int | None) -> Value:
        missing = may_be_missing(row)
        contents = containers.elements(run, present(row))
        because = None if contents.certain else "the number of arguments is not known"
        given = Arguments(list(contents.items), rest=because)
        with run.step(Step(self.origin, place)):
            result = run.call(self.function, given, run.here or self.origin)
        return join([result, UNBOUND]) if missing else result


@record(frozen=True, eq=False)
class Kept(ItemSource):
    """The items of an iterator for which a test holds (or does not, as `wanted` says).

    `taken` is an item that was taken from it, of which it is not known whether it passes.
    """

    test: Value
    iterator: Listing
    origin: Origin
    wanted: bool = True
    taken: Value | None = None

    def pull(self, run: Interpreter) -> tuple[Value | None, ItemSource]:
        """Take items until one passes the test."""
        if self.taken is not None:
            raise Stuck
        for _ in range(iterators.MOST_PULLED):
            item = iterators.advance(run, self.iterator)
            if item is None:
                return None, self
            answer = self._passes(run, item)
            if answer is None:
                raise Stuck(replace(self, taken=item))
            if answer is self.wanted:
                return item, self
        raise Stuck

    def rest(self, run: Interpreter) -> Contents:
        """Return the items that may pass the test."""
        left = iterators.drained(run, self.iterator)
        answers = [(item, self._passes(run, present(item))) for item in left.items]
        kept = [item if answer is not None else join([item, UNBOUND]) for item, answer in answers]
        passing = [one for one, (_, answer) in zip(kept, answers, strict=True) if answer in (self.wanted, None)]
        first = [] if self.taken is None else [join([self.taken, UNBOUND])]
        return Contents((*first, *passing), left.rest)

    def _passes(self, run: Interpreter, item: Value) -> bool | None:
        nothing = containers.is_nothing(self.test)
        value = item if nothing else run.call(self.test, Arguments([item]), run.here or self.origin)
        return truth(hooks.meant(run, value, self.origin))


@record(frozen=True, eq=False)
class Numbered(ItemSource):
    """The items of an iterator with their numbers."""

    iterator: Listing
    number: int

    def pull(self, run: Interpreter) -> tuple[Value | None, ItemSource]:
        """Return the next number and item."""
        item = iterators.advance(run, self.iterator)
        if item is None:
            return None, self
        return Tuple(Contents((Const(self.number), item))), replace(self, number=self.number + 1)

    def rest(self, run: Interpreter) -> Contents:
        """Return what is left, as far as the numbers are known."""
        left = iterators.drained(run, self.iterator)
        pairs = [
            join([pair, UNBOUND]) if may_be_missing(item) else pair
            for number, item in enumerate(left.items, self.number)
            for pair in [Tuple(Contents((Const(number), present(item))))]
        ]
        unknown = UnknownValue("is the index of an item in a sequence of unknown length")
        return Contents(tuple(pairs), None if left.rest is None else Tuple(Contents((unknown, left.rest))))


@record(frozen=True, eq=False)
class UntilEqual(ItemSource):
    """What a function returns, until it returns a certain value: `iter(function, value)`."""

    function: Value
    last: Value
    origin: Origin

    def pull(self, run: Interpreter) -> tuple[Value | None, ItemSource]:
        """Call the function."""
        value = run.call(self.function, Arguments(), self.origin)
        keys = [containers.key_of(one) for one in (value, self.last)]
        if None in keys:
            raise Stuck
        return (None if keys[0] == keys[1] else value), self
