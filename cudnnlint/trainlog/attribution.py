"""Finds the layer that a log line speaks of among the layers of a report."""

from __future__ import annotations

import re

from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.report import FileReport, LayerReport, Report
from cudnnlint.core.verdict import Requirement, Verdict
from cudnnlint.trainlog.gather import LogEntry
from cudnnlint.trainlog.phrases import PhraseCase

_GIVEN = re.compile(r"(?:(?P<role>forward|backward)_)?(?P<class_name>[a-z0-9_]+?)(?:_\d+)?")
#: The verdicts that go with what a line tells; a layer that can have none of them is not meant.
FITS = {
    "fallback": {Verdict.FALLBACK},
    "cudnn": {Verdict.CUDNN, Verdict.DEPENDS},
    "raises": {Verdict.RAISES, Verdict.DEPENDS, Verdict.CUDNN, Verdict.UNKNOWN},
}


@dataclass(frozen=True)
class Match:
    """A layer of the report that a line may mean.

    `sure` is False where Keras made up the name in the log, `fits` where the verdict is not what the line tells.
    """

    file: FileReport
    layer: LayerReport
    sure: bool
    fits: bool = True

    @property
    def where(self) -> str:
        """Path and row, or path and layer path."""
        place = self.layer.place
        if place is None:
            return f"{self.file.path}: {self.layer.layer_path}"
        return str(place)

    def failed(self) -> list[Requirement]:
        """Return the requirements that the layer does not meet, once each, in the order of the report."""
        found = {
            requirement.name: requirement
            for judgement in self.layer.judgements
            for requirement in judgement.requirements
            if requirement.met == "no"
        }
        return list(found.values())


def matches(entry: LogEntry, report: Report | None) -> list[Match]:
    """Return the layers that an entry may mean: those of that name, else unnamed ones of that class.

    Where a layer without a name fits the message, those that do not are left out.
    """
    if report is None or (entry.layer is None and entry.class_name is None):
        return []
    everyone = [(file, layer) for file in report.files for layer in file.layers]
    if entry.class_name is not None:
        return [Match(file, layer, False) for file, layer in everyone if layer.class_name == entry.class_name]
    names = {entry.layer, *entry.path}
    named = [Match(file, layer, True, _fits(layer, entry)) for file, layer in everyone if _names(layer) & names]
    if named:
        return named
    possible = [Match(file, layer, False, _fits(layer, entry)) for file, layer in everyone if _may_be(layer, entry)]
    return [match for match in possible if match.fits] or possible


def chosen_case(entry: LogEntry, found: list[Match]) -> PhraseCase | None:
    """Return the case for the verdict that all layers have which the entry may mean, else the log's own case."""
    for case in entry.phrase.cases:
        if case.judged and found and all(_all_of(match.layer, case.judged) for match in found):
            return case
    return entry.case


def _all_of(layer: LayerReport, verdict: str) -> bool:
    return all(judgement.verdict.value == verdict for judgement in layer.judgements)


def _fits(layer: LayerReport, entry: LogEntry) -> bool:
    """Return whether the layer can do what the line says."""
    possible = {verdict for judgement in layer.judgements for verdict in judgement.possible}
    return bool(possible & FITS.get(entry.phrase.reading.tells, possible))


def _names(layer: LayerReport) -> set[str]:
    """Return the names of a layer in a log; those of a Bidirectional are logged with and without prefix."""
    if layer.name is None:
        return set()
    bare = layer.name
    for prefix in ("forward_", "backward_"):
        bare = bare.removeprefix(prefix)
    return {layer.name, bare}


def _may_be(layer: LayerReport, entry: LogEntry) -> bool:
    """Return whether Keras may have given the logged name to this layer, which has none of its own."""
    given = _GIVEN.fullmatch(entry.layer or "")
    if layer.name is not None or given is None:
        return False
    if given["class_name"] not in {_snake(name) for name in layer.class_name.split("|")}:
        return False
    direction = layer.layer.direction if layer.layer is not None else None
    return not given["role"] or (direction is not None and direction.role == given["role"])


def _snake(class_name: str) -> str:
    """Return the name that Keras makes of a class name: LSTM -> lstm, SimpleRNN -> simple_rnn."""
    partly = re.sub(r"(.)([A-Z][a-z0-9]+)", r"\1_\2", class_name)
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", partly).lower()
