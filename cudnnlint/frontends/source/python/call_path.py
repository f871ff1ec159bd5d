"""The path that leads to the expression being evaluated: followed calls and iterations of loops."""

from __future__ import annotations

from collections.abc import Hashable

from cudnnlint.core.frozen import record
from cudnnlint.frontends.source.syntax.unit import Origin

EventKey = tuple[Hashable, ...]


@record(frozen=True)
class Step:
    """One step into the program: a followed call, or (with `index`) one iteration of an unrolled loop.

    `entered` names the function (or the class of the method) that is run as an entry point because nothing here calls
    it. `made` tells generators apart that are asked for an item at the same place: the key of the call that made one.
    """

    origin: Origin
    index: int | None = None
    entered: str | None = None
    made: Hashable = None

    @property
    def key(self) -> Hashable:
        """Return a key that is equal for the same step taken twice."""
        return id(self.origin.node), self.index, self.made


def resumed(path: tuple[Step, ...], made: tuple[Step, ...], here: Origin | None) -> tuple[Step, ...]:
    """Return the path into a generator that was made at one place and is asked for an item at another (`here`)."""
    pairs = enumerate(zip(path, made, strict=False))
    shared = next((place for place, (one, other) in pairs if one.key != other.key), len(path))
    key = tuple(step.key for step in made[shared:])
    return (*path, Step(made[-1].origin if here is None else here, made=key))


def event_key(path: tuple[Step, ...], origin: Origin) -> EventKey:
    """Return a key that is equal for two runs of one construction.

    The second is, for example, the next iteration of a loop that is not unrolled.
    """
    return (*(step.key for step in path), id(origin.node))
