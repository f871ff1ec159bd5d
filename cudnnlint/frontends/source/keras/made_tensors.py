"""Tensors that are made of no other tensor: `ops.ones(shape)`, `tf.range(n)`, `layer.add_weight(...)`.

Their dtype counts where they meet a tensor of integers: one float makes a float of both (keras/src/backend/common/
dtypes.py:result_type).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.tensors import UNMASKED, Source, Tensor, dtype_named
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import (
    NONE,
    Bound,
    Const,
    Instance,
    Library,
    Listing,
    Tuple,
    UnknownValue,
    Value,
)
from cudnnlint.frontends.source.stdlib import array_dtypes
from cudnnlint.frontends.source.syntax.unit import Origin
from cudnnlint.keras.dtypes import WHOLE_NUMBER

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

Known = Callable[["Interpreter", Arguments, Origin], "Value | None"]

#: Functions whose tensor holds floats where no dtype is given, and the position of that argument; 9: by name alone.
FLOATS = {
    "keras.ops": {"ones": 1, "zeros": 1, "eye": 3, "identity": 1, "linspace": 9, "logspace": 9, "empty": 1},
    "tensorflow": {"ones": 1, "zeros": 1, "eye": 3, "linspace": 9},
    "keras.random": {"normal": 3, "uniform": 3, "truncated_normal": 3},
    "tensorflow.random": {"normal": 3, "uniform": 3, "truncated_normal": 3},
    "keras.backend": {"ones": 1, "zeros": 1, "eye": 1, "random_normal": 3, "random_uniform": 3},
}
FLOATS["tensorflow.keras.backend"] = FLOATS["keras.backend"]
#: Functions whose tensor has the dtype of the numbers that they are given, and the position of an argument for it.
AS_GIVEN = {
    "keras.ops": {"arange": 3, "convert_to_tensor": 1, "array": 1},
    "tensorflow": {"range": 3, "constant": 1, "convert_to_tensor": 1},
    "keras.backend": {"constant": 1},
}
AS_GIVEN["tensorflow.keras.backend"] = AS_GIVEN["keras.backend"]


def functions() -> dict[str, Known]:
    """Return the functions by their dotted names."""
    found: dict[str, Known] = {}
    for table, function in ((FLOATS, _of_floats), (AS_GIVEN, _as_given)):
        for root, names in table.items():
            found |= {f"{root}.{name}": partial(function, position) for name, position in names.items()}
    return found


def as_given(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `tf.constant(value, dtype)` of a value that is no tensor yet."""
    return _as_given(1, run, arguments, origin)


def weight(bound: Bound, arguments: Arguments) -> Tensor | None:
    """Return what `layer.add_weight(...)` makes: floats, unless it is asked for another dtype; None otherwise."""
    made = isinstance(bound.receiver, Instance) and bound.name == "add_weight"
    return Tensor(UNMASKED, Source(None, ()), _asked(arguments, 9)) if made else None


def of_array(value: Value) -> Value:
    """Return what Keras makes of an array before a layer gets it: a tensor, where it holds integers or booleans."""
    dtype = array_dtypes.of(value)
    return value if dtype is None else Tensor(UNMASKED, Source(None, ()), dtype, at=value.at)


def of_arrays(arguments: Arguments) -> Arguments:
    """Return the arguments of a layer's call with such tensors in the place of arrays."""
    return replace(arguments, positional=[of_array(one) for one in arguments.positional])


def _of_floats(position: int, run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    made = Tensor(UNMASKED, Source(None, ()), _asked(arguments, position))
    if made.source is not None:
        state_of(run).constants.add(made.source)
    return made


def _as_given(position: int, run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    asked, array = _asked(arguments, position), of_array(arguments.positional[0] if arguments.positional else NONE)
    if asked is not None:
        return Tensor(UNMASKED, Source(None, ()), asked)
    if isinstance(array, Tensor):
        return array
    numbers = _numbers(run, arguments.positional)
    if numbers is None or not numbers:
        return None
    whole = all(isinstance(one, int) and not isinstance(one, bool) for one in numbers)
    floats = any(isinstance(one, float) for one in numbers)
    return Tensor(UNMASKED, Source(None, ()), Const(WHOLE_NUMBER) if whole else None) if whole or floats else None


def _asked(arguments: Arguments, position: int) -> Value | None:
    """Return the dtype that a call asks for, where it is not one of floats."""
    dtype = arguments.get(position, "dtype")
    if dtype is None or (isinstance(dtype, Const) and dtype.value is None):
        return None
    name = dtype_named(dtype).name
    if name is None:
        return UnknownValue("the dtype that is asked for is not known", None)
    return Const(name, at=dtype.at) if isinstance(dtype, Library) else dtype  # `tf.int32` is "int32"


def _numbers(run: Interpreter, values: Sequence[Value]) -> list[object] | None:
    """Return the numbers among values and the lists in them; None where one is not known."""
    found: list[object] = []
    for value in values:
        contents = containers.elements(run, value) if isinstance(value, (Listing, Tuple)) else None
        if contents is not None and contents.certain:
            inner = _numbers(run, contents.items)
            if inner is None:
                return None
            found += inner
        elif isinstance(value, Const) and isinstance(value.value, (int, float)):
            found.append(value.value)
        elif value is not NONE:
            return None
    return found
