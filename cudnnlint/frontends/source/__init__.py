"""The source front end: Python text in, layers of facts out, by following what the program does.

This module is cheap to import; the parser comes with the first file that needs it.
"""

from __future__ import annotations

from cudnnlint.core.layer import Model
from cudnnlint.core.names import Names
from cudnnlint.frontends.source.project.project import Project
from cudnnlint.frontends.source.syntax import prefilter


def wanted(data: bytes) -> bool:
    """Return whether these bytes can hold a recurrent layer at all, by a search without parsing."""
    return prefilter.in_bytes(data)


def read(path: str, data: bytes, names: Names, project: Project | None = None) -> Model:
    """Return the recurrent layers of a Python file. Raises UnreadableInput where it cannot be read."""
    from cudnnlint.frontends.source.reader import read as read_now

    return read_now(path, data, names, project)
