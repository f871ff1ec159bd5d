"""Fixes: offered, or applied. Which files are worked on together, and by whom; the work itself is done elsewhere.

A fix in source is offered or applied only if it was proved on the text (`search`), one in a saved model is proved on
the file that it leads to (`saved_fixing`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence

from cudnnlint.check.check_file import CheckedFile
from cudnnlint.core.fact import Absent, alternatives
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.regex import regex
from cudnnlint.core.report import FileReport, LayerReport
from cudnnlint.core.text import is_url
from cudnnlint.files import reading
from cudnnlint.files.executor import Executor
from cudnnlint.files.found import Found
from cudnnlint.files.reading import RunFiles
from cudnnlint.files.run_imports import reaches
from cudnnlint.fix.order import SOURCE, Applied, Job, Order

_IMPORT = r"(?m)^[ \t]*(?:from|import)\b([^#\n]*)"  # compiled when it is used first
_WORD = regex(r"\w+")


def groups(results: Sequence[CheckedFile]) -> list[list[int]]:
    """Return the places of files that share layers, for every such group in which something may be fixed."""
    return list(_together(results))


def work(
    found: Sequence[Found],
    results: Sequence[CheckedFile],
    groups: Sequence[list[int]],
    order: Order,
    executor: Executor,
    run_files: RunFiles,
) -> Applied:
    """Apply the fixes in some groups that are asked for; the rest is written out as edits, or with the reason why not.

    `found` may be some of the run's files.
    """
    jobs = [_job(found, results, group, run_files) for group in groups]
    done = list(results)
    written: dict[str, tuple[bytes, bytes]] = {}
    fixed, changed = 0, list[str]()
    for group, applied in zip(groups, executor.map(_work, order, jobs), strict=True):
        for index, result in zip(group, applied.results, strict=True):
            done[index] = result
        written |= applied.written
        fixed += applied.fixed
        changed += applied.changed
    return Applied(tuple(done), written, fixed, tuple(changed))


def _work(order: Order, job: Job) -> Applied:
    """One job; the parser is imported by it and not before."""
    from cudnnlint.fix.search import work

    return work(order, job)


def _job(found: Sequence[Found], results: Sequence[CheckedFile], group: Sequence[int], run_files: RunFiles) -> Job:
    stems = {_stem(found[index].path) for index in group}
    goals = {found[index].path for index in group}

    def imports(item: Found, text: str) -> bool:
        project = reading.project_of(item, run_files)
        return bool(stems & _imported(text)) and reaches(item.path, text.encode("utf-8", "replace"), project, goals)

    rest = ((found[index], result.file) for index, result in enumerate(results) if index not in group)
    others = tuple(file.source for item, file in rest if file and file.source and imports(item, file.source))
    chosen = tuple(found[index] for index in group)
    return Job(chosen, tuple(results[index] for index in group), run_files, others)


def _stem(path: str) -> str:
    stem = os.path.splitext(os.path.basename(path))[0]
    return os.path.basename(os.path.dirname(os.path.abspath(path))) if stem == "__init__" else stem


def _imported(text: str) -> frozenset[str]:
    """Every word of the import statements of a file."""
    return frozenset(word for line in re.findall(_IMPORT, text) for word in _WORD.findall(line))


def _together(results: Sequence[CheckedFile]) -> Iterator[list[int]]:
    index = {result.file.path: at for at, result in enumerate(results) if result.file is not None}
    group = list(range(len(results)))

    def root(at: int) -> int:
        while group[at] != at:
            at = group[at]
        return at

    for at, result in enumerate(results):
        for path in _paths(result.file):
            if path in index:
                group[root(index[path])] = root(at)
    members: dict[int, list[int]] = {}
    for at in range(len(results)):
        members.setdefault(root(at), []).append(at)
    return (some for some in members.values() if any(_fixable(results[at]) for at in some))


def _fixable(result: CheckedFile) -> bool:
    file = result.file
    source = file is not None and file.kind in SOURCE and file.error is None and not is_url(file.path)
    return source and any(diagnostic.fix is not None for diagnostic in result.diagnostics)


def _paths(file: FileReport | None) -> Iterable[str]:
    """Return the files that a file's layers are in, are called from, or get arguments from."""
    return {path for layer in file.layers for path in _paths_of(layer)} if file and file.kind in SOURCE else ()


def _paths_of(layer: LayerReport) -> Iterator[str]:
    if layer.layer is None:
        return
    yield from (step.path for step in layer.via)
    for variant in layer.layer.variants:
        facts = [fact for value in variant.arguments.values() for fact in alternatives(value)]
        places = [variant.place, *(fact.place for fact in facts if not isinstance(fact, Absent))]
        yield from (place.path for place in places if isinstance(place, SourcePlace))
