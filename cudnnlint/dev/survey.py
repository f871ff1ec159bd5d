"""The house as it is now: every module, the room that it is in, and every import from one room to another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.dev.import_walk import Import, imports, modules
from cudnnlint.dev.laws import Laws, parse, written
from cudnnlint.rulebook import loader

PACKAGE = "cudnnlint"


@dataclass(frozen=True)
class House:
    """The modules, the laws that they are under, and every import."""

    laws: Laws
    modules: Mapping[str, Path]
    found: tuple[Import, ...]

    def arrows(self) -> dict[tuple[str, str], list[Import]]:
        """Return the imports from one room to another. A module without a room is in the room "?"."""
        found: dict[tuple[str, str], list[Import]] = {}
        for one in self.found:
            if one.target.split(".")[0] == PACKAGE:
                ends = self.room(one.source), self.room(one.target)
                if ends[0] != ends[1]:
                    found.setdefault(ends, []).append(one)
        return found

    def room(self, module: str) -> str:
        """Return the room of a module; "?" for one that the laws do not know."""
        return self.laws.room_of(module) or "?"


def survey(package: Path, rules: Path, laws: Laws) -> House:
    """Read every import of the package and of the rules."""
    known = {name: path for name, path in modules(package, PACKAGE).items() if rules not in path.parents} | modules(
        rules, f"{PACKAGE}.rules"
    )
    return House(laws, known, tuple(one for name, path in known.items() for one in imports(name, path, known)))


def here() -> House:
    """Return the house that this module is in."""
    return survey(Path(__file__).resolve().parents[1], loader.folder(), parse(written()))


def circles(arrows: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Return the sets of rooms that reach each other."""
    reached = reach(arrows)
    found = {tuple(sorted(b for b in after if a in reached.get(b, ()))) for a, after in reached.items() if a in after}
    return [list(circle) for circle in sorted(found)]


def reach(arrows: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    """Return what can be reached from each room, in one arrow or more."""
    next_to: dict[str, set[str]] = {}
    for source, target in arrows:
        next_to.setdefault(source, set()).add(target)
    found = {}
    for source in next_to:
        seen: set[str] = set()
        todo = [source]
        while todo:
            new = next_to.get(todo.pop(), set()) - seen
            seen |= new
            todo += new
        found[source] = frozenset(seen)
    return found


def floors(rooms: Iterable[str], arrows: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Return the rooms floor by floor: a room is above all that it imports. Those of a circle come last."""
    left = sorted(rooms)
    needs = {room: {target for source, target in arrows if source == room} for room in left}
    found: list[list[str]] = []
    while left:
        floor = [room for room in left if needs[room].isdisjoint(left)] or left
        found.append(floor)
        left = [room for room in left if room not in floor]
    return found
