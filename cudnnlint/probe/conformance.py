"""Hold every claim of the tables about the installed framework against what it really runs.

    found = run(book, options, installed, judged, before, keep)

`judged` is what `check` says of files for the installed framework. `before` is the record of an earlier run, whose
cases are not run again; `keep` is given the record whenever some cases are done. Prints nothing.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from cudnnlint import probe
from cudnnlint.core.book import Rulebook
from cudnnlint.core.errors import UsageError
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.core.report import Report
from cudnnlint.core.target import Point
from cudnnlint.probe import controls
from cudnnlint.probe.at_once import each
from cudnnlint.probe.chosen import ConformanceCase, Judged, choose
from cudnnlint.probe.compare import Agreement
from cudnnlint.probe.conformance_record import Collected, Record, renamed, summary
from cudnnlint.probe.parent import Host

AT_ONCE = 20  # cases that share a child: so many are run again where a run is broken off


@dataclass(frozen=True)
class Ways:
    """How a run reaches the world: what judges files, what keeps the record, what is told of progress."""

    judged: Judged
    row_of: probe.RowOf
    keep: Callable[[Record], object] = lambda record: None
    progress: Callable[[int, int], object] = lambda done, total: None
    where: Host | None = None


@dataclass(frozen=True)
class Conformance:
    """What became of every claim. `record` has a result for each layer, with the claims that it shows."""

    record: Record

    @property
    def results(self) -> list[Record]:
        """The results, one for each layer."""
        found: list[Record] = self.record["results"]
        return found

    def status(self, require_gpu: bool) -> int:
        """Return the exit status, as `probe.status` does."""
        if self.record["note"] is not None and require_gpu:
            return 2
        return int(any(one["agreement"] == Agreement.CONTRADICTED.value for one in self.results))


def run(
    book: Rulebook,
    options: probe.Options,
    installed: probe.Installed,
    point: Point,
    ways: Ways,
    before: Record | None = None,
) -> Conformance:
    """Run every case that is not in `before`.

    Raises UsageError where that is about another framework, or the framework does not start.
    """
    _same(before, options, installed)
    with tempfile.TemporaryDirectory() as folder:
        chosen = choose(Path(folder), book, point, ways.judged)
        beside = controls.choose(Path(folder), chosen.cases, book, point, ways.judged)
        done = Collected(chosen, beside)
        done.take(before or {})
        waiting = [case for case in chosen.cases if case.name not in done.results]
        record = before or _empty(options)
        asking = options if options.jobs == 1 else replace(options, repeats=0)  # nothing is timed beside others

        def work(batch: Sequence[ConformanceCase]) -> tuple[Sequence[ConformanceCase], probe.ProbeOutcome]:
            told = _progress(ways, len(done.results), len(chosen.cases)) if options.jobs == 1 else _silent
            return batch, _asked(done, done.report(batch), asking, installed, ways, told)

        for batch, outcome in each(work, _batches(waiting, options.jobs), options.jobs):
            fresh = renamed(outcome.as_record(), done.names)
            if outcome.sentence is not None:
                return Conformance({**fresh, "results": [], "controls": [], "summary": summary([]), "open": []})
            done.add(batch, fresh["results"])
            machine = fresh["machine"] if fresh["machine"]["releases"] else record["machine"] or fresh["machine"]
            record = done.whole({**fresh, "note": None, "machine": machine})
            ways.keep(record)
            ways.progress(len(done.results), len(chosen.cases))
        if untimed := [case for case in chosen.cases if not options.dry_run and done.untimed(case)]:
            done.time(untimed, _asked(done, done.report(untimed, False), options, installed, ways, _silent))
            ways.keep(done.whole(record))
    return Conformance(done.whole(record))


def _asked(
    done: Collected,
    report: Report,
    options: probe.Options,
    installed: probe.Installed,
    ways: Ways,
    told: Callable[[int, int], object],
) -> probe.ProbeOutcome:
    """Run the cases of a report."""
    more = (ways.row_of, told, ways.where, True, done.run_whole, done.untrainable)
    return probe.run(report, options, installed, *more)


def _same(before: Record | None, options: probe.Options, installed: probe.Installed) -> None:
    """Raise UsageError where an earlier run was about something else."""
    was = (before["machine"]["target"], before["dry_run"]) if before is not None else None
    if was is not None and was != (installed.text, options.dry_run):
        kind = "a dry run" if was[1] else "a run on a GPU"
        raise UsageError(f"The evidence file holds {kind} of {was[0]}. Name another file for {installed.text}.")


def _empty(options: probe.Options) -> Record:
    return {"schema_version": 1, "dry_run": options.dry_run, "machine": {}, "models": [], "note": None}


def _batches(cases: Sequence[ConformanceCase], jobs: int) -> list[Sequence[ConformanceCase]]:
    """Return the cases in parts, each for a child: so small that every job has one."""
    size = max(1, min(AT_ONCE, -(-len(cases) // jobs)))
    return [cases[start : start + size] for start in range(0, len(cases), size)]


def _silent(done: int, total: int) -> None:
    """Tell nobody: several children at once have no common count."""


def _progress(ways: Ways, done: int, total: int) -> Callable[[int, int], object]:
    return lambda now, _: ways.progress(done + now, total)
