"""Small arrays of numpy with one dimension: numbers that are known, as they are now.

An array is an object whose cell STATE holds a Row. What is not followed makes the state unknown: also a method that may
hand on a view, through which the array could be changed later.
"""

from __future__ import annotations

import operator as operators
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.python import containers, iterators, plain
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.plain import Computed, NotPlain
from cudnnlint.frontends.source.python.values import (
    NONE,
    STATE,
    Bound,
    Const,
    Contents,
    Instance,
    Library,
    Listing,
    Tuple,
    UnknownValue,
    Value,
)
from cudnnlint.frontends.source.stdlib import array_shapes, numbers, row_functions
from cudnnlint.frontends.source.stdlib.numbers import NumpyInteger
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

ARRAY = array_shapes.ARRAY
Row = tuple[int | float, ...]

_OF_ALL: dict[str, Callable[[Row], Any]] = {
    "max": max,
    "min": min,
    "sum": sum,
    "argmax": lambda row: row.index(max(row)),
    "argmin": lambda row: row.index(min(row)),
}
_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "__add__": operators.add,
    "__radd__": lambda left, right: right + left,
    "__sub__": operators.sub,
    "__rsub__": lambda left, right: right - left,
    "__mul__": operators.mul,
    "__rmul__": lambda left, right: right * left,
    "__truediv__": operators.truediv,
    "__floordiv__": operators.floordiv,
}


#: What is asked of each number by itself, and of an array as a whole only where it has one.
_UNDECIDED = frozenset({"__bool__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__contains__"})


def made(run: Interpreter, row: Sequence[Any], origin: Origin) -> Value:
    """Return a new array; as in numpy, all its numbers are whole or none is."""
    if len(row) > row_functions.MOST or not all(type(one) in (int, float, NumpyInteger) for one in row):
        raise NotPlain(plain.TOO_LARGE)
    whole = all(isinstance(one, int) for one in row)
    if whole and any(abs(one) >= 1 << 31 for one in row):
        raise NotPlain(plain.TOO_LARGE)
    array = Instance(Library(ARRAY), run.journal.table(), at=origin)
    kept: Row = tuple(int(one) for one in row) if whole and row else tuple(float(one) for one in row)
    run.journal.write(array.table, STATE, Const(kept))
    return array


def row_of(value: Value) -> Row | None:
    """Return the numbers of an array; None for anything else, or where they are not known."""
    if not is_array(value) or not isinstance(value, Instance):
        return None
    state = value.table.get(STATE)
    return state.value if isinstance(state, Const) else None


def is_array(value: Value) -> bool:
    """Return whether a value is an array."""
    return isinstance(value, Instance) and isinstance(value.kind, Library) and value.kind.name == ARRAY


def forget(run: Interpreter, values: Sequence[Value], origin: Origin) -> None:
    """Note that something that is not followed got arrays: it may change them, now or through a view."""
    for value in values:
        if is_array(value) and isinstance(value, Instance):
            why = Sentence("may have been changed by `", origin, "`, which is not followed")
            run.journal.write(value.table, STATE, UnknownValue(why))


def as_rows(name: str, arguments: Arguments) -> Arguments:
    """Return the arguments of a function that makes one number of an array, with arrays as tuples."""
    if name.removeprefix("numpy.") not in numbers.OF_ALL:
        return arguments
    rows = [(value, row_of(value)) for value in arguments.positional]
    given = [value if row is None else Tuple(Contents(tuple(map(Const, row)))) for value, row in rows]
    return replace(arguments, positional=given)


def _number(value: int | float) -> Const:
    return Const(NumpyInteger(value) if isinstance(value, int) else value)


def attribute(value: Value, name: str) -> Value | None:
    """Return `array.size`, `array.shape`, `array.ndim`; None for any other attribute."""
    row = row_of(value)
    if row is None:
        return array_shapes.attribute(value, name)
    return array_shapes.of_shape(Tuple(Contents((Const(len(row)),))), name)


def operator(run: Interpreter, value: Value, name: str, given: list[Value], origin: Origin) -> Value | None:
    """Return the result of an operator on an array; None for anything else."""
    if not is_array(value) or not isinstance(value, Instance):
        return None
    row = row_of(value)
    if row is None or name in _UNDECIDED:
        return UnknownValue(Sentence("`", origin, "` is an array of which not all is known"), None, "none")
    if name == "__len__":
        return Const(len(row))
    if name == "__iter__":
        return iterators.new(run, iterators.Over(Tuple(Contents(tuple(map(_number, row))))))
    index: Any = given[0].value if given and isinstance(given[0], Const) else None
    if name == "__getitem__" and type(index) in (int, NumpyInteger) and -len(row) <= index < len(row):
        return _number(row[index])
    if name == "__setitem__" and type(index) is int and -len(row) <= index < len(row):
        return _set(run, value, row, index, given[1], origin)
    try:
        return made(run, _elementwise(name, row, given), origin)
    except NotPlain:
        forget(run, [value], origin)
        return None


def _set(run: Interpreter, array: Instance, row: Row, index: int, value: Value, origin: Origin) -> Value:
    """Run `array[index] = number`; the number becomes one of the kind that the array has."""
    if isinstance(value, Const) and type(value.value) in (int, float):
        kind = type(row[index])
        items = list(row)
        items[index] = kind(value.value)
        run.journal.write(array.table, STATE, Const(tuple(items)))
    else:
        forget(run, [array], origin)
    return NONE


def _elementwise(name: str, row: Row, given: list[Value]) -> list[Any]:
    """Return the result of `array + number`, `array * array`."""
    function = _OPERATORS.get(name)
    other = row_of(given[0]) if given else None
    if other is None and given and isinstance(given[0], Const) and type(given[0].value) in (int, float):
        other = (given[0].value,) * len(row)
    if function is None or other is None or len(other) != len(row) or ("div" in name and 0 in other):
        raise NotPlain(UnknownValue("is not evaluated"))
    return [function(one, two) for one, two in zip(row, other, strict=True)]


def method(run: Interpreter, bound: Bound, arguments: Arguments, origin: Origin) -> Value | None:
    """Call a method of an array; None for anything else."""
    row = row_of(bound.receiver)
    if row is None:
        forget(run, [bound.receiver], origin)
        return None
    plainly = not arguments.every()
    if bound.name in _OF_ALL and plainly and row:
        return _number(_OF_ALL[bound.name](row))
    if bound.name == "tolist" and plainly:
        return containers.new_list(run, map(Const, row))
    if bound.name == "copy" and plainly:
        return made(run, row, origin)
    if bound.name == "mean" and plainly and row and all(isinstance(one, int) for one in row):
        return Const(sum(row) / len(row))
    if bound.name == "item" and len(arguments.positional) == 1 and isinstance(arguments.positional[0], Const):
        place = arguments.positional[0].value
        return Const(row[place]) if type(place) is int and -len(row) <= place < len(row) else None
    forget(run, [bound.receiver], origin)
    return None


def _making(compute: Callable[..., Sequence[Any]]) -> Computed:
    """Return a handler for a function that makes an array; None where it is not a small one with one dimension."""

    def handler(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        try:
            given, named = plain.known_arguments(run, arguments, _row_or_value)
            return made(run, plain.attempt(compute, *given, **named), origin)
        except NotPlain:
            return None

    return handler


def _placing(compute: Callable[..., int]) -> Computed:
    """Return a handler for a function that gives one whole number; None where it is not known."""

    def handler(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        try:
            given, named = plain.known_arguments(run, arguments, _row_or_value)
            return _number(plain.attempt(compute, *given, **named))
        except NotPlain:
            return None

    return handler


def _row_or_value(run: Interpreter, value: Value) -> Any:
    row = row_of(value)
    if row is None and isinstance(value, (Listing, Tuple)):
        contents = containers.elements(run, value)
        if contents.certain and any(map(is_array, contents.items)):
            return [_row_or_value(run, item) for item in contents.items]
    return plain.plain(run, value) if row is None else row


def _same(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `numpy.asarray(values)`: an array is returned as it is."""
    first = arguments.positional[0] if len(arguments.positional) == 1 and not arguments.keywords else NONE
    return first if is_array(first) else _making(row_functions.row)(run, arguments, origin)


def table() -> dict[str, Computed]:
    """Return the functions by their dotted names."""
    return {
        **{f"numpy.{name}": _making(function) for name, function in row_functions.ROWS.items()},
        **{f"numpy.{name}": _placing(function) for name, function in row_functions.PLACES.items()},
        "numpy.array": _making(row_functions.row),
        "numpy.asarray": _same,
        "numpy.arange": _making(row_functions.arange),
        "numpy.linspace": _making(row_functions.linspace),
        "numpy.zeros": array_shapes.shaped(_making(row_functions.filled(0.0))),
        "numpy.ones": array_shapes.shaped(_making(row_functions.filled(1.0))),
    }
