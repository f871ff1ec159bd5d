"""Find the files to read: walk folders, skip what is excluded, never open what is not a regular file.

The order is that of the paths given and, inside a folder, of the names. What a file holds is decided
elsewhere; only a .json is looked into, because most of them are no model.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.text import is_url
from cudnnlint.files import ignore_files, remote
from cudnnlint.files.atomic import MARK
from cudnnlint.files.entries import is_folder, is_wanted
from cudnnlint.files.found import Found
from cudnnlint.formats.sniff import HEAD, SUFFIXES, looks_like_config, suffix_of
from cudnnlint.frontends.source.project.project import real_paths
from cudnnlint.settings.config import Config, nearest

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

SAVED_MODEL = "saved_model.pb"
DEFAULT_EXCLUDES = (
    ".bzr/", ".direnv/", ".eggs/", ".git/", ".hg/", ".ipynb_checkpoints/", ".mypy_cache/", ".nox/", ".pants.d/",
    ".pytest_cache/", ".pytype/", ".ruff_cache/", ".svn/", ".tox/", ".venv/", ".vscode/", "__pycache__/",
    "__pypackages__/", "_build/", "buck-out/", "build/", "dist/", "node_modules/", "site-packages/", "venv/",
)  # fmt: skip
#: How much of what is left out is kept in mind; one folder of data may hold a million ignored files.
MOST_LEFT_OUT = 1000


class LeftOut(NamedTuple):
    """A file or folder that is not looked into: as it is shown, where it is, and whose `exclude` does so; None: git."""

    shown: str
    path: str
    config: Config | None


def discover(paths: tuple[str, ...], force_exclude: bool = False) -> Iterator[Found]:
    """Every file that `paths` name or hold, each once."""
    seen: set[str] = set()
    real = real_paths()
    for path in paths:
        for found in _named(path, force_exclude):
            key = found.path if found.remote else real(found.real_path)
            if key not in seen:
                seen.add(key)
                yield found


def stdin(name: str, data: bytes, force_exclude: bool) -> Iterator[Found]:
    """Yield standard input under the name that `--stdin-filename` gives it, which need not exist."""
    if "\0" in name:
        yield _nameless(name)
        return
    real = Path(os.path.abspath(name))
    if not (force_exclude and _excluded_by_name(real, False)):
        yield Found(name, str(real), data=data, named=True)


def _nameless(name: str) -> Found:
    """Return a file whose name no file can have; it stands in the working folder."""
    return Found(name, os.path.abspath("index"), "The file cannot be opened: its name holds a null character.")


def _remote(url: str) -> Iterator[Found]:
    """Yield the file behind a URL, or the models in a folder of a bucket. Raises UsageError."""
    remote.prove(url)
    try:
        found = remote.listed(url)
    except UnreadableInput as error:
        yield Found(url, _beside(url), error.reason, named=True)
        return
    if found is None:
        yield Found(url, _beside(url), named=True)
        return
    graphs = {one.rpartition("/")[0] for one in found if remote.name_of(one) == SAVED_MODEL}
    inside = tuple(f"{folder}/" for folder in graphs)
    files = {one for one in found if suffix_of(one) in SUFFIXES and not one.startswith(inside)}
    for one in sorted(graphs | files):
        if one in graphs or suffix_of(one) != ".json" or _shows_config(one):
            yield Found(one, _beside(one), folder=one in graphs)


def _beside(url: str) -> str:
    """Return the path by which the settings of the working folder apply to a URL."""
    return os.path.abspath(remote.name_of(url) or "index")


def _shows_config(url: str) -> bool:
    try:
        return looks_like_config(remote.first_bytes(url, HEAD))
    except UnreadableInput:
        return False


def _named(path: str, force_exclude: bool) -> Iterator[Found]:
    if is_url(path):
        yield from _remote(path)
        return
    if "\0" in path:
        yield _nameless(path)
        return
    real = Path(os.path.abspath(path))
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        yield Found(path, str(real), f"The file cannot be opened: {error.strerror}.")
        return
    if force_exclude and _excluded_by_name(real, stat.S_ISDIR(mode)):
        return
    if stat.S_ISDIR(mode):
        yield from Walk(path, real).files()
    else:
        yield Found(path, str(real), None if stat.S_ISREG(mode) else "Not a regular file, such as a pipe.", named=True)


def _excluded_by_name(real: Path, is_dir: bool) -> bool:
    """Is a path that was named left out? Without a config, the default globs see it from the working directory."""
    config = nearest(real.parent)
    return _excluded(real, is_dir, config, str(config.folder) if config.file else os.getcwd())


class Walk:
    """One named folder. What already leaves out the folder itself is not asked about what is inside."""

    def __init__(self, given: str, root: Path) -> None:
        self.given, self.root = given, root
        above = list(ignore_files.above(root))
        self.ignores = [] if ignore_files.ignored(root, True, above) else above
        self.left_out: list[LeftOut] = []

    def files(self) -> Iterator[Found]:
        """Everything in the folder, in the order of the names."""
        stack: list[tuple[Path, list[tuple[Path, GitIgnoreSpec]]]] = [(self.root, self.ignores)]
        deepest = nearest(self.root).limits.folder_depth
        while stack:
            folder, ignores = stack.pop()
            if len(folder.parts) - len(self.root.parts) > deepest:
                why = f"It is not looked into: it is {deepest} folders down."
                yield Found(self._shown(str(folder)), str(folder), why)
                continue
            own = ignore_files.of_folder(folder)
            ignores = [*ignores, (folder, own)] if own else ignores
            try:
                entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
            except OSError as error:
                yield Found(self._shown(str(folder)), str(folder), f"The file cannot be opened: {error.strerror}.")
                continue
            if any(entry.name == SAVED_MODEL and entry.is_file() for entry in entries):
                yield Found(self._shown(str(folder)), str(folder), folder=True)
                continue
            config = nearest(folder)
            kept = [entry for entry in entries if self._keeps(entry, config, ignores)]
            stack += [(Path(entry.path), ignores) for entry in reversed(kept) if is_folder(entry)]
            yield from (self._found(entry.path) for entry in kept if is_wanted(entry))

    def _found(self, path: str) -> Found:
        return Found(self._shown(path), path, within=self.root)

    def _keeps(self, entry: os.DirEntry[str], config: Config, ignores: list[tuple[Path, GitIgnoreSpec]]) -> bool:
        is_dir = is_folder(entry)
        if is_dir and MARK in entry.name:  # another run is writing there
            return False
        if not is_dir and suffix_of(entry.name) not in SUFFIXES:
            return False
        path = Path(entry.path)
        excluded = _excluded(path, is_dir, config, self._base(config))
        if not excluded and not ignore_files.ignored(path, is_dir, ignores):
            return True
        if len(self.left_out) < MOST_LEFT_OUT:
            self.left_out.append(LeftOut(self._shown(entry.path), entry.path, config if excluded else None))
        return False

    def _base(self, config: Config) -> str:
        """Return the folder that the globs of `config` apply to: its own, unless they exclude the named one."""
        own = str(config.folder)
        return own if config.file and not _excluded(self.root, True, config, own) else str(self.root)

    def _shown(self, path: str) -> str:
        inside = os.path.relpath(path, self.root)
        if inside == ".":
            return self.given
        shown = inside if self.given == "." else os.path.join(self.given, inside)
        return path if shown == path else shown  # one text in memory, not two


def _excluded(path: Path, is_dir: bool, config: Config, base: str) -> bool:
    try:
        inside = os.path.relpath(path, base).replace(os.sep, "/")
    except ValueError:  # Windows: it is on another drive
        return False
    if inside in (".", "..") or inside.startswith("../"):
        return False
    return excludes(config).match_file(inside + "/" * is_dir)


@lru_cache(maxsize=256)
def excludes(config: Config) -> GitIgnoreSpec:
    """Return the globs of a configuration, written as in a .gitignore."""
    from pathspec import GitIgnoreSpec

    globs = DEFAULT_EXCLUDES if config.exclude is None else config.exclude
    return GitIgnoreSpec.from_lines([*globs, *config.extend_exclude])
