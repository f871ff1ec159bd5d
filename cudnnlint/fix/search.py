"""The search: fixes of one job are written out and proved on the text, and applied if that is asked.

A fix is kept only if the files, read again with its edits, no longer have the finding, have no new one, and no layer
that is worse off. Several are tried at once; where that fails they are halved, down to the one that is to blame.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator

from cudnnlint.check import read_all
from cudnnlint.check.check_file import CheckedFile, judge
from cudnnlint.core.edit import Edit
from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.file_limits import held, in_force, overdue
from cudnnlint.core.layer import Model
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.report import FileReport
from cudnnlint.files import reading
from cudnnlint.files.executor import Executor
from cudnnlint.files.found import Found
from cudnnlint.files.reading import RunFiles
from cudnnlint.fix import kept_ways
from cudnnlint.fix.candidates import CHANGED, UNTRIED, Candidate, compatible, intent, removal, reported
from cudnnlint.fix.order import Applied, Job, Order
from cudnnlint.fix.regression import better
from cudnnlint.frontends.source.syntax import decode
from cudnnlint.frontends.source.syntax.deep_stack import deep
from cudnnlint.rewriters.source import notebooks, source_text
from cudnnlint.settings import config

#: Rounds in which fixes are applied; what one fix brings to light is fixed in the next.
PASSES = 10
#: Readings of a job that are spent on telling good fixes from bad ones where they took more steps together than the
#: limits allow. A layer, which is judged again, counts as much as so many steps.
LEAST_TRIALS = 12
STEPS_OF_A_LAYER = 50


def work(order: Order, job: Job) -> Applied:
    """Do one job."""
    with held(config.nearest(job.found[0].real.parent).limits, time.process_time):
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
    return Applied(tuple(search.results), search.written, fixed, tuple(sorted(search.changed)))


class FixSearch:
    """The files of one job, as they are after the fixes that were applied so far."""

    def __init__(self, order: Order, job: Job) -> None:
        self.order, self.job = order, job
        self.found = list(job.found)
        self.results = list(job.results)
        self.first = {item.path: item.data for item in job.found if item.data is not None}
        self.written: dict[str, tuple[bytes, bytes]] = {}
        self.changed: set[str] = set()
        self.trials = self.cost = 0

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
        candidates = self._candidates()
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

    def _candidates(self) -> list[Candidate]:
        return kept_ways.candidates(self.results, self.job.others, self.order.flags.cache)

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
        if not batch:
            return
        limits = in_force()
        most = limits.fix_readings if self.cost < limits.fix_steps else min(LEAST_TRIALS, limits.fix_readings)
        if self.trials >= most or overdue():
            _refuse(batch, UNTRIED)
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
        elif batch[0].path in self.changed:
            _refuse(batch, CHANGED)
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
                self.changed.add(item.path)
                return None
            if not _holds(self.first[item.path], file):
                self.changed.add(item.path)
        return _edited(self.first[item.path] if item.data is None else item.data, file, edits)

    def _judged(self, found: list[Found]) -> list[CheckedFile]:
        drafts = tuple((os.path.realpath(item.real_path), item.data) for item in found if item.data is not None)
        run_files = RunFiles(self.job.run_files.linted, drafts if len(found) > 1 else ())
        read = read_all.read_all(found, self.order.flags, Executor(1), run_files)
        models = [one for one in read if isinstance(one, Model)]
        self.cost += sum(model.steps + STEPS_OF_A_LAYER * len(model.layers) for model in models)
        return [judge(self.order.flags, item) for item in zip(found, read, strict=True)]


def _refuse(batch: list[Candidate], reason: str) -> None:
    """Say why none of these fixes is made."""
    for candidate in batch:
        candidate.reason = reason


def _holds(data: bytes, file: FileReport) -> bool:
    """Return whether bytes are the text that was judged; of a notebook, that is seen where its cells are rewritten."""
    try:
        return file.cells is not None or decode.decode(data) == file.source
    except UnreadableInput:
        return False


def _changed(item: Found, batch: list[Candidate]) -> bool:
    return any(candidate.path == item.path for candidate in batch)


def _edited(old: bytes, file: FileReport, edits: Iterable[Edit]) -> bytes | None:
    """Return the bytes of a file with edits in it; None where that would change other bytes."""
    if file.cells is not None:
        by_cell: dict[int, list[Edit]] = {}
        for edit in edits:
            by_cell.setdefault(edit.place.cell or 1, []).append(edit)
        texts = {number: file.cells[number - 1] for number in by_cell}
        return notebooks.rewritten(old, {n: (text, source_text.apply(text, by_cell[n])) for n, text in texts.items()})
    text = file.source or ""
    return source_text.encode(source_text.apply(text, edits), old, decode.encoding(old), text)
