"""What the check says of the code that stands in a log, told beside what the log says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cudnnlint.core.diagnostic import Diagnostic, Severity
from cudnnlint.core.language import tr
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.core.report import Report
from cudnnlint.core.report_text import closing
from cudnnlint.core.verdict import Verdict
from cudnnlint.trainlog.told_gpu import DO, SAID

_OPEN = (Verdict.DEPENDS, Verdict.UNKNOWN)
MOST_TARGETS = 6
ANY_RELEASE = "CDN1"  # how the codes begin of what a layer's own settings rule out, in every release


@dataclass(frozen=True)
class JudgedCode:
    """The report of the code in a log. `target` is the release that it was judged for, None where none is known.

    Without one only what holds in every release is left of it. `gpu` is a GPU without cuDNN that the text names.
    """

    report: Report
    target: str | None
    gpu: str | None = None

    @property
    def findings(self) -> list[Diagnostic]:
        """What is wrong with the layers, or keeps it open what becomes of them; each sentence about one place once."""
        open_layers = {layer.id for file in self.report.files for layer in file.layers if layer.worst in _OPEN}
        found = {
            (one.code, one.reason, one.location.row if one.location else 0): one
            for one in self.report.diagnostics
            if one.severity is not Severity.INFO or (self.gpu is None and not open_layers.isdisjoint(one.layers))
        }
        return list(found.values())


def judged(report: Report, named: Sequence[str], gpu: str | None = None) -> JudgedCode | None:
    """Return what can be told of a report; None where nothing can. `named` are the targets of the user or the text."""
    if any(file.error is not None for file in report.files):
        return None
    if not named:
        report = _in_any_release(report)
    layers = any(file.layers for file in report.files)
    return JudgedCode(report, _targets(report, named) if named else None, gpu) if layers else None


def _targets(report: Report, named: Sequence[str]) -> str:
    """Return the targets that were judged: those that are named, unless the code imports another Keras than these."""
    judged_for = list(dict.fromkeys(str(target) for file in report.files for target in file.targets))
    if all("keras" not in name or _among(name, judged_for) for name in named):
        return ", ".join(named)
    more = f" and {len(judged_for) - MOST_TARGETS} more" if len(judged_for) > MOST_TARGETS else ""
    return ", ".join(judged_for[:MOST_TARGETS]) + more


def _among(name: str, judged_for: Sequence[str]) -> bool:
    """Return whether a target was judged, as far as its package and its release say."""
    return any(target.startswith(name.partition(":")[0]) for target in judged_for)


def _in_any_release(report: Report) -> Report:
    """Return a report of the layers that their own settings keep out of cuDNN, whatever the release."""
    kept = tuple(one for one in report.diagnostics if one.code.startswith(ANY_RELEASE))
    told = {layer for one in kept for layer in one.layers}
    files = tuple(replace(file, layers=tuple(one for one in file.layers if one.id in told)) for file in report.files)
    return replace(report, files=files, diagnostics=kept)


def head(code: JudgedCode) -> str:
    """Return what comes before the findings."""
    if code.target is None:
        return "the code in this log"
    if code.gpu is not None:
        return f"the code in this log, for {code.target}"
    return f"the code in this log, for {code.target}: {closing(code.report)}"


def lines(code: JudgedCode) -> list[str]:
    """Return a sentence for each finding, and what to do about it, each once."""
    told = [f"{tr('found'):<11} {tr(SAID[code.gpu])}", f"what to do  {tr(DO[code.gpu])}"] if code.gpu else []
    for one in code.findings:
        place = f"line {one.location.row}" if one.location is not None else code.report.files[0].path
        what = one.reason if code.target is None else one.message
        told.append(f"{tr('found'):<11} {place}, {one.code}: {tr(what)}")
        action = one.fix.message if one.fix is not None else one.advice
        told.append(f"what to do  {tr(action or '')}")
    return [text for text in dict.fromkeys(told) if text.strip() != "what to do"]


def as_data(code: JudgedCode) -> dict[str, Any]:
    """Return what is told of the code as plain data."""
    findings = [
        {
            "line": one.location.row if one.location is not None else None,
            "code": one.code,
            "name": one.name,
            "message": one.message,
            "do": one.fix.message if one.fix is not None else one.advice,
        }
        for one in code.findings
    ]
    return {"target": code.target, "findings": findings}
