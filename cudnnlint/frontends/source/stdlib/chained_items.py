"""Iterators of itertools that take items of others: one after another, or all when the first is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.core.frozen import record
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.python import containers, item_sources, iteration, iterators
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_items import ItemSource, Stuck
from cudnnlint.frontends.source.python.plain import Computed
from cudnnlint.frontends.source.python.values import Contents, Listing, Tuple, Value, join, present
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


@record(frozen=True, eq=False)
class Chained(ItemSource):
    """The items of one iterable after another; `current` is the one that is read."""

    rows: Listing
    origin: Origin
    current: Listing | None = None

    def pull(self, run: Interpreter) -> tuple[Value | None, ItemSource]:
        """Take the next item of what is read, or of the first behind it that has one."""
        now = self
        for _ in range(iterators.MOST_PULLED):
            if now.current is None:
                row = iterators.advance(run, self.rows)
                if row is None:
                    return None, now
                now = replace(now, current=iteration.over(run, row, self.origin))
            try:
                item = iterators.advance(run, now.current) if now.current is not None else None
            except Stuck:
                raise Stuck(now) from None
            if item is not None:
                return item, now
            now = replace(now, current=None)
        raise Stuck(now)

    def rest(self, run: Interpreter) -> Contents:
        """Return what is left of all, up to where it is not known how much it is."""
        found = Contents(()) if self.current is None else iterators.drained(run, self.current)
        rows = iterators.drained(run, self.rows)
        for row in (*rows.items, *([] if rows.rest is None else [rows.rest])):
            items = containers.elements(run, present(row))
            if found.rest is None and row is not rows.rest:
                found = Contents((*found.items, *items.items), items.rest)
            else:
                every = [*([] if found.rest is None else [found.rest]), *map(present, items.items)]
                every += [] if items.rest is None else [items.rest]
                found = Contents(found.items, join(every) if every else found.rest)
        return found


@record(frozen=True, eq=False)
class Postponed(ItemSource):
    """What a function computes from its arguments when the first item is asked for."""

    compute: Computed
    arguments: Arguments
    origin: Origin

    def pull(self, run: Interpreter) -> tuple[Value | None, ItemSource]:
        """Compute, and take the first item."""
        made = self.compute(run, self.arguments, self.origin)
        if made is None or not iterators.is_iterator(made):
            raise Stuck
        first = Chained(containers.new_list(run, (), None, "iterator"), self.origin, made)
        return first.pull(run)


def chain(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `itertools.chain(*sequences)`."""
    if arguments.rest:
        return None
    rows = iterators.new(run, iterators.Over(Tuple(Contents(tuple(arguments.positional)))))
    return iterators.new(run, Chained(rows, origin))


def chain_of(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `itertools.chain.from_iterable(rows)`."""
    rows = arguments.get(0, "iterable")
    return None if rows is None else iterators.new(run, Chained(iteration.over(run, rows, origin), origin))


def starmap(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `itertools.starmap(function, rows)`."""
    if len(arguments.positional) != 2:
        return None
    function, rows = arguments.positional
    return iterators.new(run, item_sources.Mapped(function, iteration.over(run, rows, origin), origin))


def postponed(compute: Computed) -> Computed:
    """Return a handler for a function that begins to take items when it is asked for one."""

    def handler(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        return iterators.new(run, Postponed(compute, arguments, origin))

    return handler
