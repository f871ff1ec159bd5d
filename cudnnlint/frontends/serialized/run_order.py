"""The order in which a functional model of Keras 3 calls its layers.

By the number of calls up to the outputs, and those of one number in the order in which a search from the last output on
meets them. Source: keras/src/ops/function.py:map_graph, _run_through_graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

Call = tuple[int, int]  # a layer, and which of its calls


def by_depth(parents: Mapping[Call, Sequence[Call]], outputs: Iterable[Call]) -> list[Call]:
    """Return the calls that the outputs need, in their order; `parents` are the calls whose results a call takes."""
    depths: dict[Call, int] = {}
    deepest: dict[int, int] = {}
    for call in reversed(_inputs_first(parents, outputs)):
        depth = max(depths.setdefault(call, 0), deepest.get(call[0], 0))
        depths[call] = deepest[call[0]] = depth
        for before in parents[call]:
            depths[before] = max(depth + 1, depths.get(before, 0))
    return sorted(depths, key=lambda call: -depths[call])


def _inputs_first(parents: Mapping[Call, Sequence[Call]], outputs: Iterable[Call]) -> list[Call]:
    """Return the calls, each behind those that it needs, as a search into the depth finishes them."""
    found: dict[Call, None] = {}
    begun: set[Call] = set()
    waiting = [(call, False) for call in reversed(list(outputs))]
    while waiting:
        call, done = waiting.pop()
        if done:
            found.setdefault(call)
        elif call not in begun:
            begun.add(call)
            waiting.append((call, True))
            waiting += [(before, False) for before in reversed(parents[call])]
    return list(found)
