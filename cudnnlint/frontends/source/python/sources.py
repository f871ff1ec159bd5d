"""Which file a dotted module name is: what the interpreter asks of the project."""

from __future__ import annotations

from typing import Protocol

from cudnnlint.core.frozen import record


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
