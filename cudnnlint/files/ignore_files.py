"""What git leaves out of a folder: the .gitignore files in it and above it, up to the repository's root."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from cudnnlint.settings.config import LARGEST
from cudnnlint.settings.globs import readable

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


def ignored(path: Path, is_dir: bool, ignores: list[tuple[Path, GitIgnoreSpec]]) -> bool:
    """Git's answer: the nearest .gitignore that says anything of the path decides."""
    for folder, spec in reversed(ignores):
        inside = path.relative_to(folder).as_posix() + "/" * is_dir
        include = spec.check_file(inside).include
        if include is not None:
            return include
    return False


def above(root: Path) -> Iterator[tuple[Path, GitIgnoreSpec]]:
    """Yield the .gitignore files from the repository's root down to above `root`; none outside a repository."""
    chain = [root, *root.parents]
    top = next((index for index, folder in enumerate(chain) if (folder / ".git").exists()), None)
    if top is None:
        return
    own = of_folder(chain[top] / ".git" / "info", "exclude")
    if own is not None:
        yield chain[top], own
    for folder in reversed(chain[1 : top + 1]):
        spec = of_folder(folder)
        if spec is not None:
            yield folder, spec


def forget() -> None:
    """Read the .gitignore files anew next time; a run begins with it."""
    of_folder.cache_clear()


@lru_cache(maxsize=1024)
def of_folder(folder: Path, name: str = ".gitignore") -> GitIgnoreSpec | None:
    """Return what a folder's own file leaves out; None where it has none that can be read."""
    from pathspec import GitIgnoreSpec

    path = folder / name
    if not os.path.isfile(path):
        return None
    try:
        if path.stat().st_size > LARGEST:
            return None
        lines = path.read_text(encoding="utf-8-sig", errors="surrogateescape").splitlines()
    except OSError:
        return None
    return GitIgnoreSpec.from_lines(filter(readable, lines))
