"""The programs that import a module which makes its layers while it is imported: what they set before counts there.

They need not name a layer. Found by the text of the imports, and only where a program sets a switch of Keras's.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.layer import Model
from cudnnlint.core.regex import regex
from cudnnlint.files import reading, run_imports
from cudnnlint.files.found import Found
from cudnnlint.files.reading import RunFiles

_SWITCHES = regex(rb"KERAS_BACKEND|TF_USE_LEGACY_KERAS|\bset_backend\b")
Graph = Mapping[str, Collection[str]]


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
    imports = _imports(found, run_files)
    importers: dict[str, list[str]] = {}
    for path, others in imports.items():
        for other in others:
            importers.setdefault(other, []).append(path)
    of = {goal: [path for path in sorted(_reached(goal, importers)) if _is_program(path, importers)] for goal in goals}
    may_set = {path for every in of.values() for path in every if setting & {path, *_reached(path, imports)}}
    return {goal: every for goal, every in of.items() if may_set & set(every)}, may_set


def bytes_of(item: Found) -> bytes:
    """Return the bytes of a source file; none for what is no source, or cannot be read."""
    try:
        return reading.any_source(item) or b""
    except (UnreadableInput, OSError):
        return b""


def _imports(found: Sequence[Found], run_files: RunFiles) -> dict[str, list[str]]:
    """Return which files of the run each file imports, by the paths of the run."""
    named = {name: item.path for item in found for name in (item.real_path, item.path)}
    scanned = {item.path: run_imports.scanned(run_files, item) for item in found}
    every = {path: one[1] for path, one in scanned.items() if one is not None}
    return {path: [named[name] for name in names if name in named] for path, names in every.items()}


def _reached(start: str, edges: Graph) -> set[str]:
    """Return what edges lead to from a file, without the file itself."""
    reached, todo = set[str](), [start]
    while todo:
        fresh = [path for path in edges.get(todo.pop(), ()) if path not in reached and path != start]
        reached |= set(fresh)
        todo += fresh
    return reached


def _is_program(path: str, importers: Graph) -> bool:
    return not importers.get(path) and os.path.basename(path) != "__init__.py"
