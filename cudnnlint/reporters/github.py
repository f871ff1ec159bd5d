"""`github`: workflow commands, which GitHub Actions shows at the lines of a pull request."""

from __future__ import annotations

from typing import TextIO

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.report import Report
from cudnnlint.core.text import visible
from cudnnlint.reporters import Look, words
from cudnnlint.reporters.machine import absolute

LEVELS = {"error": "error", "warning": "warning", "info": "notice"}


def write(report: Report, stream: TextIO, look: Look) -> None:
    """Write one command for each diagnostic."""
    for diagnostic in report.diagnostics:
        stream.write(_command(diagnostic) + "\n")


def _command(diagnostic: Diagnostic) -> str:
    place = diagnostic.location
    properties = {"title": f"cudnnlint ({diagnostic.code})", "file": absolute(diagnostic.path)}
    if place is not None and place.cell is None:  # rows of a notebook's cell are no rows of its file
        properties |= {"line": str(place.row), "endLine": str(place.end_row)}
        if place.row == place.end_row:  # GitHub drops an annotation whose columns lie on different lines
            properties |= {"col": str(place.column), "endColumn": str(place.end_column)}
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    layer = f" {diagnostic.layer_path}:" if diagnostic.layer_path else ""
    message = f"{words.where(diagnostic)}:{layer} {diagnostic.code} {diagnostic.message}"
    return f"::{LEVELS[diagnostic.severity.value]} {listed}::{_data(message)}"


def _data(text: str) -> str:
    """Return the text as the runner decodes it in a message: %25, %0D, %0A."""
    return visible(text, keep="\r\n").replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
