"""Values of settings, as a file or an editor writes them; a reader raises TypeError for what a setting cannot be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def text(value: Any) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise TypeError
    return value


def texts(value: Any) -> tuple[str, ...]:
    """Return a list of texts."""
    if not isinstance(value, list):
        raise TypeError
    return tuple(text(item) for item in value)


def text_or_texts(value: Any) -> tuple[str, ...]:
    """Return a text as a list of one, or a list of texts."""
    return (value,) if isinstance(value, str) else texts(value)


def flag(value: Any) -> bool:
    """Return true or false."""
    if not isinstance(value, bool):
        raise TypeError
    return value


def count(value: Any) -> int:
    """Return a whole number from 0 on."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError
    return value


def one_of(*choices: str) -> Callable[[Any], str]:
    """Return the reader of a text that is one of the choices."""

    def reader(value: Any) -> str:
        if value not in choices:
            raise TypeError
        return str(value)

    return reader
