"""The files that import a module with layers: what they use that only old releases have is evidence for it, too.

A program runs on one Keras. Its layers may be in `model.py`, and what shows that it is an old one in `train.py`.
Where one file is checked alone, as an editor does, `train.py` is looked for around it, so that the verdict is the same.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence

from cudnnlint.check.importing import bytes_of, imports_of, reached
from cudnnlint.core.layer import Model
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.files import project_root
from cudnnlint.files.found import Found
from cudnnlint.files.reading import SOURCE, RunFiles
from cudnnlint.formats.sniff import SUFFIXES
from cudnnlint.frontends.source import old_names
from cudnnlint.rulebook import loader
from cudnnlint.targets import environment, old_imports

#: The most files around the checked ones that are looked into.
MOST_AROUND = 200
#: The most bytes of one of them; a notebook may hold pictures.
LARGEST_AROUND = 1 << 20
#: One of these, or the name of a module with layers, is in the text of what may count.
FRAMEWORKS = ("keras", "tensorflow", "theano", "cntk")


def importers(found: Sequence[Found], goals: Collection[str], run_files: RunFiles) -> dict[str, list[str]]:
    """Return which files import each of `goals`, directly or not, and use what releases have dropped."""
    known, dropped = environment.known(), loader.load().tables.names.dropped
    imports = imports_of(found, run_files)
    names = [goal.removesuffix(".py").rpartition(os.sep)[2] for goal in goals]
    words = {*FRAMEWORKS, *names} - {"__init__"}
    of: dict[str, list[str]] = {}
    for item in found:
        text = bytes_of(item).decode("utf-8", "replace")
        if not any(word in text for word in words):
            continue
        notebook = item.path.endswith(".ipynb")  # whose lines are no lines of Python's: what it uses is seen when read
        if notebook or old_imports.proving(old_names.used(text, dropped), known):
            for goal in reached(item.path, imports).intersection(goals):
                of.setdefault(goal, []).append(item.path)
    return of


def around(found: Sequence[Found], goals: Collection[str], run_files: RunFiles) -> list[Found]:
    """Return the sources beside each of `goals`, and in the folders above it in its project, that are not checked."""
    beside: dict[str, Found] = {}
    for item in found:
        if item.path in goals and not item.remote:
            top = project_root.root(str(item.real.parent), str(item.real.parent))
            for folder, shown in _upwards(item, top):
                for name in sorted(_sources(folder)):
                    real = os.path.join(folder, name)
                    beside.setdefault(real, Found(os.path.normpath(os.path.join(shown, name)), real))
    checked = {path for item in found for path in (item.path, item.real_path)} | set(run_files.linted.paths)
    return [item for item in beside.values() if checked.isdisjoint((item.path, item.real_path))][:MOST_AROUND]


def _upwards(item: Found, top: str) -> Iterator[tuple[str, str]]:
    """Yield the folder of a file and those above it up to `top`, each with how the report names it."""
    folder, shown = os.path.dirname(item.real_path), os.path.dirname(item.path)
    while True:
        yield folder, shown
        if folder == top or not folder.startswith(top):
            return
        folder, shown = os.path.dirname(folder), os.path.join(shown, os.pardir)


def _sources(folder: str) -> list[str]:
    """Return the names of the sources in a folder that are not too large; none where it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            sources = [one for one in entries if SUFFIXES.get(os.path.splitext(one.name)[1]) in SOURCE]
        return [one.name for one in sources if one.is_file() and one.stat().st_size <= LARGEST_AROUND]
    except OSError:
        return []


def with_evidence(model: Model, importing: Iterable[Model]) -> Model:
    """Return a model whose hints name what the files that import it use, and which file does."""
    used = {name: one.path for one in importing for name in (*one.hints.modules_beside, *one.hints.modules)}
    return replace(model, hints=replace(model.hints, modules_around=used))
