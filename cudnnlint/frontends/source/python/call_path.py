"""The path that leads to the present expression: followed calls and rounds of loops."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from cudnnlint.frontends.source.syntax.unit import Origin

EventKey = tuple[Hashable, ...]


@dataclass(frozen=True)
class Step:
    """One step into the program: a call that is followed, or (with `index`) one round of an unrolled loop.

    `entered` names the function (or the class of the method) that is entered because nobody here calls it.
    """

    origin: Origin
    index: int | None = None
    entered: str | None = None

    @property
    def key(self) -> Hashable:
        """Equal for the same step taken twice."""
        return id(self.origin.node), self.index


def event_key(path: tuple[Step, ...], origin: Origin) -> EventKey:
    """Equal for two runs of one construction: the second round of a loop that is not unrolled."""
    return (*(step.key for step in path), id(origin.node))
