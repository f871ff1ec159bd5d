"""Applies the steps of fixes to chosen layers of a saved model; the container and the generation of Keras stay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cudnnlint.core.edit import CellToLayer, DropArgument, ReplaceClass, SetArgument, Step, Unroll
from cudnnlint.core.errors import Refused
from cudnnlint.core.tables import Tables
from cudnnlint.frontends.serialized.outputs import Arrival
from cudnnlint.rewriters.saved.argument_changes import set_argument
from cudnnlint.rewriters.saved.chain import cell_to_layer, unroll_cells
from cudnnlint.rewriters.saved.conversion import settle_optimizer
from cudnnlint.rewriters.saved.files import Saved, opened, write
from cudnnlint.rewriters.saved.layer_tree import LayerPart, paths
from cudnnlint.rewriters.saved.legacy import CUDNN, replace_class
from cudnnlint.rewriters.saved.summary import Summary
from cudnnlint.rewriters.saved.traced import TracedModel


def rewritten(source: Path, scratch: Path, kind: str, steps: Iterable[tuple[str, Step]], tables: Tables) -> Summary:
    """Apply each step to the layer at its path and write `result` into the folder `scratch`."""
    with opened(source, scratch, tables.names) as saved:
        if kind != saved.kind:
            raise Refused("", "a fix does not change the file format, so the new file needs the same suffix")
        summary = Summary()
        for path, step in steps:
            step = _written_out(path, step, tables.left_out)
            for found, part, parent in targets(saved.root, path):
                _apply(found, part, parent, step, saved, tables, summary)
        settle_optimizer(saved, summary)
        write(saved, scratch, saved.kind, bool(summary.changes))
    return summary


def targets(root: LayerPart, path: str) -> list[tuple[str, LayerPart, LayerPart]]:
    """Return the part at a layer path with its parent; both directions where the backward one is made of the other."""
    parents = {id(child): part for _, part in [("", root), *paths(root)] for child in part.parts}
    for found, part in paths(root):
        parent = parents[id(part)]
        if path in (found, *_directions(found, part)):
            both = parent.parts if parent.class_name == "Bidirectional" and parent.parts[-1].derived else [part]
            above = found.rpartition("/")[0]
            return [(f"{above}/{one.name}".lstrip("/"), one, parent) for one in both]
    raise Refused(path, "the file has no such layer")


def _directions(found: str, part: LayerPart) -> tuple[str, ...]:
    """Return the names that Keras gives the directions of a Bidirectional when it loads them."""
    side = {"forward_layer": "forward_", "backward_layer": "backward_"}.get(part.held_as)
    above = found.rpartition("/")[0]
    return (f"{above}/{side}{part.name.removeprefix(side)}", f"{above}/{side}{part.name}") if side else ()


def _apply(
    found: str, part: LayerPart, parent: LayerPart, step: Step, saved: Saved, tables: Tables, summary: Summary
) -> None:
    if isinstance(step, SetArgument):
        set_argument(found, part, step.name, step.value, saved.keras, summary)
    elif isinstance(step, ReplaceClass):
        if part.class_name != CUDNN.get(step.old):  # a second direction, or a second pass
            replace_class(found, part, tables.left_out)
            summary.changes.append(f"{found}: {step.old} is now {part.class_name}, its weights carried over exactly")
    elif not isinstance(step, CellToLayer):
        assert isinstance(step, Unroll)
        summary.changes.append(unroll_cells(found, part, parent, _arrivals(part, saved, tables)))
    elif part.class_name != step.layer_class:
        summary.changes.append(cell_to_layer(found, part, _arrivals(part, saved, tables)))


def _arrivals(part: LayerPart, saved: Saved, tables: Tables) -> Sequence[Arrival]:
    return TracedModel(saved.root, tables.names, saved.keras).arrivals(part)


def _written_out(path: str, step: Step, left_out: Mapping[str, Any]) -> Step:
    """Return the step; an argument that is left out is set to its default, as a file writes every argument."""
    if not isinstance(step, DropArgument):
        return step
    if step.name not in left_out:
        raise Refused(path, f"{step.name} cannot be removed from a saved layer")
    return SetArgument(step.name, left_out[step.name])
