"""A layered drawing of a directed graph: boxes in rows, every edge from a row to one below, few crossings.

The steps are those of Sugiyama, Tagawa and Toda (1981): turn edges that close a circle, rank the boxes by their longest
way from a start, order each row by the places of its neighbours, then place the boxes of each row as near to their
neighbours as its order allows. Knows nothing but sizes and pairs of numbers; the same input gives the same drawing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field

from cudnnlint.core.quick_dataclass import dataclass

Pair = tuple[int, int]
Spot = tuple[float, float]

ACROSS, DOWN = 24.0, 38.0  # between boxes of a row, and between rows
SWEEPS = 8  # times that the rows are ordered, and placed, down and up
STRAIGHT = 8.0  # how much more the bends of a long edge weigh than boxes


@dataclass
class Layout:
    """Where each box is (its left upper corner), the points that each edge passes, and the size of it all."""

    corners: list[Spot] = field(default_factory=list)
    paths: dict[Pair, list[Spot]] = field(default_factory=dict)
    width: float = 0.0
    height: float = 0.0


@dataclass
class _Rows:
    """Boxes and bends by row. What is numbered beyond the boxes is a bend: the part of an edge that passes a row."""

    rows: list[list[int]]
    above: dict[int, list[int]]
    below: dict[int, list[int]]
    bends: dict[Pair, list[int]]


def arrange(sizes: Sequence[Spot], edges: Iterable[Pair]) -> Layout:
    """Return a drawing of boxes of these sizes; an edge from a box to itself is left out."""
    if not sizes:
        return Layout()
    pairs = list(dict.fromkeys(pair for pair in edges if pair[0] != pair[1]))
    turned = _closing(len(sizes), pairs)
    downward = list(dict.fromkeys((b, a) if (a, b) in turned else (a, b) for a, b in pairs))
    rows = _rows(_ranks(len(sizes), downward), downward)
    _order(rows)
    return _placed(sizes, rows, pairs, turned)


def _closing(count: int, pairs: Sequence[Pair]) -> set[Pair]:
    """Return the edges that close a circle, found by a walk in depth from each box in order."""
    after: dict[int, list[int]] = {}
    for a, b in pairs:
        after.setdefault(a, []).append(b)
    seen, active, found = set[int](), set[int](), set[Pair]()
    for start in range(count):
        stack = [(start, iter(after.get(start, ())))] if start not in seen else []
        seen.add(start)
        active.add(start)
        while stack:
            at, following = stack[-1]
            step = next(following, None)
            if step is None:
                stack.pop()
                active.discard(at)
            elif step in active:
                found.add((at, step))
            elif step not in seen:
                seen.add(step)
                active.add(step)
                stack.append((step, iter(after.get(step, ()))))
        active.discard(start)
    return found


def _ranks(count: int, downward: Sequence[Pair]) -> list[int]:
    """Return the row of each box: below all that lead to it; a start is right above the first that it leads to."""
    after: dict[int, list[int]] = {}
    waiting = [0] * count
    for a, b in downward:
        after.setdefault(a, []).append(b)
        waiting[b] += 1
    starts = [box for box in range(count) if not waiting[box]]
    ranks, ready = [0] * count, list(starts)
    while ready:
        at = ready.pop()
        for b in after.get(at, ()):
            ranks[b] = max(ranks[b], ranks[at] + 1)
            waiting[b] -= 1
            if not waiting[b]:
                ready.append(b)
    for start in starts:
        ranks[start] = min((ranks[b] - 1 for b in after.get(start, ())), default=0)
    return ranks


def _rows(ranks: Sequence[int], downward: Sequence[Pair]) -> _Rows:
    made = _Rows([[] for _ in range(max(ranks) + 1)], {}, {}, {})
    for box, rank in enumerate(ranks):
        made.rows[rank].append(box)
    free = len(ranks)
    for a, b in downward:
        bends = list(range(free, free + ranks[b] - ranks[a] - 1))
        free += len(bends)
        made.bends[a, b] = bends
        for rank, bend in enumerate(bends, ranks[a] + 1):
            made.rows[rank].append(bend)
        for upper, lower in zip((a, *bends), (*bends, b), strict=True):
            made.below.setdefault(upper, []).append(lower)
            made.above.setdefault(lower, []).append(upper)
    return made


def _order(rows: _Rows) -> None:
    """Order each row by the middle of the places of its neighbours, down and up, and keep the best order found."""
    best, fewest = [list(row) for row in rows.rows], _crossings(rows)
    for sweep in range(SWEEPS if fewest else 0):
        down = sweep % 2 == 0
        neighbours = rows.above if down else rows.below
        for number in range(len(rows.rows))[:: 1 if down else -1]:
            beside = number - 1 if down else number + 1
            if not 0 <= beside < len(rows.rows):
                continue
            places = {one: at for at, one in enumerate(rows.rows[beside])}
            rows.rows[number] = _by_middle(rows.rows[number], neighbours, places)
        now = _crossings(rows)
        if now < fewest:
            best, fewest = [list(row) for row in rows.rows], now
    rows.rows = best


def _by_middle(row: Sequence[int], neighbours: dict[int, list[int]], places: dict[int, int]) -> list[int]:
    def middle(at: int, one: int) -> float:
        found = [places[other] for other in neighbours.get(one, ())]
        return sum(found) / len(found) if found else float(at)

    keys = {one: middle(at, one) for at, one in enumerate(row)}
    return sorted(row, key=lambda one: keys[one])


def _crossings(rows: _Rows) -> int:
    found = 0
    for upper, lower in zip(rows.rows, rows.rows[1:], strict=False):
        places = {one: at for at, one in enumerate(lower)}
        ends = [place for one in upper for place in sorted(places[b] for b in rows.below.get(one, ()))]
        if len(ends) > 1:
            found += sum(a > b for at, a in enumerate(ends) for b in ends[at + 1 :])
    return found


def _placed(sizes: Sequence[Spot], rows: _Rows, pairs: Sequence[Pair], turned: set[Pair]) -> Layout:
    middles = _middles(sizes, rows)
    left = min(middles[one] - _width(sizes, one) / 2 for row in rows.rows for one in row)
    tops, bottoms = dict[int, float](), dict[int, float]()
    y = 0.0
    for row in rows.rows:
        tall = max((sizes[one][1] for one in row if one < len(sizes)), default=0.0)
        for one in row:
            own = sizes[one][1] if one < len(sizes) else tall
            tops[one] = y + (tall - own) / 2
            bottoms[one] = tops[one] + own
        y += tall + DOWN
    drawn = Layout(height=y - DOWN)
    drawn.corners = [(middles[box] - sizes[box][0] / 2 - left, tops[box]) for box in range(len(sizes))]
    drawn.width = max(middles[one] + _width(sizes, one) / 2 - left for row in rows.rows for one in row)
    for a, b in pairs:
        upper, lower = (b, a) if (a, b) in turned else (a, b)
        bends = rows.bends[upper, lower]
        points = [(middles[upper] - left, bottoms[upper])]
        points += [(middles[bend] - left, edge[bend]) for bend in bends for edge in (tops, bottoms)]
        points.append((middles[lower] - left, tops[lower]))
        drawn.paths[a, b] = points[::-1] if (a, b) in turned else points
    return drawn


def _width(sizes: Sequence[Spot], one: int) -> float:
    return sizes[one][0] if one < len(sizes) else 0.0


def _middles(sizes: Sequence[Spot], rows: _Rows) -> dict[int, float]:
    """Return the middle of each box and bend: in each row as near to the neighbours as the order allows."""
    middles: dict[int, float] = {}
    for row in rows.rows:
        _set(row, [0.0] * len(row), sizes, middles)
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        neighbours = rows.above if down else rows.below
        for row in rows.rows[:: 1 if down else -1]:
            wanted = [_mean([middles[other] for other in neighbours.get(one, ())], middles[one]) for one in row]
            _set(row, wanted, sizes, middles)
    return middles


def _mean(found: Sequence[float], otherwise: float) -> float:
    return sum(found) / len(found) if found else otherwise


def _set(row: Sequence[int], wanted: Sequence[float], sizes: Sequence[Spot], middles: dict[int, float]) -> None:
    """Place a row: least squares to what is wanted, in its order and with the distances kept (isotonic regression)."""
    offsets, at = list[float](), 0.0
    for before, one in zip((None, *row), row, strict=False):
        at += 0.0 if before is None else (_width(sizes, before) + _width(sizes, one)) / 2 + ACROSS
        offsets.append(at)
    blocks: list[tuple[float, float, int]] = []  # sum, weight, members
    for one, want, offset in zip(row, wanted, offsets, strict=True):
        weight = 1.0 if one < len(sizes) else STRAIGHT
        block = ((want - offset) * weight, weight, 1)
        while blocks and blocks[-1][0] / blocks[-1][1] > block[0] / block[1]:
            last = blocks.pop()
            block = (last[0] + block[0], last[1] + block[1], last[2] + block[2])
        blocks.append(block)
    starts = [total / weight for total, weight, members in blocks for _ in range(members)]
    middles.update((one, start + offset) for one, start, offset in zip(row, starts, offsets, strict=True))
