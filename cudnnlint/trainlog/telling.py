"""What an error tells by itself, whatever its wording: where it stopped, what its numbers, names and values say."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.trainlog import known_names, python_messages, told_numbers, told_shapes, told_values
from cudnnlint.trainlog.frames import Stop, stop

LINES = 14  # lines after a message that belong to it: what Keras lists, and the operation of TensorFlow
LONGEST = 1_200  # characters of a message that are worth reading
_ERROR = re.compile(r"(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception|Fault): \S")
_ENDS = ("Traceback (most recent call last)", "During handling of the above")


@dataclass(frozen=True)
class Told:
    """What an error tells: the lines of code where it stopped, and a sentence for each thing that its words show.

    `kind` says what kind of value has no such attribute: no news where the message itself is known.
    """

    stop: Stop = Stop(None, None)
    facts: tuple[str, ...] = ()
    alone: bool = False
    kind: str | None = None

    @property
    def owner(self) -> str:
        """Whose line it was that stopped, in one word; "alone" for the line of an error without a traceback."""
        return self.stop.owner or ("alone" if self.alone else "")


def told(message: str, above: str, tail: Sequence[str]) -> Told:
    """Return what a message tells, with the lines of the traceback above it and the lines after it."""
    below = []
    for line in tail[:LINES]:
        if any(words in line for words in _ENDS):
            break
        below.append(line)
    message = message[:LONGEST]
    stopped = stop(above)
    facts = known_names.said(message, above)
    facts += told_numbers.said(message) + (told_shapes.said(message) or _further(below))
    facts += told_values.said(message, below, stopped)
    kind = told_values.kind_of(message, stopped)
    if not facts and kind is None:
        facts = python_messages.said(message)
    alone = stopped == Stop(None, None) and _ERROR.match(message) is not None
    return Told(stopped, tuple(dict.fromkeys(facts)), alone, kind)


def of_machine(message: str) -> Told:
    """Return what the line of a machine tells that cannot run cuDNN: which release would do."""
    return Told(facts=tuple(told_numbers.said(message)))


def _further(below: Sequence[str]) -> list[str]:
    """Return what the numbers say in the lines after a message that has none itself."""
    for line in below:
        if "Arguments received by" in line or "all arguments received" in line:
            return []
        if found := told_shapes.said(line[:LONGEST]):
            return found
    return []
