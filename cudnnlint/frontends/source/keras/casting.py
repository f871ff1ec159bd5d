"""What enters a model behind its own Input: Keras casts it to the Input's dtype, and loses the mask in some releases.

Source: `Functional._conform_to_reference_input` of tf_keras 2.21, which casts behind the place where the masks are
put on the tensors, and `Sequential.input_dtype` of Keras 3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from cudnnlint.core.masking import Epoch
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.keras import layers, masks, precision
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.sites import Build
from cudnnlint.frontends.source.keras.tensors import UNMASKED, Tensor, value_of
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.values import NONE, Const, Tuple, Value
from cudnnlint.keras.lattice import UNSTATED, Dtype
from cudnnlint.keras.masks import recast

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The arguments of a Sequential's first layer that give the model an Input, in Keras 2.
SHAPES = ("input_shape", "batch_input_shape", "input_dim", "input_length")
BECAUSE = "a nested model casts its input to the dtype of its Input"


def as_declared(run: Interpreter, declared: Value, given: Value, sequential: bool = False) -> Value:
    """Return `given` as it is in the place of `declared`, the model's own Input; in a Sequential that is a layer."""
    if not isinstance(declared, Tensor) or not isinstance(given, Tensor):
        return given
    wanted = masks.dtype_of(run, declared)
    if declared.dtype is None or wanted == UNSTATED:
        floats = state_of(run).world.get(precision.FLOAT) or Const(masks.WHOLE)
        wanted = Dtype(floats.value if isinstance(floats, Const) else None)
    cast = _cast(run, given, lambda epoch: None if _kept(epoch, sequential) else wanted)
    steps = declared.steps if given.steps is None else given.steps
    whole = declared.dtype is None and masks.dtype_of(run, given).may_be_whole
    dtype = Const(wanted.name or masks.WHOLE) if whole else declared.dtype
    rank = given.rank if declared.rank is None else declared.rank  # Keras adds or takes off a last dimension
    featureless = declared.featureless and rank == declared.rank
    return replace(cast, dtype=dtype, ragged=declared.ragged, rank=rank, steps=steps, featureless=featureless)


def into_first(run: Interpreter, first: Value, given: Value, bare: Tensor | None) -> Value:
    """Return `given` as it reaches the first layer of a Sequential, which may act as an Input.

    `bare` is the same tensor without the mask that the call passes; None where the call passes none.
    """
    made = layers.made_of(first)
    if made is None or not isinstance(given, Tensor):
        return given
    if any(name in made.build.arguments for name in SHAPES):
        shape = _declared(made.build)
        rank = given.rank if shape is None else len(shape)
        open_end = shape is not None and containers.is_nothing(shape[-1])
        cast = _cast(run, given, lambda epoch: _of_first(run, made.build, epoch))
        return replace(_whole_as_floats(run, made.build, cast, since=2), rank=rank, featureless=open_end)
    names = state_of(run).names
    takes = made.build.class_name in names.wrappers or made.build.class_name in names.recurrent
    unseen = _unseen(run, given, takes, bare)
    cast = _cast(run, unseen, lambda epoch: _of_first(run, made.build, epoch) if epoch.major > 2 else None)
    return _whole_as_floats(run, made.build, cast, since=3)


def _declared(first: Build) -> Sequence[Value] | None:
    """Return the dimensions of a Sequential's input, batch included, that its first layer declares."""
    shapes = {name: first.arguments.get(name) for name in ("shape", "input_shape", "batch_shape", "batch_input_shape")}
    known = {name: one.contents for name, one in shapes.items() if isinstance(one, Tuple) and not one.assumed}
    found = [one.items if "batch" in name else (NONE, *one.items) for name, one in known.items() if one.rest is None]
    return found[0] if found and found[0] else None


def _of_first(run: Interpreter, build: Build, epoch: Epoch) -> Dtype | None:
    """Return the dtype that a Sequential takes from its first layer for its input; None where a mask survives that.

    In Keras 2 it is what the layer keeps its weights in, in Keras 3 what it computes in.
    """
    if _kept(epoch, True):
        return None
    if epoch.major > 2:
        return masks.SourceLayer(run, (build,)).computes
    policies = {one.value if isinstance(one, Const) else None for one in masks.policy_of(run, build)}
    policy = policies.pop() if len(policies) == 1 else None
    mixed = isinstance(policy, str) and policy.startswith("mixed_")
    return Dtype(masks.WHOLE if mixed else policy)


def _whole_as_floats(run: Interpreter, first: Build, given: Tensor, since: int) -> Tensor:
    """Return integers as the Input before a Sequential's first layer takes them: in the dtype of that layer.

    Keras 3 always puts one there, Keras 2 where the layer is given a shape: `since` is the generation that does.
    """
    if given.dtype is None or not masks.dtype_of(run, given).may_be_whole:
        return given
    dtype, floats = given.dtype, value_of(masks.SourceLayer(run, (first,)).computes) or Const(masks.WHOLE)
    cast = masks.by_epoch(run, lambda epoch, i: floats if epoch.major >= since else masks.in_epoch(dtype, i))
    return replace(given, dtype=cast)


def _kept(epoch: Epoch, sequential: bool) -> bool:
    """Return whether a mask survives the cast of a model's input."""
    return epoch.model_cast_keeps and (epoch.sequential_cast_keeps or not sequential)


def _unseen(run: Interpreter, given: Tensor, takes: bool, bare: Tensor | None) -> Tensor:
    """Return the tensor as the first layer of a Sequential gets it where nothing comes before it.

    In some releases the Sequential hands on to it the mask that the call passes, and no other: a layer that `takes`
    masks does not see the one that its input has, and one that takes none gets no other.
    """

    def seen(epoch: Epoch, index: int) -> Value:
        mask = masks.in_epoch(given.mask, index)
        if epoch.first_sees or takes == (bare is not None):
            return mask
        return UNMASKED if bare is None else masks.in_epoch(bare.mask, index)

    handed_on = takes or bare is not None
    return replace(given, mask=masks.by_epoch(run, seen)) if handed_on and not masks.is_none(given.mask) else given


def _cast(run: Interpreter, given: Tensor, wanted: Callable[[Epoch], Dtype | None]) -> Tensor:
    """Return the tensor in another dtype, for all that is known; None where its mask stays whatever happens."""
    if masks.is_none(given.mask):
        return given

    def left(epoch: Epoch, index: int) -> Value:
        dtype, tensor = wanted(epoch), masks.to_tensor(run, given, index)
        if dtype is None or (epoch.major > 2 and tensor.dtype.whole):
            return masks.in_epoch(given.mask, index)
        return masks.from_masks(recast(dtype, tensor, epoch, BECAUSE).masks)

    return replace(given, mask=masks.by_epoch(run, left))
