"""Built-in functions over iterables: map, filter, zip, enumerate, iter, next, any, all; they take items one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import (
    classes,
    containers,
    generators,
    hooks,
    item_sources,
    iterators,
    raising,
    slices,
)
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_items import Stuck
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    ITEMS,
    NONE,
    STATE,
    UNBOUND,
    Class,
    Const,
    Contents,
    Instance,
    Listing,
    Mapping,
    Tuple,
    UnknownValue,
    Value,
    assumption,
    join,
    may_be_missing,
    present,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

Builtin = Callable[["Interpreter", Arguments, Origin], "Value | None"]


def over(run: Interpreter, value: Value, origin: Origin) -> Listing:
    """Return `iter(value)`."""
    found = iterators.over(run, value, origin)
    if found is not None:
        return found
    contents = containers.elements(run, value)
    return containers.new_list(run, contents.items, contents.rest, "iterator")


def _reversed(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    given = arguments.positional[0] if arguments.positional else NONE
    if classes.kind_of(given) is not None and not isinstance(given, Mapping):
        own = classes.operator(run, given, "__reversed__", [], origin)
        return own if own is not None or not isinstance(given, Tuple) else _backwards(run, given)
    return _backwards(run, given)


def _backwards(run: Interpreter, given: Value) -> Value:
    contents = containers.elements(run, given)
    return containers.new_list(run, contents.items[::-1], contents.rest, "iterator")


def _zip(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    if arguments.rest:
        return None
    read, strict = (over(run, value, origin) for value in arguments.positional), arguments.keywords.get("strict")
    return iterators.new(run, item_sources.Zipped(tuple(read), strict is not None and truth(strict) is True))


def _map(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    if not arguments.positional or arguments.rest:
        return None
    function, *sequences = arguments.positional
    rows = iterators.new(run, item_sources.Zipped(tuple(over(run, value, origin) for value in sequences)))
    return iterators.new(run, item_sources.Mapped(function, rows, origin))


def _filter(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    if len(arguments.positional) != 2:
        return None
    function, sequence = arguments.positional
    return iterators.new(run, item_sources.Kept(function, over(run, sequence, origin), origin))


def _enumerate(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    given, first = arguments.get(0, "iterable"), arguments.get(1, "start") or Const(0)
    if given is None or not isinstance(first, Const) or not isinstance(first.value, int):
        return None
    return iterators.new(run, item_sources.Numbered(over(run, given, origin), first.value))


def _iter(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    if len(arguments.positional) == 2:
        return iterators.new(run, item_sources.UntilEqual(arguments.positional[0], arguments.positional[1], origin))
    return over(run, arguments.positional[0], origin) if arguments.positional else None


def _next(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `next(iterator, default)`."""
    if not arguments.positional:
        return None
    default = arguments.get(1, "default")
    source = arguments.positional[0]
    iterator = source if iterators.is_iterator(source) else _asked(run, source, origin)
    if iterator is None:
        return None
    return next_of(run, iterator, default)


def _asked(run: Interpreter, value: Value, origin: Origin) -> Listing | None:
    """Return an object with `__next__` as an iterator; None for anything else."""
    if isinstance(value, Instance) and (isinstance(value.kind, Class) or value.table.get(STATE) is not None):
        return iterators.new(run, iterators.OfObject(value, origin))
    return None


def next_of(
    run: Interpreter,
    iterator: Listing,
    default: Value | None = None,
    take: Callable[[Interpreter, Listing], Value | None] = iterators.advance,
) -> Value:
    """Return the next item; at the end the default, or StopIteration is raised, with what a generator returns."""
    ran = generators.runs(iterator)
    try:
        item = take(run, iterator)
    except Stuck:
        left = _left(run, iterator)
        iterators.finish(run, iterator)
        every = [*map(present, left.items), *([] if left.rest is None else [left.rest])]
        run.journal.write(iterator.table, ITEMS, containers.unordered(left) if every else Contents(()))
        sure = bool(left.items) and not may_be_missing(left.items[0])
        return join([*every, *([default] if default is not None and not sure else [])]) if every else default or UNBOUND
    if item is None and default is None:
        result = generators.returned(iterator) if ran else NONE
        raising.throw_python(run, "StopIteration", *([] if containers.is_nothing(result) else [result]))
        return UnknownValue("is the next item of an iterator that has no more")
    return (default or NONE) if item is None else item


def _left(run: Interpreter, iterator: Listing) -> Contents:
    """Return what is left of an iterator where the next item is not known, nor how far that reads what is behind it."""
    found: list[Contents] = []

    def read() -> bool:
        found.append(iterators.remaining(run, iterator))
        return True

    run.journal.fork([read, lambda: True], "it depends on how far an iterator was read")
    return found[0]


def _any_all(wanted: bool) -> Builtin:
    """Return a handler for any() (`wanted`) or all(): items are taken until one decides."""

    def compute(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        if not arguments.positional:
            return None
        iterator, seen = over(run, arguments.positional[0], origin), list[Value]()
        try:
            while len(seen) < iterators.MOST_PULLED:
                item = iterators.advance(run, iterator)
                answer = None if item is None else truth(hooks.meant(run, item, origin))
                if item is None:
                    return Const(not wanted, assumed=assumption(*seen))
                seen.append(item)
                if answer is wanted:
                    return Const(wanted, assumed=assumption(*seen))
                if answer is None:
                    break
        except Stuck:
            pass
        left = iterators.drained(run, iterator)
        known = any(truth(one) is wanted for one in left.items if not may_be_missing(one))
        return Const(wanted, assumed=assumption(*seen, *left.items)) if known else None

    return compute


def table() -> dict[str, Builtin]:
    """Return the functions by their names."""
    return {
        "reversed": _reversed,
        "zip": _zip,
        "map": _map,
        "filter": _filter,
        "enumerate": _enumerate,
        "iter": _iter,
        "next": _next,
        "slice": slices.made,
        "any": _any_all(True),
        "all": _any_all(False),
    }
