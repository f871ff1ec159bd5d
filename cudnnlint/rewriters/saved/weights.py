"""A group of weights: one `vars` group of a `.keras` file, or its counterpart in an `.h5` file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING, Any

from cudnnlint.core.quick_dataclass import dataclass

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]
    Change = Callable[[Array], Array]


@dataclass(frozen=True)
class Weight:
    """One stored array: where it lies in the source file, and what happens to its numbers on the way.

    A weight that is new (a zero bias) is made from the array beside it, so it has a source too.
    `new` is True for it: it needs a name of its own.
    """

    source: str
    change: Change | None = None
    new: bool = False

    def changed(self, step: Change) -> Weight:
        """Return the same weight with one more step on its way."""
        before = self.change
        return Weight(self.source, step if before is None else lambda array: step(before(array)), self.new)

    def made_into(self, step: Change) -> Weight:
        """Return a new weight, made from this one."""
        return Weight(self.source, self.changed(step).change, new=True)


@dataclass
class WeightGroup:
    """Weights by their key in the group ("0", "1", ...). `source` is the group itself, None if there is none."""

    source: str | None = None
    weights: dict[str, Weight] = field(default_factory=dict)
