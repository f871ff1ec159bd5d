"""What breaks a law of the house, each in a sentence."""

from __future__ import annotations

from collections.abc import Iterator

from cudnnlint.dev.import_walk import AT_ONCE, Import
from cudnnlint.dev.survey import PACKAGE, House, circles


def faults(house: House) -> list[str]:
    """Return a sentence for everything that breaks a law."""
    return [*_homeless(house), *_forbidden(house), *_foreign(house), *_unused(house), *_circles(house)]


def _homeless(house: House) -> Iterator[str]:
    for module in house.modules:
        if house.laws.room_of(module) is None:
            yield f"{module} is in no room of the laws."


def _forbidden(house: House) -> Iterator[str]:
    for (source, target), found in house.arrows().items():
        if "?" not in (source, target) and not house.laws.allows(source, target):
            yield from (f"{source} may not import {target}: {_where(house, one)}." for one in found)


def _foreign(house: House) -> Iterator[str]:
    for one in house.found:
        room = house.laws.rooms.get(house.room(one.source))
        top = one.target.split(".")[0]
        if room and top != PACKAGE and top not in room.outside | house.laws.anywhere:
            yield f"{room.name} may not import {top}: {_where(house, one)}."


def _unused(house: House) -> Iterator[str]:
    """Yield every permission that nothing uses: it would let something in unseen."""
    used = set(house.arrows())
    for room in house.laws.rooms.values():
        for target in sorted(room.rooms):
            if not any(one == room.name and f"{other}/".startswith(f"{target}/") for one, other in used):
                yield f"{room.name} may import {target}, and does not: strike it from the laws."


def _circles(house: House) -> Iterator[str]:
    yield from (f"These rooms import each other: {', '.join(circle)}." for circle in circles(house.arrows()))


def _where(house: House, one: Import) -> str:
    when = "" if one.when == AT_ONCE else f" ({one.when})"
    return f"{house.modules[one.source].name} of {one.source}, line {one.line}, imports {one.target}{when}"
