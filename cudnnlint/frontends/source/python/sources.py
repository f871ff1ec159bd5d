"""Which file a dotted module name is, and its text: what the interpreter asks of the project."""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

from cudnnlint.core.frozen import record
from cudnnlint.frontends.source.syntax import guard
from cudnnlint.frontends.source.syntax.decode import decode


@record(frozen=True)
class SourceFile:
    """A file that is a module: its path as reported, its dotted name, and its bytes."""

    path: str
    name: str
    data: bytes
    package: bool = False
    linted: bool = True


class Project(Protocol):
    """Where modules come from."""

    def name_of(self, path: str) -> tuple[str, bool]:
        """Return the dotted name of a file, and whether it is a package's `__init__`."""

    def find(self, name: str, beside: str) -> SourceFile | None:
        """Return the module `name` as the file `beside` would import it."""

    def at(self, path: str, beside: str) -> SourceFile | None:
        """Return the file at a path that counts from the folder of the file `beside`."""


@lru_cache(maxsize=256)
def text_of(data: bytes) -> str:
    """Return the text of a module, which the parser may be given; many files import it."""
    text = decode(data)
    guard.check(text)
    return text
