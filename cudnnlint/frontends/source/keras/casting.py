"""What enters a model behind its own Input: Keras casts it to the Input's dtype, and Keras 2 loses the mask then.

Source: `Functional._conform_to_reference_input` of tf_keras 2.21, which casts behind the place where the masks are
put on the tensors.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cudnnlint.core.execution_context import computes_in
from cudnnlint.frontends.source.keras import layers, masks, precision
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.tensors import UNMASKED, Tensor
from cudnnlint.frontends.source.python.values import MISSING, NONE, Const, Missing, Unfollowed, Value, join, options
from cudnnlint.keras.mask_epochs import Habits

if TYPE_CHECKING:
    from cudnnlint.frontends.source.keras.sites import Build
    from cudnnlint.frontends.source.python.interpreter import Interpreter

WHOLE = "float32"
WRAPPERS = ("Bidirectional", "TimeDistributed")
#: The arguments of a Sequential's first layer that give the model an Input, in Keras 2.
SHAPES = ("input_shape", "batch_input_shape", "input_dim", "input_length")


def as_declared(run: Interpreter, declared: Value, given: Value) -> Value:
    """`given` in the place of `declared`, the model's own Input."""
    if not isinstance(declared, Tensor) or not isinstance(given, Tensor):
        return given
    cast = _cast(run, given, declared.dtype)
    return replace(cast, dtype=declared.dtype, ragged=declared.ragged)


def into_first(run: Interpreter, first: Value, given: Value) -> Value:
    """`given` as it reaches the first layer of a Sequential, which may stand for an Input."""
    made = layers.made_of(first)
    if made is None or not isinstance(given, Tensor):
        return given
    if not any(name in made.build.arguments for name in SHAPES):
        takes_mask = made.build.class_name in state_of(run).names.recurrent or made.build.class_name in WRAPPERS
        return _unseen(given) if takes_mask else given
    policy = _policy(run, made.build)
    weights = [Const(WHOLE) if str(one.value).startswith("mixed_") else one for one in policy if isinstance(one, Const)]
    return _cast(run, given, join(weights) if len(weights) == len(policy) else Unfollowed("is a dtype", None))


def _unseen(given: Tensor) -> Tensor:
    """The tensor as a layer that takes masks gets it where nothing comes before it in the Sequential."""

    def seen(habits: Habits, index: int) -> Value:
        return masks.in_era(given.mask, index) if habits.first_sees else UNMASKED

    return given if masks.is_none(given.mask) else replace(given, mask=masks.by_era(seen))


def _cast(run: Interpreter, given: Tensor, wanted: Value | None) -> Tensor:
    """The tensor in another dtype, for all that is known; Keras 3 keeps its mask whatever happens."""
    if masks.is_none(given.mask):
        return given
    needed = options(wanted) if wanted is not None and not isinstance(wanted, Missing) else [_float(run)]
    alike = {_same(one, other) for one in needed for other in _computed(run, given)}
    if alike == {True}:
        return given
    because = "a nested model casts its input to the dtype of its Input, which loses the mask of any input of another"

    def left(habits: Habits, index: int) -> Value:
        mask = masks.in_era(given.mask, index)
        if habits.major >= 3:
            return mask
        return UNMASKED if alike == {False} else Unfollowed(because, None, "unknown")

    return replace(given, mask=masks.by_era(left))


def _same(one: Value, other: Value) -> bool | None:
    if not isinstance(one, Const) or not isinstance(other, Const):
        return None
    return bool(one.value == other.value)


def _computed(run: Interpreter, tensor: Tensor) -> list[Value]:
    """The dtype that a tensor has when the model runs: that in which its layer computes."""
    layer = tensor.source.layer if tensor.source is not None else None
    made = layers.made_of(layer) if layer is not None else None
    while made is not None and made.build.class_name in ("Bidirectional", "TimeDistributed"):
        made = layers.made_of(options(made.build.arguments.get("layer", NONE))[0])
    policies = _policy(run, made.build) if made is not None else [_global(run)]
    return [Const(computes_in(str(one.value))) if isinstance(one, Const) else one for one in policies]


def _policy(run: Interpreter, build: Build) -> list[Value]:
    """The policy of a layer, by its name: its own, else the one that holds."""
    own = precision.named(build.arguments.get("dtype", MISSING))
    return [
        _global(run) if isinstance(one, Missing) or (isinstance(one, Const) and one.value is None) else one
        for one in options(own)
    ]


def _global(run: Interpreter) -> Value:
    (only, *more) = options(precision.current(run))
    if more:
        return Unfollowed("is one of several policies", None)
    return Const(WHOLE) if isinstance(only, Missing) else only


def _float(run: Interpreter) -> Value:
    """What an Input is that says nothing of its dtype."""
    return state_of(run).world.get(precision.FLOAT) or Const(WHOLE)
