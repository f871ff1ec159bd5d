"""The files that import a module with layers: what they use that only old releases have is evidence for it, too.

A program runs on one Keras. Its layers may be in `model.py`, and what shows that it is an old one in `train.py`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Sequence

from cudnnlint.check.importing import bytes_of
from cudnnlint.core.layer import Model
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.files import run_imports
from cudnnlint.files.found import Found
from cudnnlint.files.reading import RunFiles
from cudnnlint.frontends.source import old_names
from cudnnlint.rulebook import loader
from cudnnlint.targets import environment, old_imports

#: One of these, or the name of a module with layers, is in the text of what may count.
FRAMEWORKS = ("keras", "tensorflow", "theano", "cntk")


def importers(found: Sequence[Found], goals: Collection[str], run_files: RunFiles) -> dict[str, list[str]]:
    """Return which files import each of `goals`, directly or not, and use what releases have dropped."""
    known, dropped = environment.known(), loader.load().tables.names.dropped
    imports = _imports(found, run_files)
    names = [goal.removesuffix(".py").rpartition(os.sep)[2] for goal in goals]
    words = {*FRAMEWORKS, *names} - {"__init__"}
    of: dict[str, list[str]] = {}
    for item in found if goals else ():
        text = bytes_of(item).decode("utf-8", "replace")
        if any(word in text for word in words) and old_imports.proving(old_names.used(text, dropped), known):
            for goal in _reached(item.path, imports).intersection(goals):
                of.setdefault(goal, []).append(item.path)
    return of


def with_evidence(model: Model, importing: Iterable[Model]) -> Model:
    """Return a model whose hints name what the files that import it use, and which file does."""
    used = {name: one.path for one in importing for name in (*one.hints.modules_beside, *one.hints.modules)}
    return replace(model, hints=replace(model.hints, modules_around=used))


def _imports(found: Sequence[Found], run_files: RunFiles) -> Callable[[str], Sequence[str]]:
    """Return what gives the files of the run that one of them imports; each is looked into once, if at all."""
    named = {name: item for item in found for name in (item.real_path, item.path)}
    known: dict[str, Sequence[str]] = {}

    def imports(path: str) -> Sequence[str]:
        if path not in known:
            _, names = run_imports.scanned(run_files, named[path]) or (False, ())
            known[path] = [named[name].path for name in names if name in named]
        return known[path]

    return imports


def _reached(start: str, imports: Callable[[str], Iterable[str]]) -> set[str]:
    """Return the files that a file imports, directly or not, without the file itself."""
    reached, todo = {start}, [start]
    while todo:
        fresh = [path for path in imports(todo.pop()) if path not in reached]
        reached.update(fresh)
        todo += fresh
    return reached - {start}
