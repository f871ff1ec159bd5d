"""Turns a report into what the child is asked: a saved model whole, a layer in source rebuilt from its facts. Pure."""

from __future__ import annotations

import os
from collections.abc import Container, Mapping
from typing import Any

from cudnnlint.core.layer import Layer
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.core.report import FileReport, LayerReport, Report
from cudnnlint.core.verdict import Verdict
from cudnnlint.probe.rebuild import BROUGHT, calls_for, describe, mode_of
from cudnnlint.probe.rebuilt_arguments import Unfit, UnfitAlone, has_stand_in

MODELS = ("keras", "h5", "config")
#: The rules about what is around a layer, which the probe builds alone, and why it is then left out.
AROUND = {
    "stopped-before": "The program stops, or may stop, before it gets to this layer",
    "refused-layer": "The program stops, or may stop, before it gets to this layer",
    "mixed-packages": "Two packages of Keras meet, or may meet, in the program of this layer",
}
#: The rules about layers that run, and that stop where they are trained.
UNTRAINABLE = frozenset({"overwritten-state"})
Layers = frozenset[tuple[str, int]]  # by their files' paths and their ids


@dataclass(frozen=True)
class ProbedLayer:
    """One layer of the report and the item that answers for it; `place` says which of the item's layers it is.

    `item` is None where the layer is left out, for the reason in `why`. `mode` is the mode that its verdict speaks of.
    `rebuilt` says why a saved layer was built from its facts: its file does not load. `stand_in`: a function of the
    program's own was replaced by another, so that a failure to build says nothing. `program`: the item is the layer's
    program as a whole. `untrainable`: it is to run, and to stop where it is trained.
    """

    file: FileReport
    layer: LayerReport
    item: int | None
    place: int | None = None
    why: str = ""
    mode: str = "graph"
    rebuilt: str | None = None
    stand_in: bool = False
    program: bool = False
    untrainable: bool = False

    @property
    def foreseen(self) -> bool:
        """Whether the prediction was that its file as such cannot be loaded."""
        stops = self.layer.judgements[0].verdict is Verdict.RAISES
        return stops and self.layer.layer is not None and bool(self.layer.layer.unloadable)


def untrainable(report: Report) -> Layers:
    """Return the layers that run, and that a rule says to stop where they are trained."""
    told = {layer for one in report.diagnostics if one.name in UNTRAINABLE for layer in one.layers}
    return frozenset((file.path, layer.id) for file in report.files for layer in file.layers if layer.id in told)


def request(
    report: Report,
    dry: bool,
    framework: str,
    programs: bool = False,
    whole: Container[str] = (),
    stopping: Layers = frozenset(),
) -> tuple[list[dict[str, Any]], list[ProbedLayer]]:
    """Return the items for the child, which runs `framework`, and for every layer where its answer will be.

    `programs`: the files are the rulebook's own examples, which may be run where a layer cannot be rebuilt alone;
    `whole` are the paths of those that are run in any case. `stopping` are the layers that cannot be trained.
    """
    items: list[dict[str, Any]] = []
    asked: list[ProbedLayer] = []
    for file in report.files:
        model = _whole(file, items) if file.kind in MODELS else None
        for layer in file.layers:
            if file.path in whole and model is None:
                asked.append(_program(file, layer, items))
            else:
                asked.append(_ask(file, layer, model, items, dry, framework, programs))
    return items, [replace(one, untrainable=(one.file.path, one.layer.id) in stopping) for one in asked]


def _whole(file: FileReport, items: list[dict[str, Any]]) -> int | None:
    if not file.layers:
        return None
    items.append({"id": len(items), "model": os.path.abspath(file.path), "kind": file.kind})
    return len(items) - 1


def _ask(
    file: FileReport,
    layer: LayerReport,
    whole: int | None,
    items: list[dict[str, Any]],
    dry: bool,
    framework: str | None = None,
    programs: bool = False,
) -> ProbedLayer:
    if file.kind == "savedmodel":
        return ProbedLayer(file, layer, None, why="A SavedModel holds a graph, which Keras does not load as layers.")
    target = layer.judgements[0].target
    if framework not in (None, target.framework) and "tf_keras" in (framework, target.framework):
        wanted = target.framework
        why = f"This file is judged for {wanted}, but {framework} was asked. Use --framework {wanted}."
        return ProbedLayer(file, layer, None, why=why)
    try:
        found = _layer(layer.layer)
        if whole is not None:
            calls = calls_for(found, target, BROUGHT)
            return ProbedLayer(file, layer, whole, mode=mode_of(calls[0]))
        for one in layer.judgements[0].requirements:
            if one.name in AROUND and one.met != "yes":
                raise UnfitAlone(AROUND[one.name])
        spec, paddings, mode = describe(found, target, dry)
    except Unfit as unfit:
        if programs and isinstance(unfit, UnfitAlone) and file.kind == "python":
            return _program(file, layer, items)
        return ProbedLayer(file, layer, None, why=f"{unfit}.")
    items.append({"id": len(items), "layer": spec, "paddings": paddings})
    direction = found.direction
    place = int(direction is not None and direction.role == "backward")
    return ProbedLayer(file, layer, len(items) - 1, place, mode=mode, stand_in=has_stand_in(spec))


def _program(file: FileReport, layer: LayerReport, items: list[dict[str, Any]]) -> ProbedLayer:
    """Ask for a layer by the program around it."""
    direction = None if layer.layer is None else layer.layer.direction
    calls = () if layer.layer is None else layer.layer.calls
    count = 1 if direction is None else 2
    items.append({"id": len(items), "program": os.path.abspath(file.path), "count": count})
    place = int(direction is not None and direction.role == "backward")
    mode = mode_of(calls[0]) if calls else "graph"
    return ProbedLayer(file, layer, len(items) - 1, place, mode=mode, program=True)


def apart(
    asked: list[ProbedLayer], broken: Mapping[int, str], first: int, dry: bool
) -> tuple[list[dict[str, Any]], list[ProbedLayer]]:
    """Ask again, layer by layer, for the files in `broken` (item -> why it does not load), where the facts suffice."""
    items: list[dict[str, Any]] = []
    again: list[ProbedLayer] = []
    for one in asked:
        why = broken.get(one.item) if one.item is not None and one.place is None and not one.foreseen else None
        found = _ask(one.file, one.layer, None, items, dry) if why is not None else one
        if found is not one and found.item is not None:
            items[-1]["id"] = first + found.item
            found = replace(found, item=first + found.item, rebuilt=why)
        again.append(found if found.item is not None else one)
    return items, again


def _layer(layer: Layer | None) -> Layer:
    if layer is None:
        raise Unfit("The report has no facts about this layer")
    return layer
