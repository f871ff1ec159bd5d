"""Three-valued truth: what a linter can honestly say about code that it does not run."""

from __future__ import annotations

from enum import Enum, auto


class Truth(Enum):
    """YES, NO, or UNKNOWN where the code or file does not show enough."""

    YES = auto()
    NO = auto()
    UNKNOWN = auto()

    __hash__ = object.__hash__  # a member is only itself; Enum would hash its name each time

    @staticmethod
    def of(value: bool) -> Truth:
        """Return the truth of a plain boolean."""
        return Truth.YES if value else Truth.NO

    def __and__(self, other: Truth) -> Truth:
        if Truth.NO in (self, other):
            return Truth.NO
        return Truth.UNKNOWN if Truth.UNKNOWN in (self, other) else Truth.YES

    def __or__(self, other: Truth) -> Truth:
        if Truth.YES in (self, other):
            return Truth.YES
        return Truth.UNKNOWN if Truth.UNKNOWN in (self, other) else Truth.NO

    def __invert__(self) -> Truth:
        return {Truth.YES: Truth.NO, Truth.NO: Truth.YES}.get(self, Truth.UNKNOWN)

    def __bool__(self) -> bool:
        """Refused: `if truth:` would read UNKNOWN as a yes or a no."""
        raise TypeError("a Truth has three values; compare it with Truth.YES or Truth.NO")


def joint(truths: list[Truth]) -> Truth:
    """One truth for several alternatives: theirs when they all agree, else UNKNOWN."""
    distinct = set(truths)
    return distinct.pop() if len(distinct) == 1 else Truth.UNKNOWN
