"""What rows of several tables have in common: the releases they hold for, and values that are one or several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cudnnlint.core.tables import RowScope
from cudnnlint.core.target import Span


def scopes_of(entry: Mapping[str, Any]) -> list[RowScope]:
    """Return the scopes of an entry: one for each of its frameworks and backends."""
    frameworks, backends = listed(entry["framework"]), listed(entry.get("backend")) or [None]
    keras = Span.of(entry.get("since"), entry.get("until"))
    tensorflow = Span.of(entry.get("tensorflow_since"), entry.get("tensorflow_until"))
    return [RowScope(framework, backend, keras, tensorflow) for framework in frameworks for backend in backends]


def listed(value: Any) -> list[Any]:
    """Return a list of what is written as one value or as several; an empty one for nothing."""
    if value is None:
        return []
    return list(value) if isinstance(value, list) else [value]
