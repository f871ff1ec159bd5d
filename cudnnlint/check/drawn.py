"""The graph of a file's model as the report has it: with the report's layers, for the file's targets."""

from __future__ import annotations

from collections.abc import Sequence

from cudnnlint.core.graph import ModelGraph
from cudnnlint.core.layer import Model
from cudnnlint.core.report import LayerReport
from cudnnlint.core.tables import Tables
from cudnnlint.core.target import Target
from cudnnlint.engine.points import points


def graph(model: Model, layers: Sequence[LayerReport], targets: Sequence[Target], tables: Tables) -> ModelGraph | None:
    """Return the graph of `model`, whose layers were judged for `targets`; None where it has none."""
    if model.graph is None:
        return None
    numbers = {id(layer): number for number, layer in enumerate(model.layers)}
    reported = {numbers[id(one.layer)]: at for at, one in enumerate(layers) if id(one.layer) in numbers}
    return model.graph.numbered(reported).at(points(target, tables)[-1] for target in targets)
