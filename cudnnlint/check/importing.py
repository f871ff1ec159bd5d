"""The programs that import a module which makes its layers while it is imported: what they set before counts there.

They need not name a layer. Found by the text of the imports, and only where a program sets a switch of Keras's.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.layer import Model
from cudnnlint.core.regex import regex
from cudnnlint.files import reading, run_imports
from cudnnlint.files.found import Found
from cudnnlint.files.reading import RunFiles

_SWITCHES = regex(rb"KERAS_BACKEND|TF_USE_LEGACY_KERAS|\bset_backend\b")
#: What gives the files that are linked to one.
Edges = Callable[[str], Sequence[str]]


def programs(
    found: Sequence[Found], models: Iterable[Model], run_files: RunFiles
) -> tuple[dict[str, list[str]], set[str]]:
    """Return the programs that import each such module, and which programs may set something for it.

    A program is a file that no other file of the run imports.
    """
    goals = [model.path for model in models if any(layer.uncalled is None for layer in model.layers)]
    setting = {item.path for item in found if _SWITCHES.search(bytes_of(item))} if goals else set()
    if not setting:
        return {}, set()
    imports = imports_of(found, run_files)
    importers: dict[str, list[str]] = {}
    for item in found:
        for other in imports(item.path):
            importers.setdefault(other, []).append(item.path)
    leading = {goal: reached(goal, lambda path: importers.get(path, ())) for goal in goals}
    of = {goal: [path for path in sorted(paths) if _is_program(path, importers)] for goal, paths in leading.items()}
    may_set = {path for every in of.values() for path in every if setting & {path, *reached(path, imports)}}
    return {goal: every for goal, every in of.items() if may_set & set(every)}, may_set


def bytes_of(item: Found) -> bytes:
    """Return the bytes of a source file; none for what is no source, or cannot be read."""
    try:
        return reading.any_source(item) or b""
    except (UnreadableInput, OSError):
        return b""


def imports_of(found: Sequence[Found], run_files: RunFiles) -> Edges:
    """Return what gives the files of the run that one of them imports; each is looked into once, if at all."""
    named = {name: item for item in found for name in (item.real_path, item.path)}
    known: dict[str, Sequence[str]] = {}

    def imports(path: str) -> Sequence[str]:
        if path not in known:
            _, names = run_imports.scanned(run_files, named[path]) or (False, ())
            known[path] = [named[name].path for name in names if name in named]
        return known[path]

    return imports


def reached(start: str, edges: Edges) -> set[str]:
    """Return what edges lead to from a file, without the file itself."""
    found, todo = {start}, [start]
    while todo:
        fresh = [path for path in edges(todo.pop()) if path not in found]
        found.update(fresh)
        todo += fresh
    return found - {start}


def _is_program(path: str, importers: Mapping[str, Sequence[str]]) -> bool:
    return not importers.get(path) and os.path.basename(path) != "__init__.py"
