"""What the rows of `defaults.toml` say of a recurrent class in all releases together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cudnnlint.rulebook.row_scopes import listed


def every_name(defaults: Mapping[str, Any], classes: Iterable[str]) -> Iterator[str]:
    """Yield the arguments of these classes that have a default, in any release."""
    for entry in defaults["class"]:
        if set(listed(entry["operation"])) & set(classes):
            yield from entry["arguments"]


def lasting(defaults: Mapping[str, Any], class_name: str) -> dict[str, object]:
    """Return the arguments of a class, and of its old variants, with the default that every release with them has."""
    found: dict[str, list[object]] = {}
    for entry in defaults["class"]:
        if any(name.rpartition(".")[2] == class_name for name in listed(entry["operation"])):
            for name, value in entry["arguments"].items():
                found.setdefault(name, []).append(value)
    return {name: every[0] for name, every in found.items() if all(value == every[0] for value in every)}
