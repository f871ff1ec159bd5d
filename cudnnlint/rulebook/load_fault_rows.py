"""The reading of `tables/loading.toml`: what in a saved file keeps which releases of Keras from loading it.

A row without `checked` or `source` is flawed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cudnnlint.core.load_fault import LoadFault
from cudnnlint.core.target import Era, Span


def load_faults(entry: Mapping[str, Any]) -> Iterator[LoadFault]:
    """Yield what a row says, for each generation of Keras that it speaks of.

    Raises KeyError, ValueError or InvalidVersion for a flawed row.
    """
    if not (entry["checked"] and entry["source"]):
        raise ValueError(f"a row without checked or source: {entry}")
    span = Span.of(entry.get("since"), entry.get("until"))
    for major in entry["major"]:
        anywhere = entry.get("anywhere", len(entry["major"]) > 1)
        wrote = Span.of(*entry["wrote"]) if "wrote" in entry else None
        about = frozenset(entry.get("classes", ())), entry.get("key"), wrote
        yield LoadFault(entry["kind"], tuple(entry["formats"]), Era(major, span), entry["says"], anywhere, *about)
