"""What a conformance run knows so far, and the record that it makes of it. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

from cudnnlint.core.codec import pack
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.core.report import LayerReport, Report
from cudnnlint.core.verdict import Verdict
from cudnnlint.probe import controls
from cudnnlint.probe.cases import ROUTE, Claim
from cudnnlint.probe.chosen import Chosen, ConformanceCase
from cudnnlint.probe.compare import Agreement
from cudnnlint.probe.controls import Control, Held
from cudnnlint.probe.elsewhere import REASONS, reason
from cudnnlint.probe.outcome import ProbeOutcome

Record = dict[str, Any]


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

    def report(self, cases: Iterable[ConformanceCase], beside: bool = True) -> Report:
        """Return a report on some cases, and what they are held against, of which each has only what counts."""
        files = []
        for case in cases:
            files.append(replace(case.file, layers=tuple(case.layers)))
            found = (self.beside.get((case.name, layer.id)) for layer in case.layers if beside)
            files += [replace(one.file, layers=(one.layer,)) for one in found if one is not None]
        return Report(tuple(files), (), len(files), "")

    def untimed(self, case: ConformanceCase) -> bool:
        """Return whether a case shows a layer as it is, which ran and was not timed."""
        plain = any(claim.kind == ROUTE for claims in case.shown.values() for claim in claims)
        found = self.results.get(case.name, ())
        ran = bool(found) and all(one["observed"] not in (None, Verdict.RAISES.value) for one in found)
        return plain and ran and not any(one["seconds"]["route"] for one in found)

    def time(self, cases: Iterable[ConformanceCase], outcome: ProbeOutcome) -> None:
        """Take the times, and nothing else, of a run of some cases."""
        timed = renamed(outcome.as_record(), self.names)["results"]
        times = {(one["path"], one["id"]): one["seconds"] for one in timed}
        for case in cases:
            own = zip(self.results[case.name], case.layers, strict=True)
            self.results[case.name] = [{**one, "seconds": times[case.name, layer.id]} for one, layer in own]

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
        return {**record, "results": results, "controls": good, "summary": summary(results), "open": left}


def _expected(name: str, layer: LayerReport, names: Mapping[str, str]) -> str:
    verdict: Verdict = layer.judgements[0].verdict
    return _identity(renamed({"path": name, "predicted": verdict.value, "facts": pack(layer.layer)}, names))


def _identity(result: Record) -> str:
    """Return what makes two results one: a layer of the same facts in the same program, with the same prediction."""
    return json.dumps([result[key] for key in ("path", "predicted", "facts")], sort_keys=True)


def renamed(record: Record, names: Mapping[str, str]) -> Record:
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


def summary(results: Sequence[Record]) -> dict[str, int]:
    """Return how many results there are of each agreement."""
    found = [one["agreement"] for one in results]
    return {agreement.value: found.count(agreement.value) for agreement in Agreement}
