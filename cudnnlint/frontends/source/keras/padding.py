"""Padding that the source shows: `pad_sequences(...)`, arrays that are written out, and functions that keep a batch.

A tensor that is known to be padded carries a `Padding`; a layer that makes a mask of just those steps (Embedding with
mask_zero, Masking) makes a mask that is padded alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from cudnnlint.core.frozen import record
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.keras import made_tensors
from cudnnlint.frontends.source.keras.tensors import MASKED, UNMASKED, Source, Tensor, fresh
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import Const, Contents, Listing, Tuple, Value, words
from cudnnlint.frontends.source.stdlib import array_dtypes
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

Known = Callable[["Interpreter", Arguments, Origin], "Value | None"]

#: Methods of an array that leave its rows as they are.
SAME_ROWS = words("astype copy numpy")
#: An array with more entries than this is data, and not written to be read.
_MOST_ENTRIES = 4096


@record(frozen=True)
class Padding:
    """The padding of a batch's rows: `side` as the mask "left" or "right", `fill` the value in padded steps."""

    side: Const
    fill: Value


def pad_sequences(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `pad_sequences(sequences, maxlen, dtype, padding, truncating, value)`; it pads left by default."""
    tensor = replace(fresh(), at=origin)
    side = arguments.get(3, "padding") or Const("pre")
    fill = arguments.get(5, "value") or Const(0.0)
    if arguments.open or arguments.rest or not isinstance(side, Const):
        return tensor
    rows = _rows(run, arguments.get(0, "sequences"))
    if side.value == "pre" and (rows is None or _uneven(rows, arguments)):
        return replace(tensor, padding=Padding(Const("left", at=origin), fill))
    if rows and all(rows) and not any(entry == _number(fill) for row in rows for entry in row):
        return replace(tensor, padding=Padding(Const("right", at=origin), fill))
    return tensor


def _uneven(rows: list[list[object]], arguments: Arguments) -> bool:
    """Return whether written rows are padded at all."""
    longest = arguments.get(1, "maxlen")
    if longest is not None and not containers.is_nothing(longest):
        return not (isinstance(longest, Const) and isinstance(longest.value, int)) or any(
            len(row) < longest.value for row in rows
        )
    return len({len(row) for row in rows}) > 1


def _number(value: Value) -> object:
    return value.value if isinstance(value, Const) else None


def _rows(run: Interpreter, value: Value | None) -> list[list[object]] | None:
    """Return a list of lists of constants as Python's; None for anything else."""
    if not isinstance(value, (Listing, Tuple)):
        return None
    contents = containers.elements(run, value)
    if not contents.certain or not contents.items or len(contents.items) > _MOST_ENTRIES:
        return None
    rows: list[list[object]] = []
    for item in contents.items:
        row = containers.elements(run, item) if isinstance(item, (Listing, Tuple)) else Contents((), item)
        if not row.certain or not all(isinstance(entry, Const) for entry in row.items):
            return None
        rows.append([entry.value for entry in row.items if isinstance(entry, Const)])
    return rows if sum(map(len, rows)) <= _MOST_ENTRIES else None


def array(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `np.array(value)` and the like: a batch stays as it is, and the padding of a written one is known."""
    value = arguments.positional[0] if arguments.positional else None
    if isinstance(value, Tensor):
        return part_of(value)
    rows = _rows(run, value)
    if rows is None or not all(isinstance(entry, (bool, int)) for row in rows for entry in row):
        return None
    flags = [[bool(entry) for entry in row] for row in rows]
    if all(isinstance(entry, bool) for row in rows for entry in row):
        return Tensor(of_flags(flags, origin), Source(None, ()), is_mask=True, at=origin)
    side = of_flags(flags, origin)
    known = Padding(side, Const(0)) if side.value != MASKED.value else None
    return Tensor(UNMASKED, Source(None, ()), _of_integers(arguments), padding=known, at=origin)


def _of_integers(arguments: Arguments) -> Value | None:
    """Return the dtype of an array that integers are written in; None for floats."""
    asked = arguments.get(1, "dtype")
    return Const("int64") if asked is None else array_dtypes.named(asked)


def converted(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `convert_to_tensor(value)`: what is a tensor already stays the same one, with its mask."""
    value = arguments.positional[0] if arguments.positional else None
    return value if isinstance(value, Tensor) else constant(run, arguments, origin) or value


def constant(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `tf.constant(value)`: the padding of a batch that is written out is known, else the dtype may be."""
    return array(run, arguments, origin) or made_tensors.as_given(run, arguments, origin)


def of_flags(rows: Sequence[Sequence[bool]], origin: Origin) -> Const:
    """Return the mask of rows that are written out; one with an empty row counts as one that data decide."""
    if any(False in row and True in row[row.index(False) :] for row in rows):
        return Const("left", at=origin)
    return Const("right" if all(row and row[0] for row in rows) else "data", at=origin)


def made(given: Value, hidden: Value) -> Value:
    """Return the mask that a layer makes of its input, where it masks the steps that hold `hidden`."""
    padding = given.padding if isinstance(given, Tensor) else None
    if padding is None or not isinstance(hidden, Const) or not isinstance(padding.fill, Const):
        return MASKED
    return padding.side if padding.fill.value == hidden.value else MASKED


def known_in(value: Value) -> bool:
    """Return whether a value is a batch, or several, of which the padding is known."""
    if isinstance(value, Tensor):
        return value.padding is not None
    items = value.contents.items if isinstance(value, Tuple) else ()
    return any(known_in(item) for item in items)


def part_of(value: Tensor) -> Tensor:
    """Return some of the rows of a batch."""
    return Tensor(UNMASKED, Source(None, (value,)), value.dtype, padding=value.padding)


def split(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `train_test_split(x, y, ...)`: two parts of each."""
    parts = [value for value in arguments.positional for _ in range(2)]
    if arguments.rest or not any(isinstance(value, Tensor) and value.padding is not None for value in parts):
        return None
    return Tuple(Contents(tuple(part_of(value) if isinstance(value, Tensor) else fresh() for value in parts)))


@cache
def functions() -> dict[str, Known]:
    """Return the functions of libraries that concern padding, by their dotted names."""
    table: dict[str, Known] = {"sklearn.model_selection.train_test_split": split}
    for root in ("keras", "tensorflow.keras", "tf_keras"):
        table |= dict.fromkeys(
            (f"{root}.utils.pad_sequences", f"{root}.preprocessing.sequence.pad_sequences"), pad_sequences
        )
    table["keras_preprocessing.sequence.pad_sequences"] = pad_sequences
    table |= dict.fromkeys(("numpy.array", "numpy.asarray"), array)
    table |= dict.fromkeys(("tensorflow.constant", "keras.ops.array"), constant)
    return table | dict.fromkeys(("tensorflow.convert_to_tensor", "keras.ops.convert_to_tensor"), converted)
