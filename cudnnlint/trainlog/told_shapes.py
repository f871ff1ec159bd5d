"""Shapes and numbers in the message of an error, and what they say: which axis differs, what is missing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import prod

Shape = tuple[int | None, ...]
#: What the axes of an array of so many axes are called; nothing for weights.
Roles = Mapping[int, tuple[str, ...]]

_SIZE = r"(?:None|\?|-?\d{1,9}L?)"
_SHAPE = re.compile(rf"(?<!\w)\(\s*{_SIZE}\s*(?:,\s*{_SIZE}\s*)*,?\s*\)|(?<!\w)\[\s*{_SIZE}\s*(?:,\s*{_SIZE}\s*)*\]")
#: A message with none of these lists shapes without saying that they do not fit.
_UNFIT = re.compile(
    r"incompatible|mismatch|mis-match|must|should|match|expect|unequal|differ|not equal|not compatible|not aligned"
    r"|broadcast|cannot reshape|invalid shape|ensure",
    re.IGNORECASE,
)
_WANTED = re.compile(
    r"(?:expected|expects?|wanted|requires?|needs?|constructed with|to have shape|into)\b[^()\[\]]*$", re.I
)
_GIVEN = re.compile(r"(?:found|got|received|given|actual|provided|passed|called on|from)\b[^()\[\]]*$", re.I)
_PRODUCT = re.compile(r"MatMul|Matrix size-incompatible|not aligned")
_TURNED = "(op: 'Transpose')"
_WEIGHTS = re.compile(r"weight|kernel|\bbias|Assign|variable", re.I)
_DIMENSION = re.compile(r"Dimension\((\d+|None)\)")
_RESHAPED = re.compile(r"cannot reshape array of size (?P<size>\d{1,12}) into shape (?P<shape>\([^()]{1,60}\))")
_OUTSIDE = re.compile(r"(?P<value>-?\d{1,9}) (?:is not in|which is outside the valid range of) \[0, (?P<end>\d{1,9})\)")
_SHORT = re.compile(r"required: (?P<wanted>\d{1,9}), available: (?P<there>\d{1,9})")
_SLICE = re.compile(
    r"slice index (?P<index>-?\d{1,9}) of dimension (?P<axis>\d) out of bounds"
    r"[^\n]{0,120}?input shapes: (?P<shape>\[[^\[\]]{1,60}\])"
)
_DIMENSIONS = re.compile(
    r"expected (?:\S+ to have |ndim=|min_ndim=)(?P<wanted>\d) ?(?:dimensions|, found)[^\n]{0,60}?"
    r"(?P<shape>[(\[][^()\[\]]{1,60}[)\]])"
)
_ROLES = {1: ("rows",), 2: ("rows", "values"), 3: ("rows", "steps", "features")}
#: Standalone Keras leaves the rows out where it compares data with a model.
_WITHOUT_ROWS = "Error when checking"
_INNER_ROLES = {1: ("values",), 2: ("steps", "features")}


def read(text: str) -> Shape:
    """Return a shape as numbers; None for a size that is open."""
    sizes = re.findall(_SIZE, text)
    return tuple(int(size.rstrip("L")) if size.lstrip("-").rstrip("L").isdigit() else None for size in sizes)


def written(shape: Shape) -> str:
    """Return a shape as Python writes it."""
    return str(shape)


def said(message: str) -> list[str]:
    """Return what the numbers of a message say, a sentence for each."""
    message = _DIMENSION.sub(r"\1", message)
    told = [_reshaped(message), _outside(message), _short(message), _dimensions(message), _sliced(message)]
    found = [sentence for sentence in told if sentence]
    return found or [sentence for sentence in [_pair(message)] if sentence]


def _reshaped(message: str) -> str | None:
    match = _RESHAPED.search(message)
    if match is None:
        return None
    size, shape = int(match["size"]), read(match["shape"])
    wanted = prod(axis for axis in shape if axis is not None and axis > 0)
    if -1 in shape:
        return f"{size} numbers cannot be divided by {wanted}: {size % wanted} are left over" if wanted else None
    if size < wanted:
        return f"{written(shape)} takes {wanted} numbers and there are {size}: {wanted - size} too few"
    return f"{written(shape)} takes {wanted} numbers and there are {size}: {size - wanted} too many"


def _outside(message: str) -> str | None:
    match = _OUTSIDE.search(message)
    if match is None:
        return None
    value, end = int(match["value"]), int(match["end"])
    if value < 0:
        return f"{value} is below 0: an unknown word or label, or a filling that was never replaced"
    return f"{value} wants {value + 1} rows or classes at least, and there are {end}"


def _short(message: str) -> str | None:
    match = _SHORT.search(message)
    if match is None:
        return None
    return f"a label needs {match['wanted']} steps and the network gives {match['there']} for that row"


def _sliced(message: str) -> str | None:
    """Return how many there are on the axis of which one is taken that is not there."""
    match = _SLICE.search(message)
    shape = read(match["shape"]) if match else ()
    if match is None or int(match["axis"]) >= len(shape) or (size := shape[int(match["axis"])]) is None:
        return None
    return f"index {match['index']} of axis {match['axis']}: {written(shape)} has {size} there, 0 to {size - 1}"


def _dimensions(message: str) -> str | None:
    match = _DIMENSIONS.search(message)
    if match is None:
        return None
    shape, wanted = read(match["shape"]), int(match["wanted"])
    if len(shape) == wanted:
        return None
    if len(shape) == 2 and shape[1] == 1 and wanted > 2:
        return f"{written(shape)} is one number for each row, or rows of unlike length, which numpy keeps as objects"
    return f"{wanted} axes are wanted and {written(shape)} has {len(shape)}"


def _pair(message: str) -> str | None:
    """Return what the first two shapes that differ say, if the message says that they do not fit."""
    if _TURNED in message:  # the second list there is an order of axes
        return None
    found = [(match, read(match[0])) for match in _SHAPE.finditer(message)]
    found = [(match, shape) for match, shape in found if len(shape) > 1 or match[0][0] == "[" or "," in match[0]]
    other = next((at for at, (_, shape) in enumerate(found) if shape != found[0][1]), None)
    if other is None or not _UNFIT.search(message):
        return None
    (first, one), (second, two) = found[0], found[other]
    before = (message[: first.start()], message[first.end() : second.start()])
    if _PRODUCT.search(message) and one[-1] != two[0] and len(one) == len(two) == 2:
        return _factors(one, two)
    roles = _INNER_ROLES if _WITHOUT_ROWS in message else _ROLES
    roles = {} if _WEIGHTS.search(message) else roles
    if _GIVEN.search(before[0]) and _WANTED.search(before[1]):
        return f"{written(two)} is wanted and {written(one)} is given: {difference(two, one, roles)}"
    if _WANTED.search(before[0]) and _GIVEN.search(before[1]):
        return f"{written(one)} is wanted and {written(two)} is given: {difference(one, two, roles)}"
    return f"{written(one)} and {written(two)} do not fit: {difference(one, two, roles)}"


def _factors(one: Shape, two: Shape) -> str:
    """Return why an array cannot be multiplied with weights."""
    told = f"{written(one)} times {written(two)}: the {one[-1]} values of a row meet weights for {two[0]}"
    return told + (
        f" (an LSTM of {two[0]} units has weights of {written(two)} for its state)"
        if two[1] == 4 * (two[0] or 0)
        else ""
    )


def difference(one: Shape, two: Shape, roles: Roles) -> str:
    """Return in what two shapes differ; the first is the one that is wanted, where one is."""
    if len(one) != len(two):
        return _ranks(one, two)
    unlike = [at for at, (a, b) in enumerate(zip(one, two, strict=True)) if None not in (a, b) and a != b]
    if not unlike:
        return "an axis is open in one of them"
    if len(unlike) > 1 and sorted(map(str, one)) == sorted(map(str, two)):
        return "the same axes in another order, `np.transpose(x, ...)` turns them"
    if len(unlike) > 1 and None not in (*one, *two) and _count(one) == _count(two):
        return f"both hold the same number of values, `reshape` makes {written(two)} of the first"
    return "; ".join(_axis(at, len(one), int(one[at] or 0), int(two[at] or 0), roles) for at in unlike)


def _count(shape: Shape) -> int:
    return prod(size or 0 for size in shape)


def _axis(at: int, rank: int, a: int, b: int, roles: Roles) -> str:
    if 0 in (a, b):
        return f"one of them is empty, axis {at} is {a} and {b}"
    if rank in roles:
        return f"the {roles[rank][at]} differ, {a} and {b}{_times(a, b)}"
    if roles or at < rank - 1:
        return f"axis {at} is {a} and {b}"
    return f"the last axis is {a} and {b}{_gates(a, b)}"


def _times(a: int, b: int) -> str:
    small, large = sorted((a, b))
    return f" ({large} is {large // small} times {small})" if small > 1 and large % small == 0 else ""


def _gates(a: int, b: int) -> str:
    """Return what sizes of a recurrent layer's weights say: an LSTM has four gates, a GRU three, of `units` each."""
    small, large = sorted((a, b))
    if small > 0 and small * 4 == large * 3:
        told = f", as a GRU and an LSTM of {large // 4} units have it"
        return told + (f", or LSTMs of {small // 4} and {large // 4} units" if small % 4 == 0 else "")
    if small > 0 and small * 2 == large:
        return ", twice as much: two biases in place of one, or both directions"
    if small > 0 and small % 4 == large % 4 == 0:
        return f", which is {a // 4} and {b // 4} units of an LSTM"
    return f", which is {a // 3} and {b // 3} units of a GRU" if small > 0 and small % 3 == large % 3 == 0 else ""


def _ranks(one: Shape, two: Shape) -> str:
    long, short = (one, two) if len(one) > len(two) else (two, one)
    if len(long) - len(short) == 1:
        left_out = [at for at in range(len(long)) if _fits((*long[:at], *long[at + 1 :]), short)]
        single = [at for at in left_out if long[at] == 1]
        if single:
            return _single(single[-1], len(long), written(short))
        if 1 in left_out and len(long) == 3:
            return "one has an axis for the steps and the other has not (return_sequences=True keeps it)"
    inner = [axis for axis in long[1:] if axis is not None]
    if len(short) == 2 and len(inner) == len(long) - 1 > 1 and prod(inner) == short[1]:
        sizes = ", ".join(map(str, inner))
        return f"the {short[1]} values of a row are {' * '.join(map(str, inner))}, `x.reshape(-1, {sizes})` parts them"
    return f"{len(one)} axes and {len(two)}"


def _single(at: int, rank: int, short: str) -> str:
    if at == rank - 1:
        return f"{short} lacks the last axis, which is of size 1: `x[..., None]` adds it"
    return (
        f"{short} lacks axis {at}, which is of size 1: `np.expand_dims(x, {at})` adds it, "
        f"`np.squeeze(x, {at})` removes it"
    )


def _fits(one: Shape, two: Shape) -> bool:
    return all(None in (a, b) or a == b for a, b in zip(one, two, strict=True))
