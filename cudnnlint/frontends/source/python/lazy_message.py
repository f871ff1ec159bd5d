"""Sentences for the report, put together only when somebody reads them.

Most unknown values never reach a layer; quoting the source for each would cost more than following it.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Protocol


class Quotable(Protocol):
    """Something that can be quoted in a sentence: source text, or the reason for an unknown value."""

    @property
    def key(self) -> Hashable:
        """Return a key that is equal for two that read the same."""

    def __str__(self) -> str: ...


class Sentence:
    """A sentence in parts, joined when it is read."""

    __slots__ = ("_key", "parts")

    def __init__(self, *parts: str | Quotable) -> None:
        self.parts = parts
        self._key: Hashable = None

    def __str__(self) -> str:
        return "".join(str(part) for part in self.parts)

    @property
    def key(self) -> Hashable:
        """Return a key that is equal for two sentences that read the same."""
        if self._key is None:
            self._key = tuple([part if type(part) is str else key(part) for part in self.parts])
        return self._key


Words = str | Quotable


def key(words: Words | None) -> Hashable:
    """Return a key that is equal for two that read the same."""
    return words if words is None or isinstance(words, str) else words.key
