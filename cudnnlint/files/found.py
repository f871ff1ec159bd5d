"""A file to read, as it was found."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Found:
    """One file (or SavedModel folder) to read. `path` is how the report names it.

    `problem` says why it cannot be read, else None; `data` is there for standard input only. `named`: it is
    itself among the PATHs.
    """

    path: str
    real: Path
    problem: str | None = None
    folder: bool = False
    data: bytes | None = None
    named: bool = False
