"""A file to read, as it was found."""

from __future__ import annotations

from pathlib import Path

from cudnnlint.core.file_limits import DEFAULT, Limits
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.text import is_url


@dataclass(frozen=True)
class Found:
    """One file (or SavedModel folder) to read. `path` is how the report names it, `real_path` is absolute.

    `problem` says why it cannot be read, else None; `data` is there for standard input only. `named`: it is
    itself among the PATHs, else `within` is the folder among them that it was found in.
    """

    path: str
    real_path: str  # a Path takes five times the memory, and there are as many as files in a run
    problem: str | None = None
    folder: bool = False
    data: bytes | None = None
    named: bool = False
    within: Path | None = None
    limits: Limits = DEFAULT

    @property
    def real(self) -> Path:
        """Return the absolute path."""
        return Path(self.real_path)

    @property
    def remote(self) -> bool:
        """Return whether it is behind a URL; `real` is then only the name that settings see, in the working folder."""
        return self.data is None and is_url(self.path)
