"""What dataclasses and named tuples have by themselves: equality, order, text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python import classes, comparisons, conversions, plain
from cudnnlint.frontends.source.python.values import (
    Class,
    Const,
    Instance,
    Library,
    Tuple,
    Value,
    may_be_missing,
    options,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

DATACLASS = "dataclasses.dataclass"
_ORDER = {
    cst.LessThan: "__lt__",
    cst.LessThanEqual: "__le__",
    cst.GreaterThan: "__gt__",
    cst.GreaterThanEqual: "__ge__",
}


def _made_by(kind: Class, method: str, flag: str, by_default: bool) -> Class | None:
    """Return the dataclass from which a class has a method that no one has written; None where it has none."""
    for entry in classes.lineage(kind):
        if not isinstance(entry, Class) or method in entry.table.cells:
            return None
        if DATACLASS in entry.marks:
            wanted = f"·{flag}" in entry.marks or (by_default and f"·no {flag}" not in entry.marks)
            return entry if wanted and f"·perhaps {flag}" not in entry.marks else None
    return None


def _cells(value: Instance, owner: Class, flag: str) -> list[tuple[str, Value]] | None:
    """Return the fields of an object that take part; None where one of them is not known."""
    found: list[tuple[str, Value]] = []
    for name in classes.instance_fields(owner):
        if not _takes_part(owner, name, flag):
            continue
        cell = value.table.get(name)
        if cell is None or may_be_missing(cell) or len(options(cell)) > 1:
            return None
        found.append((name, cell))
    return found


def _takes_part(owner: Class, name: str, flag: str) -> bool:
    """Return whether a field is compared or shown: `field(compare=False)`, `field(repr=False)`."""
    written = classes.search(owner, name)
    value = written[0] if written is not None else None
    said = value.table.get(flag) if isinstance(value, Instance) and isinstance(value.kind, Library) else None
    return not (isinstance(said, Const) and not said.value)


def compare(run: Interpreter, how: cst.BaseCompOp, left: Value, right: Value, origin: Origin) -> bool | None:
    """Return the result of comparing two objects of one dataclass; None for anything else, or where it is not known."""
    if not isinstance(left, Instance) or not isinstance(right, Instance) or not isinstance(left.kind, Class):
        return None
    same = isinstance(right.kind, Class) and right.kind.table is left.kind.table
    if not isinstance(how, (cst.Equal, cst.NotEqual, *_ORDER)) or not same:
        return None
    equality = isinstance(how, (cst.Equal, cst.NotEqual))
    owner = _made_by(left.kind, _ORDER.get(type(how), "__eq__"), "eq" if equality else "order", equality)
    ours = None if owner is None else _cells(left, owner, "compare")
    theirs = None if owner is None else _cells(right, owner, "compare")
    if ours is None or theirs is None:
        return None
    for (_, one), (_, other) in zip(ours, theirs, strict=True):
        equal = comparisons.answer(run, cst.Equal(), one, other, origin)
        if equal is None:
            return None
        if not equal:
            return isinstance(how, cst.NotEqual) if equality else comparisons.answer(run, how, one, other, origin)
    return isinstance(how, (cst.Equal, cst.LessThanEqual, cst.GreaterThanEqual))


def text(run: Interpreter, value: Value, how: str, origin: Origin) -> Value | None:
    """Return the text of a dataclass, a named tuple or a member of an enumeration; None where it is not known."""
    if isinstance(value, Tuple) and value.fields and value.kind is not None:
        found = classes.search(value.kind, "__str__" if how != "repr" else "__repr__")
        own = found is not None and found[0] is not found[1]
        cells = list(zip(value.fields, value.contents.items, strict=False))
        return None if own else _shown(run, value.kind.name, cells, origin)
    if not isinstance(value, Instance) or not isinstance(value.kind, Class):
        return None
    owner = _made_by(value.kind, "__repr__", "repr", True)
    shown = None if owner is None else _cells(value, owner, "repr")
    if shown is None or not classes.is_top(value.kind):
        return None
    return _shown(run, value.kind.name, shown, origin)


def _shown(run: Interpreter, name: str, cells: list[tuple[str, Value]], origin: Origin) -> Const | None:
    parts: list[str] = []
    for field, cell in cells:
        shown = conversions.text_of(run, cell, "repr", origin)
        if shown is cell:
            try:
                known = plain.plain(run, cell)
            except plain.NotPlain:
                return None
            if not plain.has_one_text(known) or conversions.holds_objects(run, cell):
                return None
            shown = Const(repr(known))
        if not isinstance(shown, Const):
            return None
        parts.append(f"{field}={shown.value}")
    return Const(f"{name}({', '.join(parts)})")
