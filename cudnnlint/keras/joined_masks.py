"""Where the masks of several inputs do not fit together: Keras 2 cannot join them along another axis than the last.

An input without a mask gets one of its own shape, and a mask gets a dimension of one more: they can be joined along the
last axis alone, unless the inputs have one feature (tf_keras/src/layers/merging/concatenate.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_

from cudnnlint.core.masking import Epoch, unlike_masks
from cudnnlint.core.truth import Truth, joint
from cudnnlint.keras.lattice import Kind, Masks


def unlike(
    name: str, masks: Sequence[Masks], axis: object, rank: int | None, features: int | None, epoch: Epoch
) -> Truth:
    """Return whether a layer stops at the masks of its inputs, one for each.

    `axis`, `rank` and `features` are what it joins along, and the rank and last dimension of its inputs; None where
    they are not known.
    """
    if unlike_masks(name) not in epoch.stops or rank in (0, 1, 2) or features == 1:
        return Truth.NO
    last = Truth.UNKNOWN if rank is None or not isinstance(axis, int) else Truth.of(axis in (-1, rank - 1))
    if axis == -1 or last is Truth.YES:
        return Truth.NO
    some = _any(map(_has, masks)) & _any(~_has(one) for one in masks)
    wide = Truth.YES if features is not None else Truth.UNKNOWN
    return some & ~last & wide


def _any(truths: Iterable[Truth]) -> Truth:
    return reduce(or_, truths, Truth.NO)


def _has(masks: Masks) -> Truth:
    """Return whether a tensor has a mask."""
    return joint([
        Truth.UNKNOWN if mask.kind is Kind.UNKNOWN else Truth.of(mask.kind is not Kind.NONE) for mask in masks.options
    ])
