"""Layers reported once: a function that no code calls may be reached on many ways that all say the same.

A layer that a program really constructs several times is listed once for each. But where a function that no code calls
leads to it, the ways are only possible ones, and those that differ in nothing but the calls further out are one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping

from cudnnlint.core.fact import Absent, Assumed, Fact, Known, alternatives, show
from cudnnlint.core.layer import Construction, Layer
from cudnnlint.core.place import SourcePlace


def without_repeats(layers: Iterable[Layer]) -> list[Layer]:
    """Return the layers, in their order, without those that repeat what a shorter way says."""
    given = list(layers)
    shortest: dict[Hashable, tuple[SourcePlace, ...]] = {}
    for layer in given:
        known = shortest.setdefault(_key(layer), layer.via)
        if len(layer.via) < len(known):
            shortest[_key(layer)] = layer.via
    return [layer for layer in given if layer.uncalled is None or layer.via == shortest[_key(layer)]]


def _key(layer: Layer) -> Hashable:
    return layer.place, layer.via[:1], layer.uncalled is None, _what(layer), layer.when


def _what(layer: Layer) -> Hashable:
    """Return everything that is known of a layer but where it was read."""
    variants = tuple(_construction(variant) for variant in layer.variants)
    calls = frozenset((_facts(call.surroundings), call.when) for call in layer.calls)
    wrappers = tuple((wrapper.kind, wrapper.role, _facts(wrapper.arguments)) for wrapper in layer.wrappers)
    return layer.name, variants, calls, wrappers


def _construction(made: Construction) -> Hashable:
    cells = tuple(_construction(cell) for cell in made.cells or ())
    return (
        made.class_name,
        made.path,
        made.subclass,
        made.open is None,
        _facts(made.arguments),
        _facts(made.after),
        _fact(made.locked),
        cells,
    )


def _facts(facts: Mapping[str, Fact]) -> Hashable:
    return frozenset((name, _fact(fact)) for name, fact in facts.items())


def _fact(fact: Fact) -> Hashable:
    found: list[Hashable] = []
    for single in alternatives(fact):
        if isinstance(single, (Known, Assumed)):
            found.append((type(single), show(single.value)))
        else:
            found.append(isinstance(single, Absent))
    return frozenset(found)
