"""Copies of layers that a program loads from its own file: a model that stops gets into no file that runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudnnlint.core.layer import Layer
from cudnnlint.core.place import Place
from cudnnlint.core.verdict import Verdict
from cudnnlint.engine.judged_once import Answer

Judged = tuple[Sequence[Layer], list[Answer]]


def without_copies(every: Sequence[Judged]) -> Iterator[Judged]:
    """Yield the layers that have an answer, without the copies of a model that stops where the program makes it.

    They would repeat its error at the line of `load_model`, where it cannot be mended.
    """
    told = [(target, layer, folded) for _, answers in every for target, layer, folded, _ in answers]
    stops = {(target, _place(layer)) for target, layer, folded in told if folded.verdict is Verdict.RAISES}
    loads = {(target, _place(layer)) for target, layer, _ in told if (target, layer.loaded_from) in stops}
    for faces, answers in every:
        left = [one for one in answers if not one[1].loaded_from or (one[0], _place(one[1])) not in loads]
        if left:
            yield faces, left


def _place(layer: Layer) -> tuple[Place, ...]:
    """Return the place of a layer, and those of the calls that lead to it."""
    return (layer.place, *layer.via)
