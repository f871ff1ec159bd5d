"""The names in a folder of a project: the folder is read once, and many patterns are matched against what is in it."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterator
from pathlib import Path


def listed(folder: Path) -> tuple[str, ...]:
    """Return the names in a folder, in their order; none where it cannot be read."""
    try:
        return tuple(sorted(os.listdir(folder)))
    except OSError:
        return ()


def matching(folder: Path, names: tuple[str, ...], pattern: str) -> Iterator[Path]:
    """Yield the paths in a folder with these names that a pattern fits: `*.lock`, `binder/*.yml`."""
    first, _, rest = pattern.partition("/")
    for name in fnmatch.filter(names, first) if set("*?[").intersection(first) else {first}.intersection(names):
        if rest:
            yield from sorted((folder / name).glob(rest))
        else:
            yield folder / name
