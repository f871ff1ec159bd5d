"""A run that is judged part by part, with the fixes that can be offered: what was reported is not kept."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from cudnnlint.check import check_file, parts, read_all
from cudnnlint.check.check_file import CheckedFile
from cudnnlint.check.parts import Part
from cudnnlint.core.layer import Model
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.files.executor import Executor
from cudnnlint.files.found import Found
from cudnnlint.files.reading import RunFiles
from cudnnlint.fix import jobs
from cudnnlint.fix.order import Order
from cudnnlint.settings.settings import Flags

AT_ONCE = 48  # groups of files whose fixes are tried before what is finished is reported


def judged(found: Sequence[Found], flags: Flags, executor: Executor, run_files: RunFiles) -> list[CheckedFile]:
    """Return the verdicts and diagnostics of files that are read together, in their order."""
    read = read_all.read_all(found, flags, executor, run_files)
    with_layers = sum(isinstance(one, Model) and bool(one.layers) for one in read)
    flags = replace(flags, compared=flags.compared // max(with_layers, 1))
    return executor.map(check_file.judge, flags, list(zip(found, read, strict=True)))


class Run:
    """One run over files; `edits` where fixes are to be written out, `early` where files are reported one by one."""

    def __init__(self, found: Sequence[Found], run_files: RunFiles, flags: Flags, edits: bool, early: bool) -> None:
        self.found, self.run_files, self.flags, self.edits, self.early = found, run_files, flags, edits, early

    def results(self, executor: Executor, shard: tuple[int, int] | None) -> Iterator[tuple[int, CheckedFile]]:
        """Yield the files that the run, or its shard, is about with their places, in that order."""
        plan = parts.plan(self.found, self.run_files, executor, self.early, shard)
        waiting = deque(plan.own)
        done: dict[int, CheckedFile] = {}
        for part in plan.parts:
            executor.count(len(plan.own) - len(waiting), len(plan.own))
            for finished in self._part(part, executor):
                done |= finished
                while waiting and waiting[0] in done:
                    yield waiting[0], done.pop(waiting.popleft())
        executor.count(0, 0)

    def _part(self, part: Part, executor: Executor) -> Iterator[Mapping[int, CheckedFile]]:
        """Yield the files of a part that are reported, as they are finished."""
        found = [self.found[index] for index in part.read]
        results: Sequence[CheckedFile] = judged(found, self.flags, executor, self.run_files)
        own = {place: index for place, index in enumerate(part.read) if index in part.own}
        groups = [group for group in jobs.groups(results) if own.keys() & group] if self.edits else []
        open_ones = {place for group in groups for place in group}
        yield {index: results[place] for place, index in own.items() if place not in open_ones}
        order = Order(replace(self.flags, compared=0))
        size = AT_ONCE if self.early else len(groups) or 1
        for first in range(0, len(groups), size):
            some = groups[first : first + size]
            results = jobs.work(found, results, some, order, executor, self.run_files).results
            yield {own[place]: results[place] for group in some for place in group if place in own}
