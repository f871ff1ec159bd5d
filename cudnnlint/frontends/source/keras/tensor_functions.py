"""Functions on tensors and classes that are more than an operation: they make a mask, keep one, or say something."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from cudnnlint.core.masking import Epoch
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.keras import class_signatures, made_tensors, masks, padding, tensor_shapes
from cudnnlint.frontends.source.keras.input_tensors import reshaped
from cudnnlint.frontends.source.keras.tensors import (
    BOOLEAN,
    MASKED,
    UNMASKED,
    Source,
    Tensor,
    dtype_named,
    operation,
    value_of,
)
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import NONE, Const, Contents, Library, Listing, Tuple, UnknownValue, Value
from cudnnlint.frontends.source.syntax.unit import Origin
from cudnnlint.keras.dtypes import promoted
from cudnnlint.keras.masks import CAST, recast

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

Known = Callable[["Interpreter", Arguments, Origin], "Value | None"]

_ROOTS = ("tensorflow", "tensorflow.math", "keras.ops", "tensorflow.keras.backend", "keras.backend")
_JOINING = ("concat", "concatenate", "stack", "hstack", "vstack", "dstack")
_SHAPES = ("keras.ops.shape", "keras.backend.int_shape", "tensorflow.keras.backend.int_shape")
_TESTS = ("not_equal", "equal", "greater", "logical_not", "logical_and")


@cache
def table() -> dict[str, Known]:
    """Return the functions by their dotted names."""
    tests: dict[str, Known] = {f"{root}.{name}": _mask_tensor for root in _ROOTS for name in _TESTS}
    filled = made_tensors.functions()
    casts: dict[str, Known] = {**{f"{root}.cast": _cast for root in _ROOTS}, "keras.ops.cast": _cast_of_keras_3}
    best: dict[str, Known] = {f"{root}.top_k": _top_k for root in ("keras.ops", "tensorflow.math", "tensorflow.nn")}
    filled |= {f"{root}.{name}_like": _filled for root in ("tensorflow", "keras.ops") for name in ("ones", "zeros")}
    tests |= {f"{root}.sequence_mask": _sequence_mask for root in _ROOTS}
    shapes: dict[str, Known] = dict.fromkeys(_SHAPES, tensor_shapes.asked)
    joined: dict[str, Known] = {f"{root}.{name}": _joined for root in _ROOTS for name in _JOINING}
    asked: dict[str, Known] = {"inspect.signature": class_signatures.signature}
    return tests | filled | casts | best | joined | shapes | asked | padding.functions()


def _mask_tensor(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `tf.not_equal(x, 0)`: a tensor that may serve as a mask."""
    tensors = tuple(value for value in arguments.every() if isinstance(value, Tensor))
    return Tensor(MASKED, Source(None, tensors), BOOLEAN, is_mask=True)


def _sequence_mask(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `tf.sequence_mask(lengths)`: padded on the right, where no length is shown to be 0."""
    lengths = arguments.get(0, "lengths")
    made = _mask_tensor(run, arguments, origin)
    contents = containers.elements(run, lengths) if isinstance(lengths, (Listing, Tuple)) else None
    if contents is None or not contents.certain or not isinstance(made, Tensor):
        return made
    there = [isinstance(one, Const) and isinstance(one.value, int) and one.value > 0 for one in contents.items]
    return replace(made, mask=Const("right", at=origin)) if there and all(there) else made


def _filled(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `tf.ones_like(x, "int32")`: a tensor, where the dtype is one that a recurrent layer does not take."""
    dtype = arguments.get(1, "dtype")
    return Tensor(UNMASKED, Source(None, ()), dtype) if dtype_named(dtype).whole else None


def _top_k(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `keras.ops.top_k(x, k)`: the largest values, and where they stand."""
    value = arguments.get(0, "x") or arguments.get(0, "input")
    if not isinstance(value, Tensor):
        return None
    source = Source(None, (value,))
    return Tuple(Contents((Tensor(UNMASKED, source, value.dtype), Tensor(UNMASKED, source, Const("int32")))), at=origin)


def _joined(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `tf.concat([x, y], -1)`: a tensor without a mask, where all are known; a float makes a float of all."""
    given = arguments.positional[0] if arguments.positional else NONE
    contents = containers.elements(run, given) if isinstance(given, (Listing, Tuple)) else None
    if contents is None or not contents.certain or not contents.items:
        return None
    tensors = [item for item in contents.items if isinstance(item, Tensor) and item.ragged is False]
    if len(tensors) < len(contents.items):
        return None
    dtype = promoted([dtype_named(one.dtype) for one in tensors])
    return reshaped(run, "", replace(operation(*tensors), dtype=value_of(dtype)))


def _cast(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate a cast; to the type that a tensor already has it returns the tensor itself, with its mask."""
    value = arguments.positional[0] if arguments.positional else NONE
    if not isinstance(value, Tensor):
        return None
    dtype = arguments.get(1, "dtype")
    text = dtype.name.rsplit(".", 1)[-1] if isinstance(dtype, Library) else None
    known = Const(text) if text else dtype if isinstance(dtype, Const) else None
    if isinstance(value.mask, Const) and value.mask.value == "none":
        return Tensor(value.mask, Source(None, (value,)), known)
    kept = UnknownValue("the mask of a cast tensor is lost unless its dtype stays the same", None)
    return Tensor(kept, Source(None, (value,)), known, is_mask=value.is_mask)


def _cast_of_keras_3(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `keras.ops.cast(x, dtype)`: the dtypes tell whether the mask is lost (fixtures/evidence/masks.json)."""
    made = _cast(run, arguments, origin)
    if not isinstance(made, Tensor) or made.dtype is None or masks.is_none(made.mask):
        return made
    wanted, given = dtype_named(made.dtype), arguments.positional[0]

    def left(epoch: Epoch, index: int) -> Value:
        tensor = masks.to_tensor(run, given, index)
        return masks.from_masks(recast(wanted, tensor, epoch, CAST).masks)

    return replace(made, mask=masks.by_epoch(run, left))
