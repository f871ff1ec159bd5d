"""`gitlab`: a Code Quality report."""

from __future__ import annotations

import json
import os
from collections import Counter
from typing import Any, TextIO

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.report import Report
from cudnnlint.reporters import Look
from cudnnlint.reporters.machine import relative
from cudnnlint.reporters.prints import fingerprints

SEVERITIES = {"error": "critical", "warning": "major", "info": "info"}


def write(report: Report, stream: TextIO, look: Look) -> None:
    """Write the array that the `codequality` artifact holds; paths are relative to the project's folder."""
    base = os.environ.get("CI_PROJECT_DIR") or os.getcwd()
    prints = fingerprints(report, base)
    seen: Counter[str] = Counter()
    issues = []
    for diagnostic, digits in zip(report.diagnostics, prints, strict=True):
        seen[digits] += 1
        unique = digits if seen[digits] == 1 else f"{digits}{seen[digits]:x}"  # GitLab drops what repeats one
        issues.append(_issue(diagnostic, unique, base))
    json.dump(issues, stream, indent=2)
    stream.write("\n")


def _issue(diagnostic: Diagnostic, digits: str, base: str) -> dict[str, Any]:
    place = diagnostic.location
    row = place.row if place is not None and place.cell is None else 1  # the format has no place without a line
    end = place.end_row if place is not None and place.cell is None else row
    column, end_column = (place.column, place.end_column) if place is not None and place.cell is None else (1, 1)
    layer = f"{diagnostic.layer_path}: " if diagnostic.layer_path else ""
    return {
        "check_name": diagnostic.name,
        "description": f"{diagnostic.code}: {layer}{diagnostic.message}",
        "severity": SEVERITIES[diagnostic.severity.value],
        "fingerprint": digits,
        "location": {
            "path": relative(diagnostic.path, base),
            "positions": {"begin": {"line": row, "column": column}, "end": {"line": end, "column": end_column}},
        },
    }
