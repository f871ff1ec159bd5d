"""What is asked of the fixes in source files, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping

from cudnnlint.check.check_file import CheckedFile
from cudnnlint.core.edit import Applicability
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.files.found import Found
from cudnnlint.files.reading import RunFiles
from cudnnlint.settings.settings import Flags

SOURCE = ("python", "notebook")


@dataclass(frozen=True)
class Job:
    """Files that share layers, with what was found in them; `others` are the texts of the files that import them.

    `run_files` are all files of the run.
    """

    found: tuple[Found, ...]
    results: tuple[CheckedFile, ...]
    run_files: RunFiles
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class Order:
    """How a job is to be done: with these flags, and applying fixes of these kinds (none: they are only offered)."""

    flags: Flags
    apply: frozenset[Applicability] = frozenset()


@dataclass(frozen=True)
class Applied:
    """What became of files: what is left to find, old and new bytes by path, and how many findings were fixed.

    `changed` are the paths of those that were not fixed because somebody else changed them meanwhile.
    """

    results: tuple[CheckedFile, ...]
    written: Mapping[str, tuple[bytes, bytes]]
    fixed: int
    changed: tuple[str, ...] = ()
