"""What one layer of Keras makes of the mask, the dtype and the raggedness of the tensors that it is given.

For one stretch of Keras releases. What a class does with a mask is in core/masking.py; here it is applied.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cudnnlint.core.execution_context import computes_in, policy_name
from cudnnlint.core.fact import ABSENT, Assumed, Fact, Known, Unknown
from cudnnlint.core.place import SavedPlace
from cudnnlint.frontends.serialized.entry import Entry
from cudnnlint.keras.mask_epochs import Habits
from cudnnlint.keras.masks import OnMask, on_mask

NONE = Known("none")
#: Operations that may hand on the very tensor that they were given, mask and all.
SAME_TENSOR = frozenset({"Cast", "ConvertToTensor", "Identity", "cast", "convert_to_tensor", "identity"})
OP_LAYERS = frozenset({"TFOpLambda", "SlicingOpLambda", "TensorFlowOpLayer"})
#: Layers whose output has the dtype of their input, whole numbers included.
SAME_DTYPE = frozenset({
    "Reshape", "Permute", "Flatten", "RepeatVector", "Masking", "Identity", "Cropping1D", "ZeroPadding1D",
    "UpSampling1D", "MaxPooling1D", "Concatenate", "Add", "Subtract", "Multiply", "Maximum", "Minimum",
})  # fmt: skip


@dataclass(frozen=True)
class Tensor:
    """What is known of a tensor: SURROUNDINGS "mask", "input_dtype" and "ragged".

    `computed` is the dtype that it has when the model runs, None where that cannot be told.
    """

    mask: Fact = NONE
    dtype: Fact = ABSENT
    ragged: Fact = ABSENT
    computed: str | None = None


@dataclass(frozen=True)
class Given:
    """What a layer is called with: the tensors of its first argument, and the mask if one is given with the call.

    `states` counts the tensors of an initial state, `hidden` tells that they keep the mask from the layer.
    """

    tensors: tuple[Tensor, ...] = ()
    mask: Fact | None = None
    states: int = 0
    hidden: bool = False

    @property
    def first(self) -> Tensor:
        """The first tensor."""
        return self.tensors[0] if self.tensors else Tensor()

    @property
    def effective(self) -> Fact:
        """The mask that is given, else the one that rides on the first tensor."""
        return self.first.mask if self.mask is None else self.mask


def behind(entry: Entry, kind: str, given: Given, habits: Habits, place: SavedPlace) -> Tensor:
    """The first output of a Keras layer that is neither recurrent nor a wrapper nor a model."""
    mask = _behind_op(entry, given, place) if is_op(entry) else _mask_behind(entry, kind, given, habits, place)
    if kind in habits.stops and not all(no_mask(tensor.mask) for tensor in given.tensors):
        mask = Unknown(f"{habits.stops[kind]} stop with an error when a mask reaches {kind}", place)
    return Tensor(mask, _dtype_behind(entry, kind, given, place), _ragged_behind(entry, kind, given, habits, place))


def _mask_behind(entry: Entry, kind: str, given: Given, habits: Habits, place: SavedPlace) -> Fact:
    masks = [tensor.mask for tensor in given.tensors]
    effect = on_mask(kind, habits.major)
    if effect is OnMask.MAKES:
        key = "mask_value" if kind == "Masking" else "mask_zero"
        made = key == "mask_value" or bool(entry.config.get("mask_zero"))
        return Known("data", replace(place, key=key)) if made else NONE
    if len(masks) > 1 and not habits.lists:
        return NONE
    if effect is OnMask.KEEPS:
        return given.effective if habits.explicit else given.first.mask
    if effect is OnMask.ANY:
        return _any(masks)
    if effect is OnMask.ALL:
        return _all(masks)
    if effect is OnMask.OWN:
        return _behind_lambda(entry, masks, place)
    if habits.same_tensor and kind in ("Permute", "Reshape") and not no_mask(given.first.mask):
        return _behind_same(entry, kind, given, place)
    return NONE if effect else Unknown(f"the file does not show what {kind} does with masks", place)


def _any(masks: Sequence[Fact]) -> Fact:
    """A mask if any input has one: a known one says so, else an unknown one leaves it open."""
    there = [mask for mask in masks if not no_mask(mask)]
    return next((mask for mask in there if isinstance(mask, Known)), there[0] if there else NONE)


def _all(masks: Sequence[Fact]) -> Fact:
    """A mask if every input has one: one that has none settles it, else an unknown one leaves it open."""
    if not masks or any(no_mask(mask) for mask in masks):
        return NONE
    return next((mask for mask in masks if not isinstance(mask, Known)), masks[0])


def _behind_lambda(entry: Entry, masks: Sequence[Fact], place: SavedPlace) -> Fact:
    if entry.config.get("mask") is None and all(no_mask(mask) for mask in masks):
        return NONE
    return Unknown("what a Lambda layer does with masks depends on its code, which cudnnlint does not run", place)


def _behind_same(entry: Entry, kind: str, given: Given, place: SavedPlace) -> Fact:
    """A Permute or Reshape hands on the very tensor where it changes nothing."""
    if kind == "Reshape":
        return Unknown(
            "on this backend, a Reshape keeps the mask only if it changes nothing, and that is not known here", place
        )
    dims = entry.config.get("dims")
    unchanged = isinstance(dims, list) and dims == list(range(1, len(dims) + 1))
    return given.first.mask if unchanged else NONE


def _behind_op(entry: Entry, given: Given, place: SavedPlace) -> Fact:
    """An operation makes a new tensor, which has no mask, unless it is one that may do nothing at all."""
    function = entry.config.get("function")
    names = {entry.class_name, function if isinstance(function, str) else ""}
    if not names & SAME_TENSOR or all(no_mask(tensor.mask) for tensor in given.tensors):
        return NONE
    return Unknown("a dtype conversion keeps the mask only if it changes nothing, and that is not known here", place)


def _dtype_behind(entry: Entry, kind: str, given: Given, place: SavedPlace) -> Fact:
    own = entry.config.get("dtype")
    if kind == "InputLayer" and isinstance(own, str):
        return Known(own, replace(place, key="dtype"))
    return given.first.dtype if kind in SAME_DTYPE or kind == "InputLayer" else ABSENT


def computed_in(entry: Entry) -> str:
    """The dtype in which a layer computes, by its own dtype or policy."""
    return computes_in(policy_name(entry.config.get("dtype")) or "float32")


def entering(tensor: Tensor, declared: Entry, habits: Habits, place: SavedPlace) -> Tensor:
    """What enters a nested model by its InputLayer: in Keras 2 a cast to another dtype loses the mask.

    Source: `Functional._conform_to_reference_input` of tf_keras 2.21, which casts behind the place where the masks
    are put on the tensors.
    """
    if habits.major >= 3 or declared.class_name != "InputLayer" or no_mask(tensor.mask):
        return tensor
    wanted = computed_in(declared)
    if tensor.computed == wanted:
        return tensor
    if tensor.computed is not None:
        return replace(tensor, mask=NONE, computed=wanted)
    because = f"a nested model casts its input to {wanted}, which drops the mask of an input of another dtype"
    return replace(tensor, mask=Unknown(because, place), computed=wanted)


def _ragged_behind(entry: Entry, kind: str, given: Given, habits: Habits, place: SavedPlace) -> Fact:
    if entry.config.get("ragged") is True:
        return Known(True, replace(place, key="ragged"))
    ragged = given.first.ragged
    if ragged == ABSENT or on_mask(kind, habits.major) not in (OnMask.DROPS, OnMask.OWN, None):
        return ragged
    return Unknown(f"{kind} gets a RaggedTensor, and its output is not known", place)


def is_op(entry: Entry) -> bool:
    """Is it an operation that became a layer when the model was built?"""
    return entry.class_name in OP_LAYERS or (entry.module or "").startswith(("keras.src.ops", "keras.ops"))


def no_mask(mask: Fact) -> bool:
    """Is it certain, or taken for certain, that there is no mask?"""
    return isinstance(mask, (Known, Assumed)) and bool(mask.value == "none")
