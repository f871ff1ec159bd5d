"""What enters a model behind its own Input: Keras casts it to the Input's dtype, and Keras 2 loses the mask then.

Source: `Functional._conform_to_reference_input` of tf_keras 2.21, which casts behind the place where the masks are
put on the tensors.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cudnnlint.core.masking import Epoch
from cudnnlint.frontends.source.keras import layers, masks, precision
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.sites import Build
from cudnnlint.frontends.source.keras.tensors import UNMASKED, Tensor, value_of
from cudnnlint.frontends.source.python.values import Const, Value
from cudnnlint.keras.lattice import UNSTATED, Dtype
from cudnnlint.keras.masks import recast

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The arguments of a Sequential's first layer that give the model an Input, in Keras 2.
SHAPES = ("input_shape", "batch_input_shape", "input_dim", "input_length")
BECAUSE = "a nested model casts its input to the dtype of its Input"


def as_declared(run: Interpreter, declared: Value, given: Value) -> Value:
    """Return `given` as it is in the place of `declared`, the model's own Input."""
    if not isinstance(declared, Tensor) or not isinstance(given, Tensor):
        return given
    wanted = masks.dtype_of(run, declared)
    if declared.dtype is None or wanted == UNSTATED:
        floats = state_of(run).world.get(precision.FLOAT) or Const(masks.WHOLE)
        wanted = Dtype(floats.value if isinstance(floats, Const) else None)
    cast = _cast(run, given, wanted)
    steps = declared.steps if given.steps is None else given.steps
    return replace(cast, dtype=declared.dtype, ragged=declared.ragged, steps=steps)


def into_first(run: Interpreter, first: Value, given: Value) -> Value:
    """Return `given` as it reaches the first layer of a Sequential, which may act as an Input."""
    made = layers.made_of(first)
    if made is None or not isinstance(given, Tensor):
        return given
    if not any(name in made.build.arguments for name in SHAPES):
        wrapper = made.build.class_name in state_of(run).names.wrappers
        seen = wrapper or made.build.class_name in state_of(run).names.recurrent
        given = _unseen(run, given) if seen else given
        return _whole_as_floats(run, made.build, given)
    policies = {one.value if isinstance(one, Const) else None for one in masks.policy_of(run, made.build)}
    policy = policies.pop() if len(policies) == 1 else None
    mixed = isinstance(policy, str) and policy.startswith("mixed_")
    return _cast(run, given, Dtype(masks.WHOLE if mixed else policy))


def _whole_as_floats(run: Interpreter, first: Build, given: Tensor) -> Tensor:
    """Return integers as the Input that Keras 3 puts before a Sequential's first layer takes them: in its dtype."""
    if not masks.dtype_of(run, given).may_be_whole:
        return given
    return replace(given, dtype=value_of(masks.SourceLayer(run, (first,)).computes))


def _unseen(run: Interpreter, given: Tensor) -> Tensor:
    """Return the tensor as a layer that takes masks gets it where nothing comes before it in the Sequential."""

    def seen(epoch: Epoch, index: int) -> Value:
        return masks.in_epoch(given.mask, index) if epoch.first_sees else UNMASKED

    return given if masks.is_none(given.mask) else replace(given, mask=masks.by_epoch(run, seen))


def _cast(run: Interpreter, given: Tensor, wanted: Dtype) -> Tensor:
    """Return the tensor in another dtype, for all that is known; Keras 3 keeps its mask whatever happens."""
    if masks.is_none(given.mask):
        return given

    def left(epoch: Epoch, index: int) -> Value:
        mask = masks.in_epoch(given.mask, index)
        if epoch.model_cast_keeps:
            return mask
        return masks.from_masks(recast(wanted, masks.to_tensor(run, given, index), BECAUSE).masks)

    return replace(given, mask=masks.by_epoch(run, left))
