"""Hold every claim of the tables about the installed framework against what it really runs.

    found = run(book, options, installed, judged, before, keep)

`judged` is what `check` says of files for the installed framework. `before` is the record of an earlier run, whose
cases are not run again; `keep` is given the record whenever some cases are done. Prints nothing.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from cudnnlint import probe
from cudnnlint.core.book import Rulebook
from cudnnlint.core.codec import pack
from cudnnlint.core.errors import UsageError
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.core.report import LayerReport, Report
from cudnnlint.core.target import Point
from cudnnlint.core.verdict import Verdict
from cudnnlint.probe import controls
from cudnnlint.probe.at_once import each
from cudnnlint.probe.cases import Claim
from cudnnlint.probe.chosen import Chosen, ConformanceCase, Judged, choose
from cudnnlint.probe.compare import Agreement
from cudnnlint.probe.controls import Control, Held
from cudnnlint.probe.elsewhere import REASONS, reason
from cudnnlint.probe.parent import Host

Record = dict[str, Any]
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

        def work(batch: Sequence[ConformanceCase]) -> tuple[Sequence[ConformanceCase], probe.ProbeOutcome]:
            told = _progress(ways, len(done.results), len(chosen.cases)) if options.jobs == 1 else _silent
            more = (ways.row_of, told, ways.where, True, done.run_whole, done.untrainable)
            return batch, probe.run(done.report(batch), options, installed, *more)

        for batch, outcome in each(work, _batches(waiting, options.jobs), options.jobs):
            fresh = _renamed(outcome.as_record(), done.names)
            if outcome.sentence is not None:
                return Conformance({**fresh, "results": [], "controls": [], "summary": _summary([]), "open": []})
            done.add(batch, fresh["results"])
            machine = fresh["machine"] if fresh["machine"]["releases"] else record["machine"] or fresh["machine"]
            record = done.whole({**fresh, "note": None, "machine": machine})
            ways.keep(record)
            ways.progress(len(done.results), len(chosen.cases))
    return Conformance(done.whole(record))


def _same(before: Record | None, options: probe.Options, installed: probe.Installed) -> None:
    """Raise UsageError where an earlier run was about something else."""
    was = (before["machine"]["target"], before["dry_run"]) if before is not None else None
    if was is not None and was != (installed.text, options.dry_run):
        kind = "a dry run" if was[1] else "a run on a GPU"
        raise UsageError(f"The evidence file holds {kind} of {was[0]}. Name another file for {installed.text}.")


def _empty(options: probe.Options) -> Record:
    return {"schema_version": 1, "dry_run": options.dry_run, "machine": {}, "models": [], "note": None}


@dataclass
class Collected:
    """What is known so far: the results of each case by its name, and those of the examples without the fault."""

    chosen: Chosen
    beside: Mapping[Held, Control]
    results: dict[str, list[Record]] = field(default_factory=dict)
    controls: dict[str, Record] = field(default_factory=dict)

    @property
    def names(self) -> dict[str, str]:
        """The name of each program, by its path."""
        own = {case.file.path: case.name for case in self.chosen.cases}
        return own | {one.file.path: one.name for one in self.beside.values()}

    @property
    def run_whole(self) -> set[str]:
        """The paths of the examples without the fault that are run as programs."""
        return {one.file.path for one in self.beside.values() if one.whole}

    @property
    def untrainable(self) -> frozenset[tuple[str, int]]:
        """The layers that are to run, and to stop where they are trained."""
        good = {(one.file.path, one.layer.id) for one in self.beside.values() if one.untrainable}
        return self.chosen.untrainable | good

    def take(self, record: Record) -> None:
        """Take from the record of an earlier run the cases that rest on the same facts."""
        names = self.names
        known = {_identity(one): one for one in (*record.get("results", ()), *record.get("controls", ()))}
        for case in self.chosen.cases:
            held = [self.beside.get((case.name, layer.id)) for layer in case.layers]
            found = [known.get(_expected(case.name, layer, names)) for layer in case.layers]
            good = [known.get(_expected(one.name, one.layer, names)) for one in held if one is not None]
            same = [one and one.get("control") for one in found] == [one and one.name for one in held]
            if same and None not in (*found, *good):
                ids = zip(found, case.layers, strict=True)
                self.results[case.name] = [{**one, "claims": _claims(case.shown[of.id])} for one, of in ids if one]
                self.controls |= {one["path"]: one for one in good if one}

    def report(self, cases: Iterable[ConformanceCase]) -> Report:
        """Return a report on some cases, and what they are held against, of which each has only what counts."""
        files = []
        for case in cases:
            files.append(replace(case.file, layers=tuple(case.layers)))
            found = (self.beside.get((case.name, layer.id)) for layer in case.layers)
            files += [replace(one.file, layers=(one.layer,)) for one in found if one is not None]
        return Report(tuple(files), (), len(files), "")

    def add(self, cases: Iterable[ConformanceCase], results: Iterable[Record]) -> None:
        """Add the results of some cases."""
        by_id = {(one["path"], one["id"]): one for one in results}
        for case in cases:
            found = []
            for layer in case.layers:
                result, control = by_id[case.name, layer.id], self.beside.get((case.name, layer.id))
                good = by_id[control.name, control.layer.id] if control is not None else None
                self.controls |= {good["path"]: good} if good is not None else {}
                of = case.shown[layer.id]
                found.append({**_told(controls.held(result, good), of), "claims": _claims(of)})
            self.results[case.name] = found

    def whole(self, record: Record) -> Record:
        """Return a record with all that is known, in the order of the tables."""
        results = [one for case in self.chosen.cases for one in self.results.get(case.name, ())]
        good = [self.controls[one.name] for one in self.beside.values() if one.name in self.controls]
        open_ = self.chosen.open
        left = [{**one, "reason": reason(of)} for one, of in zip(_claims(open_), open_, strict=True)]
        return {**record, "results": results, "controls": good, "summary": _summary(results), "open": left}


def _expected(name: str, layer: LayerReport, names: Mapping[str, str]) -> str:
    verdict: Verdict = layer.judgements[0].verdict
    return _identity(_renamed({"path": name, "predicted": verdict.value, "facts": pack(layer.layer)}, names))


def _identity(result: Record) -> str:
    """Return what makes two results one: a layer of the same facts in the same program, with the same prediction."""
    return json.dumps([result[key] for key in ("path", "predicted", "facts")], sort_keys=True)


def _renamed(record: Record, names: Mapping[str, str]) -> Record:
    """Return a record in which the programs have the names of their cases, wherever they were written."""
    text = json.dumps(record)
    for path in sorted(names, key=len, reverse=True):
        text = text.replace(json.dumps(path)[1:-1], names[path])
    found: Record = json.loads(text)
    return found


def _told(result: Record, of: Sequence[Claim]) -> Record:
    """Return a result that says, where the case was left out, why this kind of run cannot show it."""
    more = next((REASONS[one.what] for one in of if one.what in REASONS), None)
    if more is None or result["agreement"] != Agreement.SKIPPED.value:
        return result
    return {**result, "elsewhere": more}


def _claims(of: Iterable[Claim]) -> list[Record]:
    return [{"operation": one.operation, "kind": one.kind, "cause": one.cause} for one in of]


def _summary(results: Sequence[Record]) -> dict[str, int]:
    found = [one["agreement"] for one in results]
    return {agreement.value: found.count(agreement.value) for agreement in Agreement}


def _batches(cases: Sequence[ConformanceCase], jobs: int) -> list[Sequence[ConformanceCase]]:
    """Return the cases in parts, each for a child: so small that every job has one."""
    size = max(1, min(AT_ONCE, -(-len(cases) // jobs)))
    return [cases[start : start + size] for start in range(0, len(cases), size)]


def _silent(done: int, total: int) -> None:
    """Tell nobody: several children at once have no common count."""


def _progress(ways: Ways, done: int, total: int) -> Callable[[int, int], object]:
    return lambda now, _: ways.progress(done + now, total)
