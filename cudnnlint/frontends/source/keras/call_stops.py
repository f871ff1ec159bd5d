"""What stops one call of a layer of Keras's own, by how its inputs are given, and by their masks, dtypes and shapes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import (
    in_time,
    initial_states,
    layers,
    mask_stops,
    masks,
    sequence_length,
    stops,
    tensor_shapes,
)
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.sites import Build, Made
from cudnnlint.frontends.source.keras.tensors import Tensor, dtype_named
from cudnnlint.frontends.source.python.values import UNBOUND, Const, Unbound, Value, words
from cudnnlint.keras import deep_masks
from cudnnlint.keras.time_steps import SHORTENING
from cudnnlint.keras.whole_stops import whole_stop

if TYPE_CHECKING:
    from cudnnlint.core.masking import Epoch
    from cudnnlint.frontends.source.keras.layer_inputs import LayerInputs
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Layers that take a list of several tensors.
JOINING = words("Attention AdditiveAttention Add Concatenate Multiply Average Maximum Minimum Subtract Dot")


def kinds(run: Interpreter, build: Build, given: LayerInputs, first: Value) -> list[Value]:
    """Return the kinds of stops of a call whose first argument is `first`."""
    own, gone = build.subclass is not None, []
    if state_of(run).names.may_be_absent(build.path) and build.class_name not in state_of(run).names.recurrent:
        gone.append(Const(f"a call of {build.class_name}"))
    shapes = [] if own else [*map(Const, _of_shapes(run, build, given, first)), *_of_dtypes(run, build, given)]
    return [*gone, *stops.listed(run, build, given, first), *mask_stops.stops_at(run, build, given), *shapes]


def _of_shapes(run: Interpreter, build: Build, given: LayerInputs, first: Value) -> Iterator[str]:
    """Yield what is wrong with the number of inputs, of dimensions and of steps."""
    names = state_of(run).names
    class_name, rank = names.layer(build.class_name), first.rank if isinstance(first, Tensor) else None
    if class_name in JOINING and isinstance(first, Tensor):
        yield f"one tensor given to {class_name}"
    if rank is not None and rank not in names.ranks.get(class_name, (rank,)):
        yield f"an input of {rank} dimensions given to {class_name}"
    if build.class_name in SHORTENING and sequence_length.too_few(run, build, given):
        yield f"fewer steps than {class_name} takes"


def at_once(run: Interpreter, made: Made, given: LayerInputs) -> list[Value]:
    """Return the kinds of what stops a recurrent layer itself, or a layer that is spread over the steps."""
    at_masks, at_states = _at_deep_mask(run, made.build, given), initial_states.stops_at(run, made.build, given)
    return [*given.stops, *at_masks, *in_time.stops_at(run, made, given), *at_states]


def _at_deep_mask(run: Interpreter, build: Build, given: LayerInputs) -> list[Value]:
    """Return the kind of a call that passes a recurrent layer a mask of three dimensions."""
    recurrent = build.class_name in (*state_of(run).names.recurrent, "Bidirectional")
    if not recurrent or not isinstance(given.mask, Tensor) or given.mask.rank != deep_masks.DEEP:
        return []
    shape = tensor_shapes.of(run, given.mask)
    last = shape.dimensions[-1] if shape is not None else None
    size = last.value if isinstance(last, Const) and isinstance(last.value, int) else None
    kind = deep_masks.stop_at(given.mask.rank, size, _units(build))
    return [] if kind is None else [Const(kind)]


def _units(build: Build) -> set[object]:
    """Return the sizes that the states of a layer may have: its own, or those of the layer or cell that it holds."""
    held = [layers.made_of(build.arguments[name]) for name in ("layer", "cell") if name in build.arguments]
    every = [build, *(one.build for one in held if one is not None)]
    return {size for one in every if (size := _plain(one, "units")) is not None}


def _of_dtypes(run: Interpreter, build: Build, given: LayerInputs) -> list[Value]:
    """Return the kind of a call with tensors of integers or booleans, by mask epoch: some cast them before the call."""
    names, tensors = state_of(run).names, [one for one in given.inputs if isinstance(one, Tensor)]
    if len(tensors) < len(given.inputs) or all(one.dtype is None for one in tensors):
        return []

    def stop(_: Epoch, index: int) -> Value:
        dtypes = [dtype_named(masks.in_epoch(one.dtype, index) if one.dtype else None) for one in tensors]
        whole = whole_stop(names.masks, names.layer(build.class_name), dtypes, lambda name: _plain(build, name))
        return UNBOUND if whole is None else Const(whole)

    found = masks.by_epoch(run, stop)
    return [] if isinstance(found, Unbound) else [found]


def _plain(build: Build, name: str) -> object:
    given = build.arguments.get(name)
    return given.value if isinstance(given, Const) else None
