"""The shape of a tensor, as its Input declares it and Keras's own layers change it: `x.shape[-1]`.

A dimension that is open is None in a tensor of a graph, and a number where code runs line by line on data: there it is
not followed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cudnnlint.core.frozen import record
from cudnnlint.frontends.source.keras import layers, masks, merged_shapes
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.sites import Build
from cudnnlint.frontends.source.keras.tensors import Source, Tensor
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    NONE,
    Const,
    Foreign,
    Instance,
    Listing,
    Tuple,
    UnknownValue,
    Value,
    assume,
    assumption,
    may_be_missing,
    words,
)
from cudnnlint.frontends.source.syntax.unit import Origin
from cudnnlint.keras.time_steps import CONVOLUTIONS, POOLS

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Layers whose output has the shape of their input.
SAME = words(
    "Activation BatchNormalization Dropout ELU GaussianDropout GaussianNoise LayerNormalization LeakyReLU Masking "
    "PReLU ReLU Softmax SpatialDropout1D"
)
#: Layers that give one vector for a sequence.
OVER_TIME = words("GlobalMaxPooling1D GlobalAveragePooling1D GlobalMaxPool1D GlobalAvgPool1D")
#: What a Bidirectional does with its two outputs so that they become one of the same width.
ONE_WIDE = ("sum", "mul", "ave")
SEQUENCE = 3
_OPEN = merged_shapes.OPEN


@record(frozen=True, eq=False)
class Dimensions(Foreign):
    """The shape of a tensor, batch included: a tuple in Keras 3, a TensorShape in Keras 2."""

    dimensions: tuple[Value, ...]


def of(run: Interpreter, value: Value) -> Dimensions | None:
    """Return the shape of a tensor; None where it is not known."""
    found = _of_tensor(run, value)
    if found is None:
        return None
    data = state_of(run).line_by_line or state_of(run).in_lambda
    shown = [_OPEN if containers.is_nothing(one) and data else one for one in found]
    return Dimensions(tuple(shown))


def asked(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `keras.ops.shape(x)` and `K.int_shape(x)`."""
    return of(run, arguments.get(0, "x") or NONE)


def item(shape: Dimensions, index: Value | None) -> Value | None:
    """Return one dimension; None where it is not known which, or there is none."""
    place = index.value if isinstance(index, Const) else None
    if type(place) is not int or not -len(shape.dimensions) <= place < len(shape.dimensions):
        return None
    found = shape.dimensions[place]
    return None if isinstance(found, UnknownValue) else assume(found, index.assumed if index is not None else None)


def declared(run: Interpreter, roots: frozenset[Source], dimensions: Sequence[Value] | None, rows: bool) -> None:
    """Note the shape that an Input declares; `rows` says whether its batch size is known too."""
    if dimensions and not any(map(may_be_missing, dimensions)):
        shape = (dimensions[0] if rows else _OPEN, *dimensions[1:])
        state_of(run).shapes.update(dict.fromkeys(roots, shape))


def _of_tensor(run: Interpreter, value: Value) -> tuple[Value, ...] | None:
    source = value.source if isinstance(value, Tensor) else None
    if source is None or not isinstance(value, Tensor):
        return None
    found = state_of(run).shapes.get(source) if source.layer is None else _behind(run, value, source)
    return found if found is not None and value.rank in (None, len(found)) else None


def _behind(run: Interpreter, output: Tensor, source: Source) -> tuple[Value, ...] | None:
    """Return the shape of what a layer gives."""
    made = layers.made_of(source.layer) if isinstance(source.layer, Instance) else None
    if made is None or made.build.subclass or made.build.open is not None or made.build.unsure is not None:
        return None
    given, build = source.inputs[0] if len(source.inputs) == 1 else NONE, made.build
    if isinstance(given, Tuple):
        return merged_shapes.of(build, [_of_tensor(run, one) for one in given.contents.items])
    before = _of_tensor(run, given)
    if before is None:
        return None
    if build.class_name in ("Bidirectional", *state_of(run).names.recurrent):
        return _recurrent(build, before, source.index)
    if build.class_name in CONVOLUTIONS or build.class_name in POOLS:
        return _along_time(build, before, output)
    if build.class_name == "TimeDistributed" and len(before) >= SEQUENCE:
        inner = layers.made_of(build.arguments.get("layer", NONE))
        plain = inner is not None and not inner.build.subclass and inner.build.open is None
        step = _plainly(inner.build, (before[0], *before[2:])) if plain and inner is not None else None
        return None if step is None else (*before[:2], *step[1:])
    return _plainly(build, before)


def _plainly(build: Build, before: tuple[Value, ...]) -> tuple[Value, ...] | None:
    name, told = build.class_name, build.arguments
    if name in SAME:
        return before
    if name == "Flatten":
        return (before[0], merged_shapes.flat(before[1:]))
    if name in OVER_TIME and len(before) == SEQUENCE:
        return (before[0], before[-1]) if {"keepdims", "data_format"}.isdisjoint(told) else None
    if name == "Dense" and "units" in told:
        return (*before[:-1], told["units"])
    if name == "Embedding" and "output_dim" in told:
        return (*before, told["output_dim"])
    if name == "RepeatVector" and "n" in told and len(before) == SEQUENCE - 1:
        return (before[0], told["n"], before[1])
    target = told.get("target_shape") if name == "Reshape" else None
    if isinstance(target, (Tuple, Listing)):
        contents = target.contents if isinstance(target, Tuple) else containers.contents_of(target)
        shape = merged_shapes.filled(contents.items, before[1:]) if contents.certain else None
        return (before[0], *shape) if shape is not None else None
    return None


def _recurrent(build: Build, before: tuple[Value, ...], index: int | None) -> tuple[Value, ...] | None:
    """Return the shape behind a recurrent layer that gives one tensor, or its sequence."""
    inner, units = build, build.arguments.get("units")
    if build.class_name == "Bidirectional":
        made = layers.made_of(build.arguments.get("layer", NONE))
        if made is None or made.build.subclass or "backward_layer" in build.arguments:
            return None
        inner, units = made.build, _of_both(build, made.build.arguments.get("units"))
    whole = masks.returns(inner, "return_sequences")
    if units is None or truth(whole) is None or index not in (None, 0) or len(before) != SEQUENCE:
        return None
    return (*before[:2], units) if truth(whole) else (before[0], units)


def _of_both(build: Build, units: Value | None) -> Value | None:
    """Return how wide the output of a Bidirectional is; None where it gives two of them, or it is not known."""
    mode = build.arguments.get("merge_mode", Const("concat"))
    if not isinstance(units, Const) or not isinstance(mode, Const) or mode.value not in ("concat", *ONE_WIDE):
        return None
    return Const(units.value * (1 if mode.value in ONE_WIDE else 2), assumed=assumption(units, mode))


def _along_time(build: Build, before: tuple[Value, ...], output: Tensor) -> tuple[Value, ...] | None:
    """Return the shape behind a convolution or a pool over time, whose steps are counted with the masks."""
    width = build.arguments.get("filters") if build.class_name in CONVOLUTIONS else before[-1]
    layout = build.arguments.get("data_format", Const("channels_last"))
    last = isinstance(layout, Const) and layout.value in (None, "channels_last")
    if width is None or len(before) != SEQUENCE or not last:
        return None
    because = assumption(before[1], *build.arguments.values())
    return (before[0], _OPEN if output.steps is None else Const(output.steps, assumed=because), width)
