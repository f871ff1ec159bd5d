"""Views of a dict, from `keys()`, `values()` and `items()`: they show the dict as it is when they are read."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from cudnnlint.core.frozen import record
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import (
    ANY,
    OTHER,
    UNBOUND,
    Contents,
    Instance,
    Library,
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


@record(frozen=True, eq=False)
class View(Tuple):
    """A view of a dict: its `part` is "keys", "values" or "items", its `contents` what was there when it was made.

    A range whose numbers are not known has no dict, and the part "range".
    """

    of: Mapping | None = None
    part: str = "keys"

    @property
    def kind_in_python(self) -> type:
        """Return the class of such views."""
        return range if self.part == "range" else type(getattr({}, self.part)())


def made(run: Interpreter, mapping: Value, part: str, arguments: Arguments, origin: Origin) -> Value:
    """Return `mapping.keys()` and the like."""
    assert isinstance(mapping, Mapping)
    return View(contents_of(run, mapping, part), of=mapping, part=part)


def numbers(why: str) -> View:
    """Return a range whose numbers are not known."""
    return View(Contents((), UnknownValue(why)), part="range")


def shown(run: Interpreter, value: Tuple) -> Contents:
    """Return what a tuple holds, or a view shows now."""
    of = value.of if isinstance(value, View) else None
    return contents_of(run, of, value.part) if of is not None and isinstance(value, View) else value.contents


def contents_of(run: Interpreter, mapping: Mapping, part: str) -> Contents:
    """Return the keys, values or entries of a dict."""
    if part == "keys":
        return containers.elements(run, mapping)
    anything = mapping.table.get(ANY) or mapping.table.get(OTHER)
    cells = [(key, cell) for key, cell in mapping.table.items() if not is_hidden(key)]
    if part == "values":
        return Contents(tuple(cell for _, cell in cells), anything)
    pairs = tuple(
        join([pair, UNBOUND]) if may_be_missing(cell) else pair
        for key, cell in cells
        for pair in [Tuple(Contents((containers.key_value(key), present(cell))))]
    )
    rest = None if anything is None else Tuple(Contents((UnknownValue("is a dict key that is not known"), anything)))
    return Contents(pairs, rest)


def is_hidden(key: Hashable) -> bool:
    """Return whether a cell of a table is none of its entries, but says something of all of them."""
    return isinstance(key, str) and key.startswith("·")


def of_python(view: View, items: list[Any]) -> Any:
    """Return a view of these items as Python's own."""
    if view.part == "keys":
        return dict.fromkeys(items).keys()
    return dict(items).items() if view.part == "items" else dict(enumerate(items)).values()


def kind_of(value: Value) -> str:
    """Return the class of `collections` that a dict is an object of, by its name; empty for any other."""
    kind = value.body.kind if isinstance(value, Mapping) and value.body is not None else None
    return kind.name if isinstance(kind, Library) else ""


def like(run: Interpreter, made: Mapping, value: Value) -> Mapping:
    """Return a new dict as one of the class of `collections` that another one is an object of."""
    body = value.body if isinstance(value, Mapping) else None
    if body is None or kind_of(value) not in ("collections.OrderedDict", "collections.defaultdict"):
        return made
    kept = Instance(body.kind, run.journal.table(), at=body.at)
    for name, cell in body.table.items():
        run.journal.write(kept.table, name, cell)
    return replace(made, body=kept)


def is_ordered(value: Value) -> bool:
    """Return whether a dict is an OrderedDict, two of which are equal only in the same order."""
    return kind_of(value) == "collections.OrderedDict"


def same_order(left: Value, right: Value) -> bool:
    """Return whether the entries of two dicts are in the same order, or their order does not matter."""
    if not isinstance(left, Mapping) or not isinstance(right, Mapping) or not all(map(is_ordered, (left, right))):
        return True
    return [key for key, _ in left.table.items()] == [key for key, _ in right.table.items()]


def is_like_set(value: Value) -> bool:
    """Return whether a value is compared and combined as a set is."""
    return is_set(value) or (isinstance(value, View) and value.part in ("keys", "items"))


def is_set(value: Value) -> bool:
    """Return whether a value is a set or frozenset."""
    return isinstance(value, Listing) and value.kind in ("set", "frozenset")
