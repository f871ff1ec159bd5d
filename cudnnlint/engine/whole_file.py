"""A saved model is loaded, and runs, as a whole: where one of its layers stops on every machine, none of them runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from cudnnlint.core.book import Rulebook
from cudnnlint.core.layer import Layer, Model
from cudnnlint.core.load_fault import BESIDE, LoadFault, release_of
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.report import LayerReport
from cudnnlint.core.target import Era, Point
from cudnnlint.core.truth import Truth
from cudnnlint.core.verdict import Verdict
from cudnnlint.engine.fold import Folded

Fold = Callable[[Layer, Point], Folded]
SAYS = "Keras cannot load or run the model in this file: it stops at {found}, and so gets to no other layer"


def stopped(
    model: Model, found: Sequence[LayerReport], points: Callable[[], Sequence[Point]], book: Rulebook, fold: Fold
) -> Model | None:
    """Return the model, each layer of which knows at which of the releases another one stops everywhere.

    None where that changes nothing for the layers that were found.
    """
    verdicts = {one.verdict for report in found for one in report.judgements}
    if Verdict.RAISES not in verdicts or len(verdicts) < 2 or not all(layer.saved for layer in model.layers):
        return None
    if any(fault.kind == BESIDE for layer in model.layers for fault in layer.unloadable):
        return None
    gates = {gate.rule for gate in book.tables.gates}
    stops = {point: [layer for layer in model.layers if _stops(fold(layer, point), gates)] for point in points()}
    faults = [tuple(_faults(layer, stops)) for layer in model.layers]
    if not any(faults):
        return None
    each = zip(model.layers, faults, strict=True)
    return replace(model, layers=tuple(replace(layer, unloadable=(*layer.unloadable, *own)) for layer, own in each))


def _stops(folded: Folded, gates: set[str]) -> bool:
    """Return whether a layer certainly stops on every machine: that is what the gates of the tables are about."""
    raises = (one for one in folded.bites if one.then is Verdict.RAISES and one.finding.truth is Truth.YES)
    return folded.verdict is Verdict.RAISES and any(one.rule.name in gates for one in raises)


def _faults(layer: Layer, stops: Mapping[Point, Sequence[Layer]]) -> Iterator[LoadFault]:
    """Yield what stops beside a layer, with the releases in which it is the first that does; nothing for that one."""
    first: dict[str, list[Point]] = {}
    for point, others in stops.items():
        if others and not any(other is layer for other in others):
            first.setdefault(others[0].name or others[0].variants[0].class_name, []).append(point)
    for name, points in first.items():
        every = frozenset(map(release_of, points))
        yield LoadFault(BESIDE, (), Era(0), SAYS, anywhere=True, at=every).naming(name)
