"""Fixes as intents: what to change and what that does to the numbers; the rewriters know how."""

from __future__ import annotations

from enum import Enum
from typing import Any, Union

from cudnnlint.core.place import SourcePlace
from cudnnlint.core.quick_dataclass import dataclass, replace


class Effect(Enum):
    """What a fix does to what the model computes."""

    SAME_NUMBERS = "the model computes the same numbers, in training and at inference"
    SAME_AT_INFERENCE = "the same numbers at inference; training changes"
    CHANGES_NUMBERS = "the model computes different numbers, at inference too"
    NEEDS_NEW_WEIGHTS = "the model computes different numbers and has to be retrained"


class Applicability(str, Enum):
    """The values are those of the JSON output."""

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY_ONLY = "displayonly"

    @property
    def boldness(self) -> int:
        """Return more for what is applied more readily; of several fixes the least bold one decides."""
        return (Applicability.DISPLAY_ONLY, Applicability.UNSAFE, Applicability.SAFE).index(self)


@dataclass(frozen=True)
class SetArgument:
    """Give `name` the value `value` (a literal, or a Ref)."""

    name: str
    value: Any


@dataclass(frozen=True)
class DropArgument:
    """Leave the argument out, so that the target's default holds."""

    name: str


@dataclass(frozen=True)
class ReplaceClass:
    """Construct `new` in place of `old` (class names), e.g. CuDNNLSTM -> LSTM."""

    old: str
    new: str


@dataclass(frozen=True)
class CellToLayer:
    """RNN(LSTMCell(u, ...), ...) -> LSTM(u, ..., ...), argument by argument."""

    layer_class: str


@dataclass(frozen=True)
class Unroll:
    """RNN([cells]) or StackedRNNCells -> a chain of layers."""

    layer_classes: tuple[str, ...]


@dataclass(frozen=True)
class PutInput:
    """Take the argument that holds a batch's shape away from the layer, and put an Input of that shape in front."""

    name: str


@dataclass(frozen=True)
class SetContext:
    """Write the value of a surrounding (core.surroundings.SURROUNDINGS) where it is written as True now."""

    name: str
    value: Any


@dataclass(frozen=True)
class PadRight:
    """Let `pad_sequences` pad behind the sequences."""


Step = Union[SetArgument, DropArgument, ReplaceClass, CellToLayer, Unroll, PutInput, SetContext, PadRight]


@dataclass(frozen=True)
class Intent:
    """A fix: the steps, the effect on the numbers, and the sentence that describes it to the user.

    `suggestion` True: never applied (displayonly), because only the user can know. `otherwise` is the fix that is
    offered where this one cannot be written.
    """

    steps: tuple[Step, ...]
    effect: Effect
    says: str
    suggestion: bool = False
    otherwise: Intent | None = None


@dataclass(frozen=True)
class Edit:
    """Replace the text of `place` by `content`."""

    place: SourcePlace
    content: str


@dataclass(frozen=True)
class Fix:
    """A fix as the report carries it; `edits` is empty for a saved model or a suggestion in words."""

    applicability: Applicability
    message: str
    edits: tuple[Edit, ...] = ()
    intent: Intent | None = None

    def refused(self, reason: str) -> Fix:
        """Return the fix as advice only, with the reason why cudnnlint does not make it."""
        message = f"{self.message} cudnnlint cannot make this edit: {reason}."
        return replace(self, applicability=Applicability.DISPLAY_ONLY, message=message, edits=())
