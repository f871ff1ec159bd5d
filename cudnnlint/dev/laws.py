"""The laws of the house, as data: `laws.toml`, read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import lru_cache
from pathlib import Path
from typing import Any

from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.formats import toml

LAWS = Path(__file__).with_name("laws.toml")


@dataclass(frozen=True)
class Room:
    """A folder (or a module beside the folders), what it is for, and what it may import.

    `rooms` may be imported, and of other packages `outside` besides what any room may. `because` has a line for
    what is not obvious.
    """

    name: str
    is_for: str
    rooms: frozenset[str] = frozenset()
    outside: frozenset[str] = frozenset()
    because: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Laws:
    """All rooms by name; `anywhere` may be imported by any room; `pure` rooms have no input, output or clock."""

    rooms: Mapping[str, Room]
    anywhere: frozenset[str]
    pure: frozenset[str]

    def room_of(self, module: str) -> str | None:
        """Return the room of a module ("cudnnlint.check.read_all"): the deepest that it is in."""
        parts = module.split(".")[1:] or ["__init__"]
        names = ("/".join(parts[:end]) for end in range(len(parts), 0, -1))
        return next((name for name in names if name in self.rooms), None)

    def allows(self, source: str, target: str) -> bool:
        """Return whether one room may import another. Who may import a room may import the rooms inside it."""
        permitted = self.rooms[source].rooms
        around = [above for above in _above(target) if not f"{source}/".startswith(f"{above}/")]
        return not permitted.isdisjoint([target, *around])


def _above(room: str) -> Iterable[str]:
    parts = room.split("/")
    return ("/".join(parts[:end]) for end in range(1, len(parts)))


def parse(data: Mapping[str, Any]) -> Laws:
    """Return the laws that a parsed `laws.toml` holds; the rooms inside a room that is not split play no part."""
    whole = [name for name, entry in data["rooms"].items() if entry.get("split") is False]
    rooms = {
        name: Room(
            name,
            entry["is"],
            frozenset(room for room in entry.get("imports", ()) if not _inside(room, whole)),
            frozenset(entry.get("outside", ())),
            entry.get("because", {}),
        )
        for name, entry in data["rooms"].items()
        if not _inside(name, whole)
    }
    return Laws(rooms, frozenset(data["anywhere"]), frozenset(data["pure"]))


def _inside(room: str, others: Iterable[str]) -> bool:
    return any(room.startswith(f"{one}/") for one in others)


@lru_cache(maxsize=1)
def written() -> Mapping[str, Any]:
    """Return `laws.toml` as it is now."""
    return toml.loads(LAWS.read_text(encoding="utf-8"))
