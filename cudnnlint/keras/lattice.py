"""What is known of a tensor while a model runs: its mask, dtype, rank and raggedness, for one mask epoch.

What was not examined is unknown, never the harmless default. A `token` is what a front end knows a value by (a place,
a value of its own); it is handed on untouched.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from enum import Enum
from typing import Any

from cudnnlint.core.frozen import record
from cudnnlint.core.quick_dataclass import replace

WHOLE = ("int", "uint", "bool")


class Kind(Enum):
    """What a mask is, as the fact "mask" has it."""

    NONE = "none"
    RIGHT = "right"
    LEFT = "left"
    DATA = "data"
    UNKNOWN = "unknown"


@record(frozen=True)
class Mask:
    """One mask that a tensor may have.

    `origin` is what it is computed from: two masks of the same origin are the same. `because` says why it is unknown.
    """

    kind: Kind
    origin: Hashable = None
    rank: int | None = None
    because: Any = ""
    token: Any = None


@record(frozen=True)
class Masks:
    """The masks that a tensor may have, one of which it has; `because` says why it is not known which."""

    options: tuple[Mask, ...]
    because: Any = ""

    @property
    def none(self) -> bool:
        """Return whether there is certainly no mask."""
        return all(mask.kind is Kind.NONE for mask in self.options)

    @property
    def rank(self) -> int | None:
        """The rank of the mask, where all that it may be have the same."""
        ranks = {mask.rank for mask in self.options if mask.kind is not Kind.NONE}
        return ranks.pop() if len(ranks) == 1 else None

    def each(self, change: Callable[[Mask], Mask]) -> Masks:
        """Return the masks, each changed alike; no mask stays none."""
        changed = (mask if mask.kind is Kind.NONE else change(mask) for mask in self.options)
        return Masks(tuple(changed), self.because)


UNMASKED = Masks((Mask(Kind.NONE),))


def one(mask: Mask) -> Masks:
    """Return a mask that is certain."""
    return Masks((mask,))


def unknown(because: Any, token: Any = None) -> Masks:
    """Return an unknown mask, with the reason."""
    return one(Mask(Kind.UNKNOWN, because=because, token=token))


def join(several: Iterable[Masks], because: Any = "") -> Masks:
    """Return the masks that it may be if it is any of these."""
    several = list(several)
    if len(several) == 1:
        return several[0]
    because = because or next((masks.because for masks in several if masks.because), "")
    return Masks(tuple(dict.fromkeys(mask for masks in several for mask in masks.options)), because)


@record(frozen=True)
class Dtype:
    """The dtype of a tensor: its name, or why it is unknown; neither where nothing says that it is not a float."""

    name: str | None = None
    because: Any = ""
    token: Any = None

    @property
    def whole(self) -> bool:
        """Return whether it certainly holds integers or booleans."""
        return self.name is not None and self.name.startswith(WHOLE)

    @property
    def may_be_whole(self) -> bool:
        """Return whether it may hold integers or booleans, as far as is known."""
        return self.whole or bool(self.because)


UNSTATED = Dtype()
#: The token of a dtype that is the one which holds everywhere, and of no layer's own choice.
GLOBAL = "the global policy"


@record(frozen=True)
class TensorTraits:
    """A tensor.

    `ragged` is None where that is unknown, because of `ragged_because`; `origin` is what the tensor is computed by.
    `padding` is the mask of the steps that hold another value than `fill`, where that is known. `steps` is the length
    of its second dimension (the time steps of a sequence), None where it is unknown or varies. `shown` is the dtype
    that a graph may show for integers which a layer hands on: what that layer computes in.
    """

    masks: Masks = UNMASKED
    dtype: Dtype = UNSTATED
    rank: int | None = None
    ragged: bool | None = False
    ragged_because: str = ""
    origin: Hashable = None
    padding: Mask | None = None
    fill: Any = None
    steps: int | None = None
    shown: Dtype | None = None

    def masked(self, masks: Masks) -> TensorTraits:
        """Return the same tensor with other masks."""
        return replace(self, masks=masks)


class Passed(Enum):
    """How `mask=` is given in a call, where it is no mask."""

    NOTHING = "mask=None"
    LEFT_OUT = "not given"


@record(frozen=True)
class CallInputs:
    """What a layer is called with: the tensors of its first argument, and what is given beside them.

    `mask` are the alternatives of `mask=`; `states` are the tensors of an initial state, and `hides` says whether
    other tensor arguments are given (None: perhaps). `own` is the mask that a Lambda's `mask=` computes, `others`
    are the tensors of the other arguments. `numbers` are the dtypes of the numbers and arrays beside the tensors.
    """

    inputs: tuple[TensorTraits, ...] = ()
    mask: Sequence[Masks | Passed] = (Passed.LEFT_OUT,)
    hides: bool | None = False
    own: Masks | None = None
    states: tuple[TensorTraits, ...] = ()
    others: tuple[TensorTraits, ...] = ()
    numbers: tuple[str, ...] = ()

    @property
    def first(self) -> TensorTraits:
        """The first tensor."""
        return self.inputs[0] if self.inputs else TensorTraits()

    @property
    def passed(self) -> bool:
        """Return whether the call passes a mask."""
        return tuple(self.mask) != (Passed.LEFT_OUT,)
