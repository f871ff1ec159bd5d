"""Rows of names.toml that say what a class name means below an import prefix.

A `direct` row is about `PREFIX.CLASS` alone (`keras.LSTM`), any other one also about what is deeper
(`keras.layers.LSTM`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cudnnlint.core.tables import Meaning
from cudnnlint.rulebook.row_scopes import listed, scopes_of


def meanings(entries: Iterable[Mapping[str, Any]]) -> tuple[Meaning, ...]:
    """Return the rows of these entries, in their order."""
    return tuple(
        Meaning(prefix, classes, scope, entry.get("operation"), entry["source"], entry.get("imported", False))
        for entry in entries
        for scope in scopes_of(entry)
        for prefix, classes in _named(entry)
    )


def absent(entries: Iterable[Mapping[str, Any]]) -> frozenset[tuple[str, str]]:
    """Return the prefix and name of each class that some release has not there."""
    lacking = (entry for entry in entries if "operation" not in entry)
    return frozenset(
        (prefix, name) for entry in lacking for prefix, classes in _named(entry) for name in classes
    )


def _named(entry: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the dotted prefixes of an entry, each with the classes that it is about."""
    classes = tuple(listed(entry["class"]))
    for prefix in listed(entry["prefix"]):
        if entry.get("direct", False):
            yield from ((f"{prefix}.{name}", (name,)) for name in classes)
        else:
            yield prefix, classes
