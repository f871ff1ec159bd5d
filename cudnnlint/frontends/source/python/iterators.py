"""Iterators: what is computed only when it is asked for, item by item.

An iterator is a Listing of the kind "iterator" whose cell SOURCE says where the next item comes from. That is
immutable, so that branches can undo and join it like any other value. Where an item cannot be told by itself (it
depends on a branch that is not decided), Stuck is raised, and what remains is computed at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from cudnnlint.core.frozen import record
from cudnnlint.frontends.source.python import classes, containers, raising
from cudnnlint.frontends.source.python.lazy_items import SOURCE, ItemSource, Stuck
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.values import (
    ITEMS,
    UNBOUND,
    Class,
    Const,
    Contents,
    Either,
    Function,
    Instance,
    Listing,
    Mapping,
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

#: Items that are taken from one iterator to get all of them; one that gives more may never end.
MOST_PULLED = 512


@record(frozen=True, eq=False)
class Over(ItemSource):
    """The items of a sequence from a place on, as it is when they are asked for."""

    sequence: Value
    place: int = 0

    def pull(self, run: Interpreter) -> tuple[Value | None, ItemSource]:
        """Return the item at the place."""
        contents = containers.elements(run, self.sequence)
        head = contents.items[: self.place + 1]
        if len(head) > self.place and not any(map(may_be_missing, head)):
            return head[self.place], Over(self.sequence, self.place + 1)
        if contents.certain:
            return None, self
        raise Stuck

    def rest(self, run: Interpreter) -> Contents:
        """Return the items from the place on."""
        contents = containers.elements(run, self.sequence)
        if not any(map(may_be_missing, contents.items[: self.place])):
            return Contents(contents.items[self.place :], contents.rest)
        return containers.unordered(contents)


def new(run: Interpreter, source: ItemSource) -> Listing:
    """Return a new iterator."""
    table = run.journal.table()
    run.journal.write(table, SOURCE, source)
    return Listing(table, "iterator")


def is_iterator(value: Value) -> TypeGuard[Listing]:
    """Return whether a value is an iterator that is followed."""
    return isinstance(value, Listing) and value.kind == "iterator"


def over(run: Interpreter, value: Value, origin: Origin) -> Listing | None:
    """Return `iter(value)`; None where nothing is known of it."""
    if is_iterator(value):
        return value
    if isinstance(value, (Instance, Mapping, Class)):
        own = of_object(run, value, origin)
        if own is not None:
            return own
    return None if isinstance(value, Either) else new(run, Over(value))


def check_iterable(run: Interpreter, value: Value) -> None:
    """Raise what a loop over a number or None raises."""
    if isinstance(value, Const) and isinstance(value.value, (int, float, complex, type(None))):
        raising.throw_python(run, "TypeError", Const("object is not iterable"))


def of_object(run: Interpreter, value: Value, origin: Origin) -> Listing | None:
    """Return the iterator that an object's class gives by `__iter__`; None where it gives none."""
    made = classes.operator(run, value, "__iter__", [], origin)
    if made is None:
        kind = classes.kind_of(value)
        indexed = isinstance(kind, Class) and _defines(kind, "__getitem__") and not isinstance(value, Mapping)
        return new(run, ByNumber(value, origin)) if indexed else None
    if isinstance(made, Listing):
        return made if made.kind == "iterator" else new(run, Over(made))
    if isinstance(made, (Tuple, Mapping)) and made is not value:
        return new(run, Over(made))
    if isinstance(made, Instance):
        return new(run, OfObject(made, origin))
    return new(run, Over(made))


def _defines(kind: Class, name: str) -> bool:
    found = classes.search(kind, name)
    return found is not None and isinstance(found[0], Function)


@record(frozen=True, eq=False)
class OfObject(ItemSource):
    """The items that an object gives by `__next__`."""

    owner: Instance
    origin: Origin

    def pull(self, run: Interpreter) -> tuple[Value | None, ItemSource]:
        """Call `__next__`."""
        item, stopped = run.caught(
            lambda: classes.operator(run, self.owner, "__next__", [], self.origin), ("StopIteration",)
        )
        if stopped:
            return None, self
        if item is None:
            raise Stuck
        return item, self


@record(frozen=True, eq=False)
class ByNumber(ItemSource):
    """The items that an object gives by `__getitem__`, from 0 on."""

    owner: Value
    origin: Origin
    place: int = 0

    def pull(self, run: Interpreter) -> tuple[Value | None, ItemSource]:
        """Call `__getitem__` with the next number."""
        item, stopped = run.caught(
            lambda: classes.operator(run, self.owner, "__getitem__", [Const(self.place)], self.origin),
            ("IndexError", "LookupError"),
        )
        if stopped:
            return None, self
        if item is None:
            raise Stuck
        return item, ByNumber(self.owner, self.origin, self.place + 1)


def advance(run: Interpreter, iterator: Listing) -> Value | None:
    """Return the next item of an iterator and go on to the one behind it; None at its end; raise Stuck."""
    source, here = iterator.table.get(SOURCE), run.here
    if isinstance(source, ItemSource):
        try:
            item, behind = source.pull(run)
        except Stuck as stuck:
            if stuck.source is not None:
                run.journal.write(iterator.table, SOURCE, stuck.source)
            raise
        finally:
            run.here = here
        run.journal.write(iterator.table, SOURCE, behind)
        return item
    if source is not None:
        raise Stuck
    contents = containers.contents_of(iterator)
    if contents.items and not may_be_missing(contents.items[0]):
        run.journal.write(iterator.table, ITEMS, Contents(contents.items[1:], contents.rest))
        return contents.items[0]
    if contents.certain:
        return None
    raise Stuck


def drained(run: Interpreter, iterator: Listing, one_by_one: int = MOST_PULLED) -> Contents:
    """Return everything that is left in an iterator, which is then at its end.

    What is behind the first items, which are asked for `one_by_one`, is run as a whole.
    """
    found: list[Value] = []
    try:
        while len(found) < MOST_PULLED:
            if len(found) == one_by_one:
                raise Stuck
            item = advance(run, iterator)
            if item is None:
                return Contents(tuple(found))
            found.append(item)
        because = UnknownValue("is an item of an iterator that is too long to follow")
        return containers.unordered(Contents(tuple(found)), because)
    except Stuck:
        left = remaining(run, iterator)
        return containers.bounded((*found, *left.items), left.rest)
    finally:
        finish(run, iterator)


def remaining(run: Interpreter, iterator: Listing) -> Contents:
    """Return what is left where no single item can be told."""
    source = iterator.table.get(SOURCE)
    if isinstance(source, ItemSource):
        return source.rest(run)
    if isinstance(source, Either):
        every = [one.rest(run) for one in source.options if isinstance(one, ItemSource)]
        items = [present(item) for one in every for item in (*one.items, *([] if one.rest is None else [one.rest]))]
        unknown = UnknownValue("is an item of an iterator of which it is not known how far it was read")
        return Contents((), join([*items, unknown]))
    contents = containers.contents_of(iterator)
    finish(run, iterator)
    return contents


def finish(run: Interpreter, iterator: Listing) -> None:
    """Leave an iterator at its end."""
    run.journal.write(iterator.table, SOURCE, UNBOUND)
    run.journal.write(iterator.table, ITEMS, Contents(()))


#: Items that code which is not followed is taken to read one by one: what generates data never ends.
_READ_UNSEEN = 16


def unsure(run: Interpreter, iterator: Listing, origin: Origin) -> None:
    """Note that an iterator may have been read by code that is not followed, to its end or not."""

    def read() -> bool:
        drained(run, iterator, _READ_UNSEEN)
        return True

    why = Sentence("may have been read by `", origin, "`")
    run.journal.fork([read, lambda: True], why)
