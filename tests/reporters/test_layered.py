"""The layered drawing: no two boxes overlap, every edge leads down unless it closes a circle, and nothing is random."""

from __future__ import annotations

import itertools
import random

import pytest

from cudnnlint.reporters.page.layered import ACROSS, Layout, Pair, Spot, arrange


def drawn(seed: int) -> tuple[list[Spot], list[Pair], Layout]:
    chance = random.Random(seed)
    count = chance.randint(1, 14)
    sizes = [(float(chance.randint(20, 200)), float(chance.randint(20, 90))) for _ in range(count)]
    edges = [(chance.randrange(count), chance.randrange(count)) for _ in range(chance.randint(0, 2 * count))]
    return sizes, edges, arrange(sizes, edges)


@pytest.mark.parametrize("seed", range(30))
def test_boxes_lie_apart_and_within_the_drawing(seed: int) -> None:
    sizes, _, layout = drawn(seed)
    boxes = [(x, y, x + w, y + h) for (x, y), (w, h) in zip(layout.corners, sizes, strict=True)]
    for x, y, right, bottom in boxes:
        assert min(x, y) >= -1e-6
        assert right <= layout.width + 1e-6
        assert bottom <= layout.height + 1e-6
    for one, other in itertools.combinations(boxes, 2):
        beside = one[2] + ACROSS - 1e-6 <= other[0] or other[2] + ACROSS - 1e-6 <= one[0]
        assert beside or one[3] < other[1] or other[3] < one[1]


@pytest.mark.parametrize("seed", range(30))
def test_every_edge_joins_its_two_boxes(seed: int) -> None:
    sizes, edges, layout = drawn(seed)
    assert set(layout.paths) == {pair for pair in edges if pair[0] != pair[1]}
    for (a, b), points in layout.paths.items():
        for box, (x, y) in ((a, points[0]), (b, points[-1])):
            left, top = layout.corners[box]
            assert left <= x <= left + sizes[box][0]
            assert min(abs(y - top), abs(y - top - sizes[box][1])) < 1e-6
        heights = [y for _, y in points]
        assert heights == sorted(heights) or heights == sorted(heights, reverse=True)


def test_without_a_circle_every_edge_leads_down() -> None:
    edges = [(0, 1), (0, 2), (1, 3), (2, 3), (0, 3), (3, 4), (5, 4)]
    layout = arrange([(100.0, 40.0)] * 6, edges)
    assert all(points[0][1] < points[-1][1] for points in layout.paths.values())
    assert layout.corners[5][1] == layout.corners[3][1]  # a start is right above what it leads to


def test_a_layer_that_is_called_again_closes_a_circle_with_one_edge_up() -> None:
    layout = arrange([(100.0, 40.0)] * 3, [(0, 1), (1, 2), (2, 1)])
    assert [points[0][1] < points[-1][1] for points in layout.paths.values()] == [True, True, False]


def test_a_crossing_that_can_be_avoided_is_avoided() -> None:
    corners = arrange([(60.0, 30.0)] * 4, [(0, 3), (1, 2)]).corners
    assert (corners[0][0] < corners[1][0]) == (corners[3][0] < corners[2][0])


def test_nothing_is_drawn_of_nothing() -> None:
    assert arrange([], []).corners == []
