"""Values that a test is run with: `pytest.mark.parametrize`, and `parameterized` of absl and of the package so named.

A test is run once for each row of values; here its parameters are one of the values that stand in their column.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.plain import Computed
from cudnnlint.frontends.source.python.signatures import GIVEN, positional
from cudnnlint.frontends.source.python.values import (
    Const,
    Function,
    Instance,
    Library,
    Listing,
    Mapping,
    Tuple,
    UnknownValue,
    Value,
    join,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

_PARAM = "pytest.param"
_VALUES = "·values"
_ROWS = ("absl.testing.parameterized.parameters", "parameterized.parameterized.expand", "parameterized.expand")
_NAMED = "absl.testing.parameterized.named_parameters"


def decorate(run: Interpreter, function: Function, name: str, arguments: Arguments) -> None:
    """Note the values that a decorator runs a test with."""
    if name == "pytest.mark.parametrize":
        names, rows = _names(run, arguments.get(0, "argnames")), _items(run, arguments.get(1, "argvalues"))
        _note(run, function, names, [_row(run, row, len(names)) for row in rows or ()])
    elif name in _ROWS or name == _NAMED:
        rows = _items(run, arguments.positional[0]) if len(arguments.positional) == 1 else None
        names = [one for one in positional(function) if one != "self"]
        skipped = 1 if name == _NAMED else 0
        columns = len(names) + skipped
        found = [_row(run, row, columns) for row in rows or arguments.positional]
        _note(run, function, ["", *names] if skipped else names, found)


def _names(run: Interpreter, given: Value | None) -> list[str]:
    if isinstance(given, Const) and isinstance(given.value, str):
        return [name.strip() for name in given.value.split(",") if name.strip()]
    return [str(one.value) for one in _items(run, given) or () if isinstance(one, Const)]


def _items(run: Interpreter, value: Value | None) -> Sequence[Value] | None:
    contents = containers.elements(run, value) if isinstance(value, (Listing, Tuple)) else None
    return contents.items if contents is not None and contents.certain else None


def _row(run: Interpreter, row: Value, columns: int) -> Sequence[Value] | Mapping | None:
    """Return the values of one run, in their order or by their names; None where they are not known."""
    if isinstance(row, Instance) and row.table.get(_VALUES) is not None:
        return _items(run, row.table.get(_VALUES))
    if isinstance(row, Mapping):
        return row
    return [row] if columns == 1 else _items(run, row)


def _note(
    run: Interpreter, function: Function, names: Sequence[str], rows: Iterable[Sequence[Value] | Mapping | None]
) -> None:
    every = list(rows)
    for place, name in enumerate(names):
        found = [_at(row, place, name) for row in every]
        known = [one for one in found if one is not None]
        if known and len(known) == len(found) and name:
            because = f"parameter `{name}` of {function.name}() is another one in each run"
            run.journal.write(run.attached(function), f"{GIVEN}{name}", join(known, because))


def _at(row: Sequence[Value] | Mapping | None, place: int, name: str) -> Value | None:
    if isinstance(row, Mapping):
        found = containers.get_key(row, Const(name))
        return found if isinstance(found, Value) and not isinstance(found, UnknownValue) else None
    return row[place] if row is not None and place < len(row) else None


def _param(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `pytest.param(1, 2, id="a")`."""
    made = Instance(Library(_PARAM), run.journal.table(), at=origin)
    run.journal.write(made.table, _VALUES, containers.new_list(run, arguments.positional))
    return None if arguments.rest else made


def table() -> dict[str, Computed]:
    """Return the functions by their dotted names."""
    return {_PARAM: _param}
