"""itertools, functools, heapq and bisect, on sequences of any values."""

from __future__ import annotations

import bisect
import heapq
import itertools
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from cudnnlint.frontends.source.python import containers, item_sources, plain
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.call_path import Step
from cudnnlint.frontends.source.python.plain import Computed, NotPlain
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    NONE,
    UNBOUND,
    Const,
    Contents,
    Library,
    Tuple,
    Value,
    join,
)
from cudnnlint.frontends.source.stdlib import chained_items, in_place
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def _known(run: Interpreter, value: Value | None) -> tuple[Value, ...] | None:
    """Return the items of a sequence, if it is known how many there are; None otherwise."""
    contents = None if value is None else containers.elements(run, value)
    return contents.items if contents is not None and contents.certain else None


def _rows(compute: Callable[..., Iterable[Any]]) -> Computed:
    """Return a handler for a function of itertools, computed on the items of known sequences."""

    def rows(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        if arguments.rest or arguments.open:
            return None
        try:
            given = [_sequence(run, value) for value in arguments.positional]
            named = {name: _number(value) for name, value in arguments.keywords.items()}
            made = plain.attempt(lambda: list(itertools.islice(compute(*given, **named), containers.MOST_KEPT + 1)))
        except NotPlain as error:
            return plain.unknown_of(error.value, origin)
        if len(made) > containers.MOST_KEPT:
            return None
        found = [Tuple(Contents(tuple(row))) if isinstance(row, tuple) else row for row in made]
        return containers.new_list(run, found, None, "iterator")

    return rows


def _number(value: Value) -> Any:
    """Return a number among the arguments (how many, from where) as Python's own; any other value as it is."""
    plainly = isinstance(value, Const) and (value.value is None or isinstance(value.value, int))
    return value.value if plainly and isinstance(value, Const) else value


def _sequence(run: Interpreter, value: Value) -> Any:
    if _number(value) is not value:
        return _number(value)
    items = _known(run, value)
    if items is None:
        raise NotPlain(containers.elements(run, value).rest or value)
    return items


def _longest(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `itertools.zip_longest(*sequences, fillvalue=None)`."""
    if arguments.rest or arguments.open:
        return None
    fill = arguments.keywords.get("fillvalue", NONE)
    every = [containers.elements(run, value) for value in arguments.positional]
    certain = max(map(item_sources.sure, every), default=0)

    def row(place: int) -> Tuple:
        return Tuple(Contents(tuple(_or_filled(contents, place, fill) for contents in every)))

    rows = [row(place) for place in range(max((len(contents.items) for contents in every), default=0))]
    items = [one if place < certain else join([one, UNBOUND]) for place, one in enumerate(rows)]
    is_open = any(contents.rest is not None for contents in every)
    return containers.new_list(run, items, row(-1) if is_open else None, "iterator")


def _or_filled(contents: Contents, place: int, fill: Value) -> Value:
    """Return the item at a place (any for -1), or what fills it up where it may not be there."""
    if 0 <= place < item_sources.sure(contents):
        return contents.items[place]
    there = place < len(contents.items) or contents.rest is not None
    return join([item_sources.nth(contents, place), fill]) if there and (contents.items or contents.rest) else fill


def _group(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `itertools.groupby(items, key)`, where the keys are known."""
    items, by = _known(run, arguments.get(0, "iterable")), arguments.get(1, "key") or NONE
    if items is None or len(items) > containers.MOST_ROUNDS:
        return None
    keys = [item if containers.is_nothing(by) else run.call(by, Arguments([item]), origin) for item in items]
    known = [containers.key_of(key) for key in keys]
    if None in known:
        return None
    groups: list[Value] = []
    for _, places in itertools.groupby(range(len(items)), lambda place: known[place]):
        several = list(places)
        group = containers.new_list(run, [items[place] for place in several], None, "iterator")
        groups.append(Tuple(Contents((keys[several[0]], group))))
    return containers.new_list(run, groups, None, "iterator")


def _compress(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `itertools.compress(items, selectors)`, where it is known which are selected."""
    items, selectors = _known(run, arguments.get(0, "data")), _known(run, arguments.get(1, "selectors"))
    if items is None or selectors is None:
        return None
    taken = [truth(one) for one in selectors]
    kept = [item for item, one in zip(items, taken, strict=False) if one]
    return None if None in taken else containers.new_list(run, kept, None, "iterator")


def _accumulate(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `itertools.accumulate(items, function)`."""
    items, function = _known(run, arguments.get(0, "iterable")), arguments.get(1, "func") or Library("operator.add")
    if items is None or len(items) > containers.MOST_ROUNDS:
        return None
    first = arguments.keywords.get("initial", NONE)
    waiting = [*([] if containers.is_nothing(first) else [first]), *items]
    sums = waiting[:1]
    for place, item in enumerate(waiting[1:]):
        with run.step(Step(origin, place)):
            sums.append(run.call(function, Arguments([sums[-1], item]), origin))
    return containers.new_list(run, sums, None, "iterator")


def _reduce(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `functools.reduce(function, items, first)`."""
    items = _known(run, arguments.get(1, "sequence"))
    if items is None or not arguments.positional:
        return None
    waiting = [*arguments.positional[2:3], *items]
    if not waiting:
        return None
    value = waiting[0]
    for place, entry in enumerate(waiting[1:]):
        with run.step(Step(origin, place)):
            value = run.call(arguments.positional[0], Arguments([value, entry]), origin)
    return value


def table() -> dict[str, Computed]:
    """Return the functions by their dotted names."""
    rows = {name: _rows(getattr(itertools, name)) for name in ("combinations", "permutations", "product")}
    rows |= {name: _rows(getattr(itertools, name)) for name in ("combinations_with_replacement",)}
    found = {f"itertools.{name}": function for name, function in rows.items()}
    found |= {f"bisect.{name}": plain.pure(getattr(bisect, name)) for name in ("bisect", "bisect_left", "bisect_right")}
    found |= {f"heapq.{name}": plain.pure(getattr(heapq, name)) for name in ("nlargest", "nsmallest")}
    for name in ("heapify", "heappush", "heappop", "heappushpop", "heapreplace"):
        found[f"heapq.{name}"] = in_place.changing(getattr(heapq, name))
    for name in ("insort", "insort_left", "insort_right"):
        found[f"bisect.{name}"] = in_place.changing(getattr(bisect, name))
    return found | {
        "itertools.zip_longest": chained_items.postponed(_longest),
        "itertools.pairwise": chained_items.postponed(_rows(itertools.pairwise)),
        "itertools.chain": chained_items.chain,
        "itertools.chain.from_iterable": chained_items.chain_of,
        "itertools.starmap": chained_items.starmap,
        "itertools.groupby": chained_items.postponed(_group),
        "itertools.compress": chained_items.postponed(_compress),
        "itertools.accumulate": chained_items.postponed(_accumulate),
        "functools.reduce": _reduce,
    }
