"""Findings as the protocol has them, with the place, code, message, severity and address of the JSON output."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from cudnnlint.core.diagnostic import Diagnostic, Severity
from cudnnlint.server.checking import Checked
from cudnnlint.server.documents import TextPart
from cudnnlint.server.positions import Units

SOURCE = "cudnnlint"
SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}
UNUSED = "CDN002"
_START = types.Range(types.Position(0, 0), types.Position(0, 0))


def by_part(checked: Checked, units: Units) -> dict[str, list[types.Diagnostic]]:
    """Return the diagnostics of each part of a buffer, by its URI."""
    found: dict[str, list[types.Diagnostic]] = {part.uri: [] for part in checked.buffer.parts}
    for part, diagnostic in placed(checked):
        found[part.uri].append(shown(diagnostic, part, checked, units))
    return found


def placed(checked: Checked) -> Iterator[tuple[TextPart, Diagnostic]]:
    """Yield each finding with the part that it is in; one of the file as a whole is in the first."""
    for diagnostic in checked.report.diagnostics if checked.file is not None else ():
        place = diagnostic.location
        part = checked.buffer.cell(place.cell) if place is not None else next(iter(checked.buffer.parts), None)
        if part is not None:
            yield part, diagnostic


def shown(diagnostic: Diagnostic, part: TextPart, checked: Checked, units: Units) -> types.Diagnostic:
    """Return a finding as the protocol has it."""
    url = next((page.url for page in checked.report.rules if page.code == diagnostic.code), None)
    place = diagnostic.location
    return types.Diagnostic(
        range=units.range(place, part.lines) if place is not None else _START,
        severity=SEVERITIES[diagnostic.severity],
        code=diagnostic.code,
        code_description=types.CodeDescription(url) if url else None,
        source=SOURCE,
        message=diagnostic.message,
        tags=[types.DiagnosticTag.Unnecessary] if diagnostic.code == UNUSED else None,
    )
