"""The fingerprints of a report's diagnostics, in their order."""

from __future__ import annotations

from cudnnlint.core.fingerprint import fingerprint
from cudnnlint.core.report import Report
from cudnnlint.reporters.machine import relative


def fingerprints(report: Report, base: str) -> list[str]:
    """Return one for each diagnostic; equal where the same fault is on equal lines of one file."""
    files = {file.path: file for file in report.files}
    lines: dict[tuple[str, int | None], list[str]] = {}
    found = []
    for diagnostic in report.diagnostics:
        cell = diagnostic.location.cell if diagnostic.location else None
        file = files.get(diagnostic.path)
        if (diagnostic.path, cell) not in lines:
            lines[diagnostic.path, cell] = file.lines(cell) if file is not None and diagnostic.location else []
        found.append(fingerprint(diagnostic, relative(diagnostic.path, base), lines[diagnostic.path, cell]))
    return found
