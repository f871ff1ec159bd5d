"""Arrays of numpy that certainly hold integers or booleans: Keras does not turn these into floats before a layer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.core.execution_context import WHOLE
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.plain import Computed
from cudnnlint.frontends.source.python.values import (
    STATE,
    Bound,
    Const,
    Foreign,
    Instance,
    Library,
    Listing,
    Tuple,
    UnknownValue,
    Value,
    words,
)
from cudnnlint.frontends.source.stdlib import arrays
from cudnnlint.frontends.source.stdlib.array_shapes import ARRAY
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The cell of an array with its dtype, where that is one of integers or booleans.
_DTYPE = "·dtype"
_GENERATOR = "numpy.random.Generator"
_NOT_SHOWN = UnknownValue("is an array whose numbers are not known")
#: Functions that make an array, and the position of the argument `dtype`.
_MAKERS = {
    **dict.fromkeys(("zeros", "ones", "empty", "zeros_like", "ones_like", "identity"), 1),
    "full": 2, "full_like": 2, "eye": 3,
}
#: Names of dtypes that numpy takes beside the usual ones.
_SHORT = {
    "int": "int64", "uint": "uint64", "?": "bool", "b1": "bool",
    **{f"{name[0]}{size}": f"{name}{8 * size}" for name in ("int", "uint") for size in (1, 2, 4, 8)},
}
#: Methods that give an array of the same dtype.
_SAME = words("copy reshape transpose swapaxes squeeze repeat clip")
_OF_BITS = words("__and__ __or__ __xor__ __invert__ __rand__ __ror__ __rxor__")
_OF_INTEGERS = words("__add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __floordiv__ __mod__ __abs__ __neg__")
#: Functions that draw floats, and the position of the argument `size`; None: all are sizes.
_DRAWS = {"rand": None, "randn": None, "random": 0, "random_sample": 0, "standard_normal": 0, "uniform": 2, "normal": 2}
#: Those of them that make data of several dimensions from a row of numbers.
_SHAPING = words("reshape transpose")
#: The dimensions of an array that may be data of a recurrent layer; those of fewer are looked at for their padding.
_DIMENSIONS, _MOST_DIMENSIONS, _MOST_NUMBERS = 3, 5, 4096


def of(value: Value) -> Const | None:
    """Return the dtype of an array; None where it is not one of integers or booleans, or not known."""
    found = value.table.get(_DTYPE) if _is_array(value) and isinstance(value, Instance) else None
    return found if isinstance(found, Const) else None


def _is_array(value: Value | None) -> bool:
    return isinstance(value, Instance) and isinstance(value.kind, Library) and value.kind.name == ARRAY


def method(run: Interpreter, bound: Bound, arguments: Arguments, origin: Origin) -> Value | None:
    """Call a method of an array that gives one of integers or booleans; None for any other."""
    array = bound.receiver
    if not isinstance(array, Instance) or not _is_array(array):
        drawing = isinstance(array, Instance) and isinstance(array.kind, Library) and array.kind.name == _GENERATOR
        return _randint(run, arguments, origin) if drawing and bound.name in ("integers", "randint") else None
    row = arrays.row_of(array)
    if row is not None and bound.name not in _SHAPING:
        return None  # it is known number by number
    dtype = _of_row(row)
    arrays.forget(run, [array] if row is not None else [], origin)  # it may be changed through the new one
    if bound.name == "astype":
        return _with(run, None, named(arguments.get(0, "dtype")), origin) or _not_shown(run, origin)
    return _with(run, None, dtype or of(array), origin) if bound.name in _SAME else None


def operator(run: Interpreter, value: Value, name: str, given: list[Value], origin: Origin) -> Value | None:
    """Return a part of an array of integers or booleans, or what an operator makes of it; None for anything else."""
    if name != "__getitem__":
        return _with(run, None, _computed(of(value), name, given), origin)
    several = isinstance(origin.node, cst.Subscript) and len(origin.node.slice) > 1  # `row[None, :, None]`
    return _with(run, None, of(value) or (_of_row(arrays.row_of(value)) if several else None), origin)


def _computed(dtype: Const | None, name: str, given: list[Value]) -> Const | None:
    """Return the dtype of the result of an operator: integers with integers, and booleans with booleans, stay so."""
    others = [of(one) for one in given]
    alike = all(other is not None and dtype is not None and other.value == dtype.value for other in others)
    if dtype is None or dtype.value == "bool":
        return dtype if name in _OF_BITS and alike else None
    whole = all(isinstance(one, Const) and type(one.value) is int for one in given)
    return dtype if name in _OF_BITS | _OF_INTEGERS and (alike or whole) else None


def compared(run: Interpreter, value: Value, origin: Origin) -> Value | None:
    """Return the booleans that a comparison makes of an array; None for another value, or known numbers."""
    unseen = _is_array(value) and arrays.row_of(value) is None
    return _with(run, None, Const("bool"), origin) if unseen else None


def _of_row(row: arrays.Row | None) -> Const | None:
    """Return the dtype of an array that is known number by number; None where it holds fractions."""
    return Const("int64") if row and all(type(one) is int for one in row) else None


def _with(run: Interpreter, made: Value | None, dtype: Const | None, origin: Origin) -> Value | None:
    """Return an array of a dtype: the one that is made, if it is one; what is made, where there is no such dtype."""
    if dtype is None:
        return made
    array = made if isinstance(made, Instance) and _is_array(made) else None
    array = _not_shown(run, origin) if array is None else array
    run.journal.write(array.table, _DTYPE, dtype)
    return array


def _not_shown(run: Interpreter, origin: Origin) -> Instance:
    """Return an array of which nothing more is known."""
    array = Instance(Library(ARRAY), run.journal.table(), at=origin)
    run.journal.write(array.table, STATE, _NOT_SHOWN)
    return array


def named(value: Value | None) -> Const | None:
    """Return the dtype of integers or booleans that a value names (`bool`, `numpy.int32`, "i4"); None for any other."""
    text = value.name.rsplit(".", 1)[-1].rstrip("_") if isinstance(value, Library) else None
    text = value.value if isinstance(value, Const) else text
    name = _SHORT.get(text.lstrip("<=>"), text) if isinstance(text, str) else ""
    return Const(name, at=value.at) if value is not None and name.startswith(WHOLE) else None


def _noted(function: Computed, position: int) -> Computed:
    """Return a handler for a function of numpy that makes an array of the dtype that it is given."""

    def handler(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        asked, like = arguments.get(position, "dtype"), arguments.get(0, "a")
        dtype = named(asked) if asked is not None or like is None else of(like)
        return _with(run, function(run, arguments, origin), dtype, origin)

    return handler


def _written(function: Computed) -> Computed:
    """Return a handler for `numpy.array(values, dtype)`."""

    def handler(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        asked, given = arguments.get(1, "dtype"), arguments.get(0, "object")
        made, dtype = function(run, arguments, origin), named(asked)
        if isinstance(given, (Listing, Tuple)):
            dimensions, found = _of_numbers(run, given)
            dtype = None if dimensions < _DIMENSIONS else found if asked is None else dtype
        return made if isinstance(given, Foreign) else _with(run, made, dtype, origin)

    return handler


def _of_numbers(run: Interpreter, given: Value) -> tuple[int, Const | None]:
    """Return how many dimensions lists of lists have, and the dtype of the numbers that are written in them."""
    waiting, kinds, most, looked_at = [(given, 0)], set[object](), 0, 0
    while waiting and looked_at < _MOST_NUMBERS:
        one, depth = waiting.pop()
        looked_at += 1
        if isinstance(one, (Listing, Tuple)) and depth < _MOST_DIMENSIONS:
            contents = containers.elements(run, one)
            waiting += [(item, depth + 1) for item in contents.items]
            kinds |= set() if contents.certain else {None}
        else:
            kinds.add(type(one.value) if isinstance(one, Const) else None)
            most = max(most, depth)
    alike = kinds.pop() if len(kinds) == 1 and not waiting else None
    return most, Const("int64") if alike is int else Const("bool") if alike is bool else None


def _randint(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `numpy.random.randint(low, high, size)`."""
    asked = arguments.get(3, "dtype")
    dtype = Const("int64") if asked is None else named(asked)
    return _with(run, None, dtype, origin) if isinstance(arguments.get(2, "size"), Tuple) else None


def _counted(function: Computed) -> Computed:
    """Return a handler for `numpy.arange(start, stop, step, dtype)`: of whole numbers, where its bounds are."""

    def handler(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        made, asked = function(run, arguments, origin), arguments.keywords.get("dtype")
        bounds = [one.value if isinstance(one, Const) else None for one in arguments.positional]
        whole = asked is None and not arguments.rest and bounds and all(type(one) is int for one in bounds)
        dtype = Const("int64") if whole else named(asked)
        return _with(run, None, dtype, origin) if made is None else made

    return handler


def _generator(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    return Instance(Library(_GENERATOR), run.journal.table(), at=origin)


def _drawn(position: int | None) -> Computed:
    """Return a handler for a function that draws floats: an array where it is given several sizes."""

    def handler(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        size = arguments.get(position, "size") if position is not None else None
        if not isinstance(size, Tuple) and (position is not None or len(arguments.positional) < 2):
            return None
        return _not_shown(run, origin)

    return handler


def table(functions: dict[str, Computed]) -> dict[str, Computed]:
    """Return functions of numpy by their dotted names; `functions` are those that know more of an array."""

    def nothing(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        return None

    found = {f"numpy.{name}": _noted(functions.get(f"numpy.{name}", nothing), at) for name, at in _MAKERS.items()}
    found |= {name: _written(functions[name]) for name in ("numpy.array", "numpy.asarray")}
    found |= dict.fromkeys(("numpy.random.default_rng", "numpy.random.RandomState"), _generator)
    found |= {f"numpy.random.{name}": _drawn(at) for name, at in _DRAWS.items()}
    return found | {"numpy.random.randint": _randint, "numpy.arange": _counted(functions["numpy.arange"])}
