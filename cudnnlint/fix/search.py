"""The search: fixes of one job are written out and proved on the text, and applied if that is asked.

A fix is kept only if the files, read again with its edits, no longer have the finding, have no new one, and no layer
that is worse off. Several are tried at once; where that fails they are halved, down to the one that is to blame.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from cudnnlint.check import read_all
from cudnnlint.check.check_file import CheckedFile, judge
from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.edit import Edit
from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.layer import Construction
from cudnnlint.core.report import FileReport, LayerReport
from cudnnlint.engine.diagnose import written
from cudnnlint.files import reading
from cudnnlint.files.executor import Executor
from cudnnlint.files.found import Found
from cudnnlint.files.reading import RunFiles
from cudnnlint.fix.candidates import (
    NEW,
    NOT_ALL,
    Candidate,
    compatible,
    for_every_target,
    groups,
    intent,
    keep_comments,
    most_careful,
    removal,
    reported,
)
from cudnnlint.fix.order import SOURCE, Applied, Job, Order
from cudnnlint.fix.regression import better
from cudnnlint.frontends import notebook
from cudnnlint.frontends.source.syntax import decode
from cudnnlint.frontends.source.syntax.parsing import deep
from cudnnlint.rewriters import source
from cudnnlint.rewriters.source import notebooks
from cudnnlint.rulebook import loader

#: Rounds in which fixes are applied; what one fix brings to light is fixed in the next.
PASSES = 10
#: Readings of a job that are spent on telling good fixes from bad ones.
TRIALS = 100


def work(order: Order, job: Job) -> Applied:
    """Do one job."""
    return deep(lambda: _work(order, job))


def _work(order: Order, job: Job) -> Applied:
    search = FixSearch(order, job)
    fixed = 0
    for _ in range(PASSES if order.apply else 0):
        before = search.results
        batch = search.apply_some()
        if not batch:
            break
        fixed += sum(len(candidate.findings) for candidate in batch)
        assert search.results is not before
    search.describe()
    return Applied(tuple(search.results), search.written, fixed)


class FixSearch:
    """The files of one job, as they are after the fixes that were applied so far."""

    def __init__(self, order: Order, job: Job) -> None:
        self.order, self.job = order, job
        self.found = list(job.found)
        self.results = list(job.results)
        self.first = {item.path: item.data for item in job.found if item.data is not None}
        self.written: dict[str, tuple[bytes, bytes]] = {}
        self.trials = 0

    def apply_some(self) -> list[Candidate]:
        """Apply fixes of the kinds that are asked for, as many as go together; those that were applied."""
        candidates = [candidate for candidate in self._candidates() if candidate.fix.applicability in self.order.apply]
        for batch, found, results in self._proved(candidates):
            self.found, self.results = found, results
            self.written |= {
                item.path: (self.first[item.path], item.data)
                for item in found
                if item.data is not None and _changed(item, batch)
            }
            return batch
        return []

    def describe(self) -> None:
        """Write the fixes that were proved into the diagnostics, and into the others why they are not written out."""
        candidates = list(self._candidates())
        for batch, _, _ in self._proved(candidates):
            for candidate in batch:
                candidate.proved = True
        kept = {id(result): list(result.diagnostics) for result in self.results}
        by_path = {result.file.path: result for result in self.results if result.file is not None}
        for candidate in candidates:
            diagnostics = kept[id(by_path[candidate.path])]
            for index in candidate.findings:
                diagnostics[index] = replace(diagnostics[index], fix=reported(candidate))
        self.results = [replace(result, diagnostics=tuple(kept[id(result)])) for result in self.results]

    # ------------------------------------------------------------ what is offered

    def _candidates(self) -> Iterator[Candidate]:
        for result in self.results:
            file = result.file
            if file is None or file.kind not in SOURCE or file.error is not None:
                continue
            together = list(groups(result.diagnostics))
            if together:
                context = source.FixContext(
                    _pages(file), tuple(self._made()), self.job.others, loader.load().tables.left_out
                )
                yield from (self._candidate(file, result.diagnostics, indices, context) for indices in together)

    def _candidate(
        self, file: FileReport, diagnostics: Sequence[Diagnostic], indices: tuple[int, ...], context: source.FixContext
    ) -> Candidate:
        given = [diagnostics[index] for index in indices]
        layers = frozenset(layer for diagnostic in given for layer in diagnostic.layers)
        fix = most_careful([diagnostic.fix for diagnostic in given if diagnostic.fix is not None])
        candidate = Candidate(file.path, indices, fix, layers, frozenset((d.code, d.target) for d in given), [])
        code = given[0].code
        mine = [layer.layer for layer in file.layers if layer.id in layers and layer.layer is not None]
        need = source.Need(
            code,
            intent(fix),
            tuple(variant for layer in mine for variant in layer.variants),
            tuple(call for layer in mine for call in layer.calls),
            frozenset(d.location for d in diagnostics if d.code == code and d.location and layers & set(d.layers)),
        )
        if not for_every_target(given):
            candidate.reason = NOT_ALL
            return candidate
        candidate.ways, candidate.reason = _ways(context, need)
        otherwise = need.intent.otherwise
        if not candidate.ways and otherwise is not None:
            candidate.fix = written(otherwise, saved=False)
            candidate.ways, candidate.reason = _ways(context, replace(need, intent=otherwise))
        keep_comments(candidate, context)
        return candidate

    def _made(self) -> Iterator[source.JudgedConstruction]:
        for result in self.results:
            for layer in result.file.layers if result.file is not None else ():
                codes = frozenset(d.code for d in result.diagnostics if layer.id in d.layers)
                yield from (source.JudgedConstruction(one, codes) for one in _variants(layer))

    # ------------------------------------------------------------ what is proved

    def _proved(
        self, candidates: Iterable[Candidate]
    ) -> Iterator[tuple[list[Candidate], list[Found], list[CheckedFile]]]:
        """Batches of fixes that go together and were proved, each with the files and results that it leads to."""
        waiting = [candidate for candidate in candidates if candidate.ways and not intent(candidate.fix).suggestion]
        while waiting:
            batch, waiting = compatible(waiting)
            yield from self._tried(batch)

    def _tried(self, batch: list[Candidate]) -> Iterator[tuple[list[Candidate], list[Found], list[CheckedFile]]]:
        if not batch or self.trials >= TRIALS:
            return
        self.trials += 1
        found = self._with(batch)
        if found is not None:
            results = self._judged(found)
            if all(better(old, new, map(removal, batch)) for old, new in zip(self.results, results, strict=True)):
                yield batch, found, results
                return
        if len(batch) > 1:
            middle = len(batch) // 2
            yield from self._tried(batch[:middle])
            yield from self._tried(batch[middle:])
        elif len(batch[0].ways) > 1:
            batch[0].ways.pop(0)
            yield from self._tried(batch)

    def _with(self, batch: list[Candidate]) -> list[Found] | None:
        """Return the files with the edits of some fixes in them; None where that would change other bytes."""
        found = []
        for item, result in zip(self.found, self.results, strict=True):
            edits = {edit for candidate in batch if candidate.path == item.path for edit in candidate.edits}
            data = self._edited(item, result.file, edits) if edits and result.file is not None else item.data
            if edits and data is None:
                return None
            found.append(replace(item, data=data))
        return found

    def _edited(self, item: Found, file: FileReport, edits: Iterable[Edit]) -> bytes | None:
        """Return the bytes of a file with edits; None where it cannot be read again, or is not what was judged."""
        if item.data is None and item.path not in self.first:
            try:
                self.first[item.path] = reading.source(item, file.kind)
            except (OSError, UnreadableInput):
                return None
        return _edited(self.first[item.path] if item.data is None else item.data, file, edits)

    def _judged(self, found: list[Found]) -> list[CheckedFile]:
        drafts = tuple((os.path.realpath(item.real), item.data) for item in found if item.data is not None)
        run_files = RunFiles(self.job.run_files.linted, drafts if len(found) > 1 else ())
        read = read_all.read_all(found, self.order.flags, Executor(1), run_files)
        return [judge(self.order.flags, item) for item in zip(found, read, strict=True)]


def _ways(context: source.FixContext, need: source.Need) -> tuple[list[tuple[Edit, ...]], str]:
    """Return the ways to write a fix, and the reason why there is no other one."""
    found = []
    try:
        for way in source.ways(context, need):
            found.append(way)
    except source.Impossible as reason:
        return found, NEW if found else str(reason)
    return found, NEW


def _changed(item: Found, batch: list[Candidate]) -> bool:
    return any(candidate.path == item.path for candidate in batch)


def _variants(layer: LayerReport) -> tuple[Construction, ...]:
    return layer.layer.variants if layer.layer is not None else ()


def _pages(file: FileReport) -> tuple[source.Page, ...]:
    if file.cells is None:
        return (source.Page(file.path, file.source or ""),)
    texts = [notebook.python(text) or "" for text in file.cells]
    return tuple(source.Page(file.path, text, number) for number, text in enumerate(texts, 1))


def _edited(old: bytes, file: FileReport, edits: Iterable[Edit]) -> bytes | None:
    """Return the bytes of a file with edits in it; None where that would change other bytes."""
    if file.cells is not None:
        by_cell: dict[int, list[Edit]] = {}
        for edit in edits:
            by_cell.setdefault(edit.place.cell or 1, []).append(edit)
        texts = {number: file.cells[number - 1] for number in by_cell}
        return notebooks.rewritten(old, {n: (text, source.apply(text, by_cell[n])) for n, text in texts.items()})
    text = file.source or ""
    return source.encode(source.apply(text, edits), old, decode.encoding(old), text)
