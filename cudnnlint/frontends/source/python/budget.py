"""How far a program is followed: steps in all, and steps without a layer in sight.

Model code is short; what runs long is data being read and words being counted. So a called function that runs for
thousands of steps without constructing a layer is abandoned, and its result is unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cudnnlint.core.file_limits import in_force, overdue

#: Why what stands further on is not known.
NOT_FOLLOWED = "the file is too large to be followed to its end"
#: The part of a file's steps that one function may take that nothing calls, and the part that is lent besides for
#: loops that only count.
ENTRY_PART = LENT_PART = 5
#: Steps without a layer after which a called function is abandoned, if one took half of them: then the innermost that
#: took a quarter, so that what called it goes on.
QUIET_STEPS = 3_000
#: The part of a file's steps that one function may take in all its calls without leading to a layer, once half of the
#: steps are taken: a library of the project that each of many tests calls.
DRAINING_PART = 10
#: Steps after which the clock is looked at, where the configuration limits the time.
LOOK = 64
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
    itself again and again. `layers` counts the layers, `before` holds how many there were when each active call began,
    and `without` the steps of each piece of code in calls without one.
    """

    def __init__(self, steps: int) -> None:
        self.left = self.given = steps
        self.entry = steps // ENTRY_PART
        self.reserve = steps // LENT_PART
        self.floor, self.more = 0, False
        self.quiet = steps - QUIET_STEPS
        self.depth = in_force().call_depth
        self.calls: list[int] = []
        self.endless: set[int] = set()
        self.layers, self.before = 0, list[int]()
        self.without: Counter[int] = Counter()

    @property
    def taken(self) -> int:
        """Return the number of expressions that were evaluated."""
        return self.given - self.left

    def start(self, steps: int | None) -> None:
        """Start a piece of work that may take so many steps; None for as many as there are."""
        self.floor, self.more = (0, False) if steps is None else (max(0, self.left - steps), True)
        self.restart()

    def too_deep(self, active: Sequence[int], code: int, counts_down: bool) -> bool:
        """Return whether a piece of code must not be entered inside of what is `active`, each by its identity.

        A recursion that is given constants (`counts_down`) may well end by itself, and is followed deeper. One that was
        seen not to is no longer: each of its calls would go as deep, so that together they double with each level.
        """
        times = active.count(code)
        if times >= RECURSIONS or len(active) >= self.depth:
            self.endless |= {one for one, many in Counter(active).items() if many > 1}
        most = 1 if code in self.endless else RECURSIONS if counts_down else 2
        return len(active) >= self.depth or times >= most

    def spend(self) -> None:
        """Count one evaluated expression.

        Raise GivenUp where a called function runs long without a layer, also where the part of one function is taken:
        the outermost call in it is abandoned, and the rest gets half as many steps once more. Then raise OutOfBudget.
        """
        self.left -= 1
        if self.left % LOOK == 0 and overdue():
            self.left = self.reserve = -1  # nothing more is followed
            raise OutOfBudget
        if self.left < self.floor:
            if not self.calls or not self.more or self.before[0] < self.layers:
                raise OutOfBudget
            self.floor, self.more = max(0, self.floor - self.entry // 2), False
            self.restart()
            raise GivenUp(0)
        if self.left < self.quiet:
            taken = [start - self.left for start in self.calls]
            self.restart()
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

    def enter(self) -> None:
        """Begin a call."""
        self.calls.append(self.left)
        self.before.append(self.layers)

    def leave(self) -> None:
        """End the innermost call."""
        self.calls.pop()
        self.before.pop()

    def drains(self, code: int, since: int) -> bool:
        """Return whether a piece of code takes too many steps in all its calls without a layer; the innermost one ends.

        `since` are the steps that were left when it began.
        """
        if self.before[-1] == self.layers:
            self.without[code] += since - self.left
        return self.left < self.given // 2 and self.without[code] > self.given // DRAINING_PART

    def layer(self) -> None:
        """Note that a layer was constructed."""
        self.layers += 1
        self.restart()

    def restart(self) -> None:
        """Restart the count of steps without a layer: one was constructed, or a call was abandoned."""
        self.quiet = self.left - QUIET_STEPS
        self.calls[:] = [self.left] * len(self.calls)
