"""How far one change spreads that is not followed: what it has reached need not be made uncertain again.

Objects hold one another, and one package may hold many of them, so that a change comes to the same object by many ways.
"""

from __future__ import annotations

from collections.abc import Hashable

from cudnnlint.frontends.source.python.lazy_message import Words
from cudnnlint.frontends.source.python.values import Const, Library, Unbound, UnknownValue, Value, equal, join

#: How deep what is inside a container, or inside an object, escapes with it.
DEEP = 4
#: What holds nothing that a change could come to.
UNCHANGEABLE = frozenset({Const, Library, Unbound, UnknownValue})


class Spread:
    """One change: the sentence `why` that says what may have made it, and what it has reached."""

    __slots__ = ("_reached", "why")

    def __init__(self, why: Words) -> None:
        self.why = why
        self._reached: dict[Hashable, int] = {}

    def comes_to(self, *what: Hashable, depth: int = 0) -> bool:
        """Return whether it comes to something for the first time, or less deep than before: it goes further then."""
        if self._reached.get(what, DEEP + 1) <= depth:
            return False
        self._reached[what] = depth
        return True

    def added_to(self, before: Value) -> Value:
        """Return what a name holds that may have been bound anew: what is called by that name may be another now."""
        after = join([before, UnknownValue(self.why)])
        if not equal(before, after):
            self._reached.clear()
        return after
