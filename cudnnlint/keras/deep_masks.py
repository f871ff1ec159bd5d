"""Masks of three dimensions, one value for each feature of a step: where a recurrent layer stops at one."""

from __future__ import annotations

from collections.abc import Collection

#: The dimensions of a mask that has one for each feature.
DEEP = 3
#: The kinds of stops at one (tables/defaults.toml).
DEEP_MASK = "a mask of 3 dimensions"
UNFITTING_MASK = "a mask of 3 dimensions, the last of which is not that of the states"


def stop_at(rank: int | None, last: int | None, units: Collection[object]) -> str | None:
    """Return the kind of stop of a recurrent layer at a mask of this rank and last dimension; None for any other mask.

    The loop takes one whose last dimension is 1, and may take one of as many as the states have. `units` are the sizes
    that a state may have, none where that is not known. Asked of keras 3.15.1 and tf_keras 2.21.
    """
    if rank != DEEP or last == 1:
        return None
    return DEEP_MASK if last is None or not units or last in units else UNFITTING_MASK
