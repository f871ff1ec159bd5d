"""Hold every claim of the tables about the installed framework against what it really runs.

    found = run(book, options, installed, judged, before, keep)

`judged` is what `check` says of files for the installed framework. `before` is the record of an earlier run, whose
cases are not run again; `keep` is given the record whenever some cases are done. Prints nothing.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
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
from cudnnlint.probe.cases import Claim
from cudnnlint.probe.chosen import Chosen, ConformanceCase, Judged, choose
from cudnnlint.probe.compare import Agreement
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
    known = _known(before, options, installed)
    with tempfile.TemporaryDirectory() as folder:
        chosen = choose(Path(folder), book, point, ways.judged)
        names = {case.file.path: case.name for case in chosen.cases}
        ready = {case.name: _ready(case, known, names) for case in chosen.cases}
        waiting = [case for case in chosen.cases if ready[case.name] is None]
        record = {**before, "results": []} if before is not None else _empty(options)
        for start in range(0, len(waiting), AT_ONCE):
            batch = waiting[start : start + AT_ONCE]
            told = _progress(ways, len(chosen.cases) - len(waiting) + start, len(chosen.cases))
            outcome = probe.run(_report(batch), options, installed, ways.row_of, told, ways.where, programs=True)
            fresh = _renamed(outcome.as_record(), names)
            if outcome.sentence is not None:
                return Conformance({**fresh, "results": [], "summary": _summary([]), "open": []})
            for case in batch:
                ready[case.name] = _of_case(case, fresh["results"])
            machine = fresh["machine"] if fresh["machine"]["releases"] else record["machine"] or fresh["machine"]
            record = _whole({**fresh, "note": None, "machine": machine}, ready.values(), chosen)
            ways.keep(record)
    return Conformance(_whole(record, ready.values(), chosen))


def _known(before: Record | None, options: probe.Options, installed: probe.Installed) -> list[Record]:
    """Return the results of an earlier run. Raises UsageError where it was about something else."""
    if before is None:
        return []
    was = (before["machine"]["target"], before["dry_run"])
    if was != (installed.text, options.dry_run):
        kind = "a dry run" if was[1] else "a run on a GPU"
        raise UsageError(f"The evidence file holds {kind} of {was[0]}. Name another file for {installed.text}.")
    found: list[Record] = before["results"]
    return found


def _empty(options: probe.Options) -> Record:
    return {"schema_version": 1, "dry_run": options.dry_run, "machine": {}, "models": [], "note": None}


def _ready(case: ConformanceCase, known: Sequence[Record], names: Mapping[str, str]) -> list[Record] | None:
    """Return the results of a case in an earlier run; None where one is missing or rests on other facts."""
    own = {_identity(one): one for one in known if one["path"] == case.name}
    found = [own.get(_identity(_expected(layer, names))) for layer in _layers(case)]
    return None if None in found else [
        {**one, "claims": _claims(case.shown[layer.id])}
        for one, layer in zip(found, _layers(case), strict=True)
        if one is not None
    ]  # fmt: skip


def _layers(case: ConformanceCase) -> list[LayerReport]:
    return [layer for layer in case.file.layers if layer.id in case.shown]


def _expected(layer: LayerReport, names: Mapping[str, str]) -> Record:
    verdict: Verdict = layer.judgements[0].verdict
    return _renamed({"predicted": verdict.value, "facts": pack(layer.layer)}, names)


def _identity(result: Record) -> str:
    """Return what makes two results one: a layer of the same facts with the same prediction."""
    return json.dumps([result["predicted"], result["facts"]], sort_keys=True)


def _report(cases: Sequence[ConformanceCase]) -> Report:
    """Return a report on some cases, of which each has only the layers that count."""
    files = [replace(case.file, layers=tuple(_layers(case))) for case in cases]
    return Report(tuple(files), (), len(files), "")


def _renamed(record: Record, names: Mapping[str, str]) -> Record:
    """Return a record in which the programs have the names of their cases, wherever they were written."""
    text = json.dumps(record)
    for path in sorted(names, key=len, reverse=True):
        text = text.replace(json.dumps(path)[1:-1], names[path])
    found: Record = json.loads(text)
    return found


def _of_case(case: ConformanceCase, results: Iterable[Record]) -> list[Record]:
    by_id = {one["id"]: one for one in results if one["path"] == case.name}
    return [{**_told(by_id[identity], of), "claims": _claims(of)} for identity, of in case.shown.items()]


def _told(result: Record, of: Sequence[Claim]) -> Record:
    """Return a result that says, where the case was left out, why this kind of run cannot show it."""
    more = next((REASONS[one.what] for one in of if one.what in REASONS), None)
    if more is None or result["agreement"] != Agreement.SKIPPED.value:
        return result
    return {**result, "elsewhere": more}


def _claims(of: Iterable[Claim]) -> list[Record]:
    return [{"operation": one.operation, "kind": one.kind, "cause": one.cause} for one in of]


def _whole(record: Record, ready: Iterable[list[Record] | None], chosen: Chosen) -> Record:
    results = [one for found in ready for one in found or ()]
    left = [{**one, "reason": reason(of)} for one, of in zip(_claims(chosen.open), chosen.open, strict=True)]
    return {**record, "results": results, "summary": _summary(results), "open": left}


def _summary(results: Sequence[Record]) -> dict[str, int]:
    found = [one["agreement"] for one in results]
    return {agreement.value: found.count(agreement.value) for agreement in Agreement}


def _progress(ways: Ways, done: int, total: int) -> Callable[[int, int], object]:
    return lambda now, _: ways.progress(done + now, total)
