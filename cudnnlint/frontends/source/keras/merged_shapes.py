"""Sizes that are computed of others: behind a layer that merges tensors, behind Flatten and Reshape."""

from __future__ import annotations

import math
from collections.abc import Sequence

from cudnnlint.frontends.source.keras.sites import Build
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.values import NONE, Const, UnknownValue, Value, assumption, words

Shape = tuple[Value, ...]
OPEN = UnknownValue("is a dimension of a tensor that is not known here")
#: Layers that compute each number of the output from the same one of every input.
EACH = words("Add Average Maximum Minimum Multiply Subtract")


def of(build: Build, shapes: Sequence[Shape | None]) -> Shape | None:
    """Return the shape of what a layer makes of several tensors; None where it is not known."""
    known = [shape for shape in shapes if shape is not None]
    if len(known) < len(shapes) or not known or len({len(shape) for shape in known}) > 1:
        return None
    together = tuple(sizes[0] if _alike(sizes) else OPEN for sizes in zip(*known, strict=True))
    if build.class_name in EACH:
        return None if OPEN in together[1:] else together
    axis = build.arguments.get("axis", Const(-1))
    place = axis.value if isinstance(axis, Const) else None
    if build.class_name != "Concatenate" or type(place) is not int or not -len(together) < place < len(together):
        return None
    place %= len(together)
    numbers = [one for shape in known if (one := _number(shape[place])) is not None]
    if len(numbers) < len(known) or not place:
        return None
    size = Const(sum(numbers), assumed=assumption(axis, *(shape[place] for shape in known)))
    return (*together[:place], size, *together[place + 1 :])


def _alike(sizes: Sequence[Value]) -> bool:
    """Return whether sizes are certainly the same, or all open."""
    values = [size.value if isinstance(size, Const) else OPEN for size in sizes]
    return OPEN not in values and all(one == values[0] for one in values)


def flat(sizes: Sequence[Value]) -> Value:
    """Return the size of the one dimension that Flatten makes of several: None where one of them is open."""
    return NONE if any(map(containers.is_nothing, sizes)) else product(sizes) or OPEN


def product(sizes: Sequence[Value]) -> Const | None:
    """Return the product of sizes; None where one is open."""
    numbers = [_number(one) for one in sizes]
    whole = [one for one in numbers if one is not None]
    return Const(math.prod(whole), assumed=assumption(*sizes)) if len(whole) == len(numbers) else None


def filled(target: Sequence[Value], before: Sequence[Value]) -> Shape | None:
    """Return the target shape of a Reshape, with the size in place of -1; None where one is not known."""
    numbers = [_number(one) for one in target]
    if None in numbers or numbers.count(-1) > 1:
        return None
    if -1 not in numbers:
        return tuple(target)
    whole, rest = product(before), math.prod(one for one in numbers if one is not None and one != -1)
    if whole is None or not rest or whole.value % rest:
        return None
    size = Const(whole.value // rest, assumed=assumption(whole, *target))
    return tuple(size if number == -1 else one for number, one in zip(numbers, target, strict=True))


def _number(size: Value) -> int | None:
    return size.value if isinstance(size, Const) and type(size.value) is int else None
