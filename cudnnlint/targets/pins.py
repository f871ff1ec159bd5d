"""What one source (a lock file, requirements, the installed packages) says of the packages that a target is made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from cudnnlint.core.quick_dataclass import dataclass


class WantedPackage(NamedTuple):
    """A package as it is written, and its version specifiers ("" for none).

    `everywhere`: it is installed on every machine. Lock files list what any machine may want.
    """

    name: str
    specifiers: str
    everywhere: bool = False


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
