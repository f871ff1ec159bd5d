"""Which row of the tables a verdict rests on: what a contradiction has to name."""

from __future__ import annotations

from cudnnlint.core.report import LayerReport
from cudnnlint.core.tables import Row, Tables
from cudnnlint.core.target import Point, Target
from cudnnlint.engine.settle import operate
from cudnnlint.probe.rebuild import point


def describe(layer: LayerReport, kind: str, target: Target, tables: Tables) -> str | None:
    """Describe the row for a layer of a file of this kind; None without a single release or without facts."""
    if layer.layer is None or target.keras.version is None:
        return None
    where: Point = point(target)
    operation, missing = operate(layer.layer.variants[0], where, tables, kind if layer.layer.saved else None)
    if missing:
        return f"names.toml: {target} has no {operation}"
    row = tables.row(operation, where)
    return f"no row for {operation} in {target}" if row is None else _told(row, operation)


def _told(row: Row, operation: str) -> str:
    scope = row.scope
    return (
        f"routes.toml: {operation} in {scope.framework} {scope.keras}: {row.route.value}, "
        f"checked {row.checked}, source {row.source}"
    )
