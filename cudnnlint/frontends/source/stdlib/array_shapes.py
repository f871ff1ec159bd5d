"""Arrays of numpy with several dimensions: only their shape is known, until something may have changed them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.plain import Computed
from cudnnlint.frontends.source.python.values import (
    STATE,
    Const,
    Contents,
    Instance,
    Library,
    Tuple,
    UnknownValue,
    Value,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

ARRAY = "numpy.ndarray"
#: The state of an array that is as it was made, and the cell with its shape.
_AS_MADE = UnknownValue("is an array of several dimensions")
_SHAPE = "·shape"


def shaped(of_row: Computed) -> Computed:
    """Return a handler for `numpy.zeros(shape)`; `of_row` is the one for an array of one dimension."""

    def handler(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        shape = arguments.get(0, "shape")
        items = shape.contents.items if isinstance(shape, Tuple) and shape.contents.certain else ()
        sizes = [one for one in items if isinstance(one, Const) and type(one.value) is int and one.value >= 0]
        if len(sizes) < 2 or len(sizes) != len(items):
            return of_row(run, arguments, origin)
        array = Instance(Library(ARRAY), run.journal.table(), at=origin)
        run.journal.write(array.table, STATE, _AS_MADE)
        run.journal.write(array.table, _SHAPE, Tuple(Contents(tuple(sizes))))
        return array

    return handler


def attribute(value: Value, name: str) -> Value | None:
    """Return `array.size`, `array.shape`, `array.ndim`; None where the shape is not known."""
    shape = value.table.get(_SHAPE) if isinstance(value, Instance) and value.table.get(STATE) is _AS_MADE else None
    return None if not isinstance(shape, Tuple) else of_shape(shape, name)


def of_shape(shape: Tuple, name: str) -> Value | None:
    """Return what an array of a shape has under a name."""
    sizes = [one.value for one in shape.contents.items if isinstance(one, Const)]
    return {"shape": shape, "ndim": Const(len(sizes)), "size": Const(math.prod(sizes))}.get(name)
