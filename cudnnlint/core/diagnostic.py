"""The diagnostic: one fault at one place for one target, as plain data."""

from __future__ import annotations

from enum import Enum

from cudnnlint.core.edit import Fix
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.quick_dataclass import dataclass


class Severity(str, Enum):
    """The order of the members is the order of weight."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"

    @property
    def weight(self) -> int:
        """0 for info, 1 for warning, 2 for error."""
        return ("info", "warning", "error").index(self.value)


@dataclass(frozen=True)
class Diagnostic:
    """One finding. `location` is None for saved models, which `layer_path` names instead.

    `layers` are ids into the report; `target` is the target as text, None where none plays a part;
    `related` are other places worth showing, each with a sentence. `message` is `reason` and `outcome`: what is wrong,
    and what a GPU does with it; `subjects` are the classes that these call "this GRU/LSTM". `instead` is what to do
    where the fix or the advice cannot be followed. `doubts` are why the answer for the target is assumed.
    """

    code: str
    name: str
    message: str
    severity: Severity
    path: str
    location: SourcePlace | None = None
    layer_path: str | None = None
    layers: tuple[int, ...] = ()
    verdict: str | None = None
    requirement: str | None = None
    found: str | None = None
    needed: str | None = None
    target: str | None = None
    fix: Fix | None = None
    advice: str | None = None
    consequence: str | None = None
    related: tuple[tuple[SourcePlace, str], ...] = ()
    noqa_row: int | None = None
    reason: str = ""
    outcome: str = ""
    then: str | None = None
    instead: str | None = None
    doubts: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
