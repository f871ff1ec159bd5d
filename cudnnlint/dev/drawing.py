"""The house on paper: as text with counts, and as the part of CONTRIBUTING.md with a mermaid graph."""

from __future__ import annotations

from collections.abc import Iterator

from cudnnlint.dev.import_walk import AT_ONCE, Import
from cudnnlint.dev.laws import Room
from cudnnlint.dev.survey import House, circles, floors, reach

#: Imported by nearly every room, and so left out of the graph.
EVERYWHERE = "core"


def text(house: House) -> str:
    """Return the house from the top floor down: modules, lines, what each room imports, and how often."""
    arrows = house.arrows()
    lines = []
    for number, floor in reversed(list(enumerate(floors(house.laws.rooms, arrows), 1))):
        lines.append(f"floor {number}")
        lines += [line for room in floor for line in _room(house, house.laws.rooms[room])]
    there = sum(map(len, arrows.values()))
    lines.append(f"{len(house.modules)} modules, {len(arrows)} arrows between rooms by {there} imports")
    lines += [f"circle: {', '.join(circle)}" for circle in circles(arrows)] or ["no two rooms import each other"]
    return "\n".join(lines)


def _room(house: House, room: Room) -> Iterator[str]:
    paths = [path for module, path in house.modules.items() if house.room(module) == room.name]
    count = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)
    yield f"  {room.name:<24}{len(paths):>4} modules{count:>7} lines  {room.is_for}"
    there = {target: found for (source, target), found in sorted(house.arrows().items()) if source == room.name}
    if there:
        yield "      imports " + ", ".join(f"{target} {_counts(found)}" for target, found in there.items())
    idle = sorted(target for target in room.rooms if not any(f"{one}/".startswith(f"{target}/") for one in there))
    if idle:
        yield f"      may import {', '.join(idle)}"
    used = {one.target.split(".")[0] for one in house.found if house.room(one.source) == room.name}
    if used & room.outside:
        yield f"      outside {', '.join(sorted(used & room.outside))}"


def _counts(found: list[Import]) -> str:
    """Return how many imports there are, and how many of them do not run at once."""
    later = sum(one.when != AT_ONCE for one in found)
    return f"({len(found)}, {later} not at once)" if later else f"({len(found)})"


def markdown(house: House) -> str:
    """Return the part of CONTRIBUTING.md: what each room is for and may import, and the graph.

    It has no counts, which would change with every commit.
    """
    arrows = house.arrows()
    upwards = [room for floor in floors(house.laws.rooms, arrows) for room in floor]
    rows = [_row(house.laws.rooms[room]) for room in upwards]
    head = ["| room | is for | may import | outside | because |", "|---|---|---|---|---|"]
    return "\n".join(["```mermaid", *_graph(house), "```", "", *head, *rows]) + "\n"


def _row(room: Room) -> str:
    rooms, outside = (", ".join(sorted(names)) for names in (room.rooms, room.outside))
    because = "; ".join(f"{name}: {why}" for name, why in sorted(room.because.items()))
    return f"| `{room.name}` | {room.is_for} | {rooms or '-'} | {outside or '-'} | {because or '-'} |"


def _graph(house: House) -> Iterator[str]:
    """Yield the arrows that do not follow from others: where a room is reached by way of another, none is drawn."""
    arrows = [arrow for arrow in sorted(house.arrows()) if EVERYWHERE not in arrow]
    reached = reach(arrows)
    yield "flowchart TD"
    for source, target in arrows:
        others = {other for room, other in arrows if room == source and other != target}
        if not any(target in reached.get(other, ()) for other in others):
            yield f"  {_node(source)} --> {_node(target)}"


def _node(room: str) -> str:
    return f"{room.strip('_').replace('/', '_')}[{room}]" if "/" in room or "_" in room else room
