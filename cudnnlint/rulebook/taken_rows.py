"""The reading of `tables/layers.toml`: what the layers of Keras 3 take out of a saved file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any

from cudnnlint.core.taken_arguments import TakenArguments
from cudnnlint.core.target import Span


def taken_arguments(table: Mapping[str, Any]) -> TakenArguments:
    """Return what the table says. Raises KeyError or InvalidVersion for a flawed row."""
    refused: dict[tuple[str, str], list[tuple[frozenset[str], Span]]] = {}
    for row in table["refused"]:
        for name, argument in product(row["class"], row["argument"]):
            refused.setdefault((name, argument), []).append((frozenset(row["kinds"]), _span(row)))
    return TakenArguments(
        taken=_taken(table["layer"]),
        objects=_taken(table["object"]),
        spans={(name, row["argument"]): _span(row) for row in table["some"] for name in row["class"]},
        classes={name: _span(row) for row in table["class"] for name in row["class"]},
        needed={name: tuple(arguments) for name, arguments in table["needed"].items()},
        refused=refused,
        written={name: frozenset(arguments) for name, arguments in table["written"].items()},
    )


def _taken(rows: Iterable[Mapping[str, Any]]) -> dict[str, frozenset[str]]:
    return {name: frozenset(row["arguments"]) for row in rows for name in row["class"]}


def _span(row: Mapping[str, Any]) -> Span:
    return Span.of(row.get("since"), row.get("until"))
