"""Which files of a run a file imports, by the text of its imports. Nothing is parsed.

What it leaves out is what no search finds: a module whose name is computed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import accumulate
from typing import TYPE_CHECKING

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.regex import regex
from cudnnlint.files import reading
from cudnnlint.files.found import Found
from cudnnlint.files.imported_layers import imported_names
from cudnnlint.files.reading import RunFiles
from cudnnlint.frontends.source import wanted

if TYPE_CHECKING:
    from cudnnlint.frontends.source.project.project import Project, SourceFile

MOST_FILES = 300  # that are looked into from one file
#: A file with one of these may import, or run, what is named in a text; so may a notebook with %run.
_BY_TEXT = regex(rb"import_module|__import__|runpy|spec_from_file|load_source|SourceFileLoader|\bexec\(|%run\b")
_TEXT = regex(rb"[\"']([\w./-]{1,200})\\?[\"']|%run[ \t]+([\w./-]+)")


def scanned(run_files: RunFiles, given: Found) -> tuple[bool, tuple[str, ...]] | None:
    """Return whether a source file shows a recurrent layer, and the run's files that it imports.

    None for what is no source, or cannot be read. A file is named as the run names it, or by its real path.
    """
    try:
        data = reading.any_source(given)
    except (UnreadableInput, OSError):
        return None
    if data is None:
        return None
    project = reading.project_of(given, run_files)
    return wanted(data), tuple(dict.fromkeys(_linted(given.path, data, project)))


def _linted(path: str, data: bytes, project: Project) -> Iterator[str]:
    """Yield the linted files that a file imports, directly or through files that are not linted."""
    seen, todo = {path}, [(path, data)]
    while todo and len(seen) < MOST_FILES:
        at, text = todo.pop()
        for file in _imported(at, text, project):
            if file.path in seen:
                continue
            seen.add(file.path)
            if file.linted or file.name == "__main__":
                yield file.path
            else:
                todo.append((file.path, file.data))


def reaches(path: str, data: bytes, project: Project, goals: Collection[str]) -> bool:
    """Return whether a file imports one of the files `goals`, directly or not."""
    seen, todo = {path}, [(path, data)]
    while todo:
        at, text = todo.pop()
        for file in _imported(at, text, project):
            if file.path in goals or len(seen) >= MOST_FILES:
                return True
            if file.path not in seen:
                seen.add(file.path)
                todo.append((file.path, file.data))
    return False


def _imported(path: str, data: bytes, project: Project) -> Iterator[SourceFile]:
    """Yield the files that a file imports itself, the packages on the way among them."""
    names = dict.fromkeys(
        name
        for found in imported_names(data, *project.name_of(path))
        for name in accumulate(found.split("."), "{}.{}".format)
    )
    texts = [left or right for left, right in _TEXT.findall(data)] if _BY_TEXT.search(data) else []
    for text in dict.fromkeys(texts):
        named = text.decode()
        names.setdefault(named)
        file = project.at(named, path)
        if file is not None:
            yield file
    for name in names:
        file = project.find(name, path)
        if file is not None:
            yield file
