"""`rdjson`: the Reviewdog Diagnostic Format."""

from __future__ import annotations

import json
from typing import Any, TextIO

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.edit import Edit
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.report import Report
from cudnnlint.reporters import Look
from cudnnlint.reporters.machine import absolute, fix_edits

SEVERITIES = {"error": "ERROR", "warning": "WARNING", "info": "INFO"}


def write(report: Report, stream: TextIO, look: Look) -> None:
    """Write one object with all diagnostics."""
    urls = {page.code: page.url for page in report.rules}
    found = [_diagnostic(diagnostic, urls.get(diagnostic.code)) for diagnostic in report.diagnostics]
    json.dump({"source": {"name": "cudnnlint"}, "severity": "WARNING", "diagnostics": found}, stream, indent=2)
    stream.write("\n")


def _diagnostic(diagnostic: Diagnostic, url: str | None) -> dict[str, Any]:
    location: dict[str, Any] = {"path": absolute(diagnostic.path)}
    if diagnostic.location is not None and diagnostic.location.cell is None:
        location["range"] = _range(diagnostic.location)
    layer = f"{diagnostic.layer_path}: " if diagnostic.layer_path else ""
    edits = fix_edits(diagnostic) if "range" in location else ()
    return {
        "message": layer + diagnostic.message,
        "severity": SEVERITIES[diagnostic.severity.value],
        "location": location,
        "code": {"value": diagnostic.code, **({"url": url} if url else {})},
        **({"suggestions": [_suggestion(edit) for edit in edits]} if edits else {}),
    }


def _suggestion(edit: Edit) -> dict[str, Any]:
    return {"range": _range(edit.place), "text": edit.content}


def _range(place: SourcePlace) -> dict[str, Any]:
    return {
        "start": {"line": place.row, "column": place.column},
        "end": {"line": place.end_row, "column": place.end_column},
    }
