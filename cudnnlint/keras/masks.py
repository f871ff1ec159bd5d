"""Which mask reaches a layer, and which comes out of it, in one mask epoch.

It is the run that counts, not the symbolic graph: Keras 3 warns that a nested model destroys the mask while the graph
is built, yet at run time the mask rides on the tensors through the layers inside it. So a nested model, or a user's
layer, is transparent: front ends follow the layers inside.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from cudnnlint.core.masking import Epoch, MaskTable, OnMask, stops_of
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.keras.lattice import (
    GLOBAL,
    UNMASKED,
    UNSTATED,
    CallInputs,
    Dtype,
    Kind,
    Mask,
    Masks,
    Passed,
    TensorTraits,
    join,
    one,
    unknown,
)
from cudnnlint.keras.view import OPEN, LayerView

STATES = "Keras 3 hides the mask from a layer that is called with states"
HANDED_ON = "a TimeDistributed around a recurrent layer hands on its mask, whose rank is not known"
SPREAD = "the TimeDistributed around it gets a mask, and its shape decides which mask the layer inside gets"
DOUBLES = "only with jax_enable_x64 is float64 another dtype than float32, whose cast loses the mask"
CAST = "a cast changes the dtype"
RANK = 2  # of the masks that recurrent layers take: batch and steps
#: Axes along which no steps lie. Along the steps two right-padded sequences become one with padding in the middle.
FEATURES = (-1, 2)
#: What gives the very tensor that it got where it changes nothing, if operations do so.
SAME = ("Permute", "Reshape", "Cropping1D", "Cropping2D", "Cropping3D")
#: How the origin of a mask of several begins: they count the same steps, or steps that come one after another.
MERGED, JOINED = "merged", "joined along the steps"
_MOST = 64  # alternatives of merged masks that are followed


def cast(layer: LayerView, tensor: TensorTraits, epoch: Epoch) -> TensorTraits:
    """Return the tensor as a layer receives it: cast to the layer's dtype, it loses its mask in some epochs."""
    if epoch.cast_keeps or tensor.masks.none or tensor.dtype.whole:
        return tensor
    return recast(layer.computes, tensor, epoch, f"{layer.class_name} casts its input to its own dtype", layer.token)


def recast(wanted: Dtype, tensor: TensorTraits, epoch: Epoch, because: str, token: Any = None) -> TensorTraits:
    """Return the tensor cast to a dtype: its mask is lost where it has another dtype."""
    has = tensor.dtype
    if wanted.token == GLOBAL and (has.token == GLOBAL or has == UNSTATED):
        return tensor  # both have the dtype that holds everywhere
    if wanted.name is None or has.name is None:
        return tensor.masked(unknown(f"{because}, which loses the mask of any input of another dtype", token))
    if wanted.name == has.name:
        return tensor
    if not epoch.doubles and {wanted.name, has.name} == {"float32", "float64"}:
        return tensor.masked(unknown(f"{because}, and {DOUBLES}", token))
    left = (mask if mask.kind is Kind.UNKNOWN else Mask(Kind.NONE) for mask in tensor.masks.options)
    return tensor.masked(Masks(tuple(dict.fromkeys(left)), tensor.masks.because))


def effective(given: CallInputs, epoch: Epoch) -> Masks:
    """Return the mask that the call passes, else the one that the first tensor carries."""
    own = given.first.masks
    return join(_explicit(option, own, epoch) for option in given.mask)


def _explicit(given: Masks | Passed, own: Masks, epoch: Epoch) -> Masks:
    """Return the mask that `mask=given` passes; Keras 3 takes None for "not given"."""
    if isinstance(given, Masks):
        return given
    return UNMASKED if given is Passed.NOTHING and epoch.major == 2 else own


def arriving(given: CallInputs, epoch: Epoch) -> Masks:
    """Return the mask that reaches a recurrent layer."""
    own = given.first.masks
    if given.hides is not False and epoch.extra_tensors_hide and not own.none:
        own = UNMASKED if given.hides else join([UNMASKED, own], STATES)
    return join(_explicit(option, own, epoch) for option in given.mask).each(_of_steps)


def _of_steps(mask: Mask) -> Mask:
    if mask.rank in (None, RANK):
        return mask
    because = f"a mask of rank {mask.rank} reaches it, and a recurrent layer takes one of rank {RANK}"
    return Mask(Kind.UNKNOWN, mask.origin, mask.rank, because)


def leaving(table: MaskTable, layer: LayerView, given: CallInputs, epoch: Epoch) -> Masks:
    """Return the mask of the output of a layer that wraps no other one."""
    name = layer.class_name
    masks = [tensor.masks for tensor in given.inputs]
    stop = stop_of(name, masks, epoch)
    if stop is not None:
        return stopped(layer, stop)
    effect = table.effect(name, epoch)
    if effect is OnMask.MAKES:
        return _made(layer, given.first)
    if len(masks) > 1 and not epoch.lists and effect is not OnMask.SEQUENCES:
        return UNMASKED
    handed_on = effective(given, epoch) if epoch.explicit else given.first.masks
    if effect is OnMask.KEEPS:
        return handed_on
    if effect is OnMask.SAME:
        return handed_on if given.first.masks.none else given.first.masks
    if effect is OnMask.INFERENCE and not given.first.masks.none:
        return unknown(f"at inference the output of {name} is its input, mask and all; in training it has no mask")
    if effect is OnMask.SEQUENCES:
        return only_if(layer, "return_sequences", handed_on)
    if effect is OnMask.OWN and given.own is not None:
        return given.own
    if effect in (OnMask.ANY, OnMask.ALL):
        return _merged(layer, masks, effect, epoch)
    if epoch.same_tensor and name in SAME and not given.first.masks.none:
        return _of_same(layer, given.first.masks)
    followed = effect not in (None, OnMask.INNER)
    return UNMASKED if followed or all(mask.none for mask in masks) else _unknown_effect(layer)


def stop_of(name: str, masks: Sequence[Masks] | None, epoch: Epoch) -> str | None:
    """Return the releases that stop when these masks reach a layer of a class, one for each input; None for none.

    `masks` None asks for any mask at all.
    """
    three = masks if masks is None or len(masks) > 2 else []
    for row, reaching in zip(stops_of(name), (masks, masks and masks[1:], three), strict=True):
        if row in epoch.stops and (reaching is None or not all(mask.none for mask in reaching)):
            return epoch.stops[row]
    return None


def stopped(layer: LayerView, releases: str) -> Masks:
    """Return the mask of the output of a layer that stops when a mask reaches it: unknown, with that reason."""
    return unknown(f"{releases} stop with an error when a mask reaches {layer.class_name}")


def _unknown_effect(layer: LayerView) -> Masks:
    return unknown(f"what {layer.class_name} does with a mask is not known", layer.token)


def only_if(layer: LayerView, name: str, masks: Masks) -> Masks:
    """Return the masks where a setting is true, no mask where it is false, and either where it is unknown."""
    setting = layer.setting(name)
    wanted = setting.truth()
    if wanted is None:
        return join([masks, UNMASKED], setting.because)
    return masks if wanted else UNMASKED


def _made(layer: LayerView, first: TensorTraits) -> Masks:
    """Return the mask that an Embedding (of the steps that are not 0) or a Masking (not `mask_value`) makes."""
    masking = layer.class_name == "Masking"
    hidden = layer.setting("mask_value").known(0.0) if masking else 0
    rank = None if first.rank is None else first.rank - masking
    origin = (layer.class_name, str(hidden), first.origin)
    known = first.padding if hidden is not OPEN and first.fill is not OPEN and first.fill == hidden else None
    mask = Mask(Kind.DATA, token=layer.token) if known is None else known
    made = one(replace(mask, origin=origin, rank=rank))
    return made if masking else only_if(layer, "mask_zero", made)


def _merged(layer: LayerView, masks: list[Masks], effect: OnMask, epoch: Epoch) -> Masks:
    """Return the mask of merged inputs: where one of them, or each of them, has one."""
    combinations = list(itertools.islice(itertools.product(*(mask.options for mask in masks)), _MOST + 1))
    if len(combinations) > _MOST:
        return unknown("too many different masks may be merged here")
    because = next((mask.because for mask in masks if mask.because), "")
    merged = dict.fromkeys(_merge(layer, list(each), effect, epoch) for each in combinations)
    return Masks(tuple(merged), because)


def _merge(layer: LayerView, masks: list[Mask], effect: OnMask, epoch: Epoch) -> Mask:
    there = [mask for mask in masks if mask.kind is not Kind.NONE]
    every = len(there) == len(masks)
    if not there or (effect is OnMask.ALL and not every):
        return Mask(Kind.NONE)
    unsure = [mask for mask in there if mask.kind is Kind.UNKNOWN]
    if unsure and (effect is OnMask.ALL or len(unsure) == len(there)):
        return unsure[0]
    joined = layer.class_name == "Concatenate"
    axis = layer.setting("axis").known(-1)
    along_steps = joined and axis not in FEATURES
    if len(set(there)) == 1 and (every or not joined) and not along_steps:
        return there[0]
    kinds = {mask.kind for mask in there}
    kind = Kind.DATA if len(kinds) > 1 or unsure or along_steps else there[0].kind
    if joined and not every and epoch.major >= 3 and kind is not Kind.RIGHT:
        kind = Kind.DATA  # a step counts if it does in any input; Keras still looks at the mask when it runs
    if along_steps and axis is not OPEN and Kind.LEFT in kinds:
        kind = Kind.LEFT  # padding before steps stays there, whatever comes before and behind
    origin = (JOINED if along_steps else MERGED, epoch.major, *(mask.origin for mask in masks))
    return replace(there[0], kind=kind, origin=origin, token=there[0].token if kind is there[0].kind else None)


def _of_same(layer: LayerView, masks: Masks) -> Masks:
    """Return the mask of a layer in SAME, which gives the very tensor that it got where it changes nothing."""
    if layer.class_name.startswith("Cropping"):
        cropping = layer.setting("cropping").known(OPEN)
        if cropping is not OPEN:
            return UNMASKED if any(_numbers(cropping)) else masks
    dims = layer.setting("dims").known(OPEN)
    if layer.class_name == "Reshape" or not isinstance(dims, (list, tuple)):
        because = f"a {layer.class_name} that changes nothing keeps the mask on this backend, and any other loses it"
        return unknown(because, layer.token)
    return masks if list(dims) == list(range(1, len(dims) + 1)) else UNMASKED


def _numbers(value: Any) -> Iterator[Any]:
    """Yield the numbers in a number, or in lists of numbers."""
    for part in value if isinstance(value, list | tuple) else [value]:
        yield from _numbers(part) if isinstance(part, list | tuple) else [part]


def inside(given: CallInputs, epoch: Epoch) -> Masks:
    """Return the mask that the layer inside a TimeDistributed gets of the one that reaches the wrapper."""
    return effective(given, epoch).each(_of_step)


def _of_unknown_rank(mask: Mask) -> Mask:
    """Return the mask of a TimeDistributed around a recurrent layer: it fits a tensor of rank 4, or was passed."""
    return mask if mask.rank is not None else Mask(Kind.UNKNOWN, mask.origin, because=HANDED_ON)


def _of_step(mask: Mask) -> Mask:
    if mask.rank == RANK + 1:
        return Mask(Kind.DATA, ("step", mask.origin), RANK, token=mask.token)
    return Mask(Kind.UNKNOWN, ("step", mask.origin), because=SPREAD)


def spread(table: MaskTable, layer: LayerView, given: CallInputs, inner: Masks, epoch: Epoch) -> Masks:
    """Return the mask of the output of a TimeDistributed, where the layer inside has `inner` at its output.

    Keras 3 hands its own mask on. Keras 2 asks the layer inside, and keeps its own where that gives none.
    """
    own = effective(given, epoch) if epoch.explicit else given.first.masks
    if not own.none and layer.class_name in epoch.stops:
        return stopped(layer, epoch.stops[layer.class_name])
    wrapped = layer.inner
    effect = table.effect(wrapped.class_name, epoch) if wrapped is not None else None
    if epoch.major >= 3:
        return own.each(_of_unknown_rank) if effect is OnMask.SEQUENCES else own
    if own.none or effect is OnMask.MAKES:
        return inner.each(lambda mask: replace(mask, rank=None if mask.rank is None else mask.rank + 1))
    if wrapped is not None and effect is OnMask.DROPS:
        because = f"Keras 2 stops with an error when a mask reaches a TimeDistributed around {wrapped.class_name}"
        return own.each(lambda mask: mask if mask.kind is Kind.UNKNOWN else Mask(Kind.UNKNOWN, because=because))
    return own.each(lambda mask: replace(mask, rank=RANK)) if inner.none else own
