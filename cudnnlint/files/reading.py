"""One file to a Model: decides by content first and suffix second which front end reads it.

Heavy modules are imported when a file needs them, never before (libcst, h5py: 0.2 s each).
"""

from __future__ import annotations

import ast
import json
import os
import stat
import warnings
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.layer import Model
from cudnnlint.core.names import Names
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.core.suppression import marked
from cudnnlint.core.text import is_url
from cudnnlint.files import project_root, remote
from cudnnlint.files.found import Found
from cudnnlint.files.linted import NONE_LINTED, Linted
from cudnnlint.formats.sniff import HEAD, POINTS, SUFFIXES, is_pointer, kind, suffix_of

if TYPE_CHECKING:
    from cudnnlint.core.answers import Answers
    from cudnnlint.frontends.source.project.project import Project

SOURCE = ("python", "notebook")
#: Bytes of the graph of a SavedModel that is read over the network; it holds no weights.
LARGEST_GRAPH = 64 << 20


@dataclass(frozen=True)
class RunFiles:
    """The files of a run: the paths that are linted, and by real path what files will hold, but do not hold yet."""

    linted: Linted = NONE_LINTED
    drafts: tuple[tuple[str, bytes], ...] = ()


ALONE = RunFiles()


def read(
    given: Found,
    names: Names,
    run_files: RunFiles = ALONE,
    must: bool = False,
    answers: Answers | None = None,
    project: Project | None = None,
) -> Model | None:
    """Return the model in one file; None for source that can hold no recurrent layer and no suppression.

    With `must`, source is parsed whatever its bytes look like; `answers` are what a target answers its queries;
    `project` is where its imports are looked for, if that is to be watched.
    Raises UnreadableInput for a file that is broken, and OSError.
    """
    if given.problem is not None:
        raise UnreadableInput(given.problem)
    if given.folder:
        return _graph(given, names)
    if given.remote:
        return _remote(given, names, must, answers)
    head = _head(given)
    if is_pointer(head):
        raise UnreadableInput(POINTS, pointer=True)
    found = _kind(given, head)
    if found not in SOURCE:
        return _saved(given, names)
    data = _bytes(given, given.limits.bytes_of(found))
    project = project or project_of(given, run_files)
    reads = must or _shows(data) or (given.named and _reaches_layers(given, data, project))
    proves_itself = reads and found == "notebook"  # source may still be passed over, where it does not reach Keras
    if given.named and not proves_itself and not _sound(found, data):
        _prove(found, given, data, names)
    return _source(found, given, data, names, project, answers) if reads else None


def _remote(given: Found, names: Names, must: bool, answers: Answers | None) -> Model | None:
    """Return the model in a file behind a URL, which is opened once; source is read by itself."""
    with remote.opened(given.path) as stream:
        head = stream.read(HEAD)
        if is_pointer(head):
            raise UnreadableInput(POINTS, pointer=True)
        found = _kind(given, head)
        if found not in SOURCE:
            from cudnnlint.frontends import saved

            return saved.read_stream(given.path, stream, names)
        stream.seek(0)
        data = stream.read(given.limits.bytes_of(found) + 1)
    return read(replace(given, data=data), names, ALONE, must, answers, remote.Nowhere())


def _shows(data: bytes) -> bool:
    """Return whether bytes hold the name of a recurrent layer, or a suppression."""
    from cudnnlint.frontends.source import wanted

    return wanted(data) or marked(data)


def passes_over(given: Found, data: bytes) -> bool:
    """Return whether `read` returns None for source that holds these bytes, whatever else there is."""
    return not given.named and not _shows(data)


def any_source(given: Found) -> bytes | None:
    """Return the bytes of source; None for everything else. Raises UnreadableInput and OSError as `read` does."""
    if given.problem is not None or given.folder:
        return None
    likely = "" if given.remote else SUFFIXES.get(suffix_of(given.path), "")
    if likely in SOURCE and given.data is None:  # opened once: most files are what their names say
        given = replace(given, data=_first_bytes(given, given.limits.bytes_of(likely) + 1))
    head = _head(given)
    found = "" if is_pointer(head) else _kind(given, head)
    return _bytes(given, given.limits.bytes_of(found)) if found in SOURCE else None


def _sound(kind: str, data: bytes) -> bool:
    """Return whether this Python can parse the file, or a notebook's JSON; ten times cheaper than libcst."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            json.loads(data) if kind == "notebook" else ast.parse(data)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True


def _prove(kind: str, given: Found, data: bytes, names: Names) -> None:
    """Raise UnreadableInput if a file that was named is broken, even if it holds no recurrent layer."""
    if kind == "notebook":
        from cudnnlint.frontends import notebook

        notebook.read(given.path, data, names, None)
    else:
        from cudnnlint.frontends.source.reader import prove

        prove(data)


def _reaches_layers(given: Found, data: bytes, project: Project) -> bool:
    """Return whether a named file may call helpers with recurrent layers in files that were not named."""
    from cudnnlint.files.imported_layers import reaches_layers

    return reaches_layers(given.path, data, project)


def _kind(given: Found, head: bytes) -> str:
    return kind(head, remote.name_of(given.path) if is_url(given.path) else given.path)


def _graph(given: Found, names: Names) -> Model:
    from cudnnlint.frontends.saved import savedmodel

    if not given.remote:
        return savedmodel.read_folder(given.path, names)

    def fetched(member: str) -> memoryview:
        data = remote.first_bytes(f"{given.path}/{member}", LARGEST_GRAPH + 1)
        if len(data) > LARGEST_GRAPH:
            raise UnreadableInput(f"Its {member} has more than {LARGEST_GRAPH >> 20} MiB: download it first.")
        return memoryview(data)

    graph = fetched(savedmodel.MEMBER)
    return savedmodel.read_graph(given.path, graph, names, lambda: fetched(savedmodel.METADATA))


def _saved(given: Found, names: Names) -> Model:
    from cudnnlint.frontends import saved

    if given.data is not None:
        return saved.read_bytes(given.path, given.data, names)
    return saved.read(given.path, names)


def text(given: Found) -> str:
    """Return a source file as text even if its encoding is broken: for an excerpt around the error."""
    return source(given).decode("utf-8", "replace")


def source(given: Found, kind: str = "python") -> bytes:
    """Return the bytes of a Python file, or of a notebook."""
    return _bytes(given, given.limits.bytes_of(kind))


def _source(kind: str, given: Found, data: bytes, names: Names, project: Project, answers: Answers | None) -> Model:
    if kind == "notebook":
        from cudnnlint.frontends import notebook

        return notebook.read(given.path, data, names, project, answers, given.limits.steps)
    from cudnnlint.frontends.source.reader import read as read_source

    return read_source(given.path, data, names, project, answers, given.limits.steps)


def project_of(given: Found, run_files: RunFiles = ALONE) -> Project:
    """Return where the imports of a file are looked for."""
    if is_url(given.path):
        return remote.Nowhere()
    folder = os.path.dirname(given.real_path)
    return _project(project_root.root(folder, str(given.within or folder)), run_files)


@lru_cache(maxsize=16)
def _project(root: str, run_files: RunFiles) -> Project:
    from cudnnlint.frontends.source.project.project import Folder

    return Folder(root, run_files.linted.paths, dict(run_files.drafts))


def forget() -> None:
    """Look at the project's files anew next time; a run begins with it."""
    _project.cache_clear()
    project_root.root.cache_clear()


def _head(given: Found) -> bytes:
    return given.data[:HEAD] if given.data is not None else _first_bytes(given, HEAD)


def _size(count: int) -> str:
    return f"{count >> 20} MiB" if count >= 1 << 20 else f"{count} bytes"


def _bytes(given: Found, limit: int) -> bytes:
    data = given.data if given.data is not None else _first_bytes(given, limit + 1)
    if len(data) > limit:
        raise UnreadableInput(f"The file is larger than {_size(limit)}, the limit for source files.")
    return data


def _first_bytes(given: Found, count: int) -> bytes:
    return remote.first_bytes(given.path, count) if given.remote else _regular(given.real, count)


def _regular(path: Path, count: int) -> bytes:
    """Return the first bytes of a file, without waiting for a pipe that has replaced the file."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableInput("Not a regular file, such as a pipe.")
        return file.read(min(count, max(status.st_size + 1, HEAD)))
