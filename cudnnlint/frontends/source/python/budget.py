"""How far a program is followed: steps in all, and steps without a layer in sight.

Model code is short; what runs long is data being read and words being counted. So a called function that runs for
thousands of steps without constructing a layer is abandoned, and its result is unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

#: The part of a file's steps that one function may take that nothing calls, and the part that is lent besides for
#: loops that only count.
ENTRY_PART = LENT_PART = 5
#: Steps without a layer after which a called function is abandoned, if one took half of them: then the innermost that
#: took a quarter, so that what called it goes on.
QUIET_STEPS = 3_000
#: Followed calls inside one another. Real model code goes some ten deep.
DEPTH = 48
#: Calls of one function inside one another, where it is given constants.
RECURSIONS = 40


class OutOfBudget(Exception):
    """Raised where the program is too large to be followed to its end; what was seen so far remains valid."""


class GivenUp(Exception):
    """Raised where a called function runs long and leads to no layer; `depth` is its place among the active calls."""

    def __init__(self, depth: int) -> None:
        super().__init__(depth)
        self.depth = depth


class Budget:
    """A counter of steps.

    `steps` are for one file, `entry` for one function that nothing calls. `calls` holds the steps that were left when
    each active call began, or when the last layer was constructed, `endless` the code that was seen to enter
    itself again and again.
    """

    def __init__(self, steps: int) -> None:
        self.left = self.given = steps
        self.entry = steps // ENTRY_PART
        self.reserve = steps // LENT_PART
        self.floor = 0
        self.quiet = steps - QUIET_STEPS
        self.calls: list[int] = []
        self.endless: set[int] = set()

    @property
    def taken(self) -> int:
        """Return the number of expressions that were evaluated."""
        return self.given - self.left

    def too_deep(self, active: Sequence[int], code: int, counts_down: bool) -> bool:
        """Return whether a piece of code must not be entered inside of what is `active`, each by its identity.

        A recursion that is given constants (`counts_down`) may well end by itself, and is followed deeper. One that was
        seen not to is no longer: each of its calls would go as deep, so that together they double with each level.
        """
        times = active.count(code)
        if times >= RECURSIONS or len(active) >= DEPTH:
            self.endless |= {one for one, many in Counter(active).items() if many > 1}
        most = 1 if code in self.endless else RECURSIONS if counts_down else 2
        return len(active) >= DEPTH or times >= most

    def spend(self) -> None:
        """Count one evaluated expression.

        Raise OutOfBudget at the floor, and GivenUp where a called function runs long without a layer.
        """
        self.left -= 1
        if self.left < self.floor:
            raise OutOfBudget
        if self.left < self.quiet:
            taken = [start - self.left for start in self.calls]
            self.layer()
            if taken and max(taken) >= QUIET_STEPS // 2:
                raise GivenUp(max(depth for depth, steps in enumerate(taken) if steps >= QUIET_STEPS // 4))

    def lend(self, steps: int) -> bool:
        """Allow some more steps than there are left; return whether there is enough in reserve for that."""
        if steps > self.reserve:
            return False
        self.reserve -= steps
        self.left += steps
        self.given += steps
        return True

    def layer(self) -> None:
        """Restart the count of steps without a layer: one was constructed, or a call was abandoned."""
        self.quiet = self.left - QUIET_STEPS
        self.calls[:] = [self.left] * len(self.calls)
