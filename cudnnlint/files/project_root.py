"""Where a project begins: the folder in which the imports of its files are looked for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache

from cudnnlint.frontends.source.project.project import INSTALLED

#: What a repository holds at its top, and what a project does.
REPOSITORY, PROJECT = (".git", ".hg"), ("pyproject.toml", "setup.py", "setup.cfg")


@lru_cache(maxsize=4096)
def root(folder: str, linted: str) -> str:
    """Return the repository that a folder is in, else its project, the linted folder or its packages.

    A project holds a file that says how it is built. Of these three the outermost counts. Installed packages are no
    part of what they are installed in.
    """
    package = folder
    while os.path.exists(os.path.join(package, "__init__.py")):
        package = os.path.dirname(package)
    if os.path.basename(package) in INSTALLED:
        return package
    repository = _holding(folder, REPOSITORY)
    if repository is not None:
        return repository
    return min(_holding(folder, PROJECT) or folder, linted, package, key=len)


def _holding(folder: str, names: tuple[str, ...]) -> str | None:
    """Return the nearest folder, this one or above, that holds one of these files."""
    return next((at for at in _upwards(folder) if any(os.path.exists(os.path.join(at, name)) for name in names)), None)


def _upwards(folder: str) -> Iterator[str]:
    """Yield a folder and those that it is in, without the topmost one."""
    while os.path.dirname(folder) != folder:
        yield folder
        folder = os.path.dirname(folder)
