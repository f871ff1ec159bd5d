"""What one source (a lock file, requirements, the installed packages) says of the packages that a target is made of."""

from __future__ import annotations

from collections.abc import Mapping

from cudnnlint.core.quick_dataclass import dataclass


@dataclass(frozen=True)
class Pins:
    """What one source says: the ranges of each package that it names, as written ("": named, no version).

    `builds` are the same by the names of their distributions, where it is a file that names them.
    `everywhere` are the names of all packages, of any kind, that it installs on every machine.
    """

    source: str
    packages: Mapping[str, tuple[str, ...]]
    everywhere: frozenset[str] = frozenset()
    builds: tuple[tuple[str, str], ...] = ()
