"""What the check says of the code that stands in a log, told beside what the log says."""

from __future__ import annotations

from typing import Any

from cudnnlint.core.diagnostic import Diagnostic, Severity
from cudnnlint.core.language import tr
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.core.report import Report
from cudnnlint.core.report_text import closing

ANY_RELEASE = "CDN1"  # how the codes begin of what a layer's own settings rule out, in every release


@dataclass(frozen=True)
class JudgedCode:
    """The report of the code in a log. `target` is the release that it was judged for, None where none is known.

    Without one only what holds in every release is left of it.
    """

    report: Report
    target: str | None

    @property
    def findings(self) -> list[Diagnostic]:
        """What is wrong with the layers, each sentence about one place once."""
        found = {
            (one.code, one.reason, one.location.row if one.location else 0): one
            for one in self.report.diagnostics
            if one.severity is not Severity.INFO
        }
        return list(found.values())


def judged(report: Report, target: str | None) -> JudgedCode | None:
    """Return what can be told of a report; None where nothing can."""
    if any(file.error is not None for file in report.files):
        return None
    if target is None:
        report = _in_any_release(report)
    return JudgedCode(report, target) if any(file.layers for file in report.files) else None


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
    return f"the code in this log, for {code.target}: {closing(code.report)}"


def lines(code: JudgedCode) -> list[str]:
    """Return a sentence for each finding, and what to do about it, each once."""
    told: list[str] = []
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
