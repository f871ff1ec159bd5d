"""`azure`: logging commands of Azure Pipelines."""

from __future__ import annotations

from typing import TextIO

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.report import Report
from cudnnlint.core.text import visible
from cudnnlint.reporters import Look
from cudnnlint.reporters.machine import absolute


def write(report: Report, stream: TextIO, look: Look) -> None:
    """Write one command for each diagnostic."""
    for diagnostic in report.diagnostics:
        stream.write(_command(diagnostic) + "\n")


def _command(diagnostic: Diagnostic) -> str:
    place = diagnostic.location
    level = "error" if diagnostic.severity.value == "error" else "warning"  # Azure knows no third
    properties = {"type": level, "sourcepath": absolute(diagnostic.path)}
    if place is not None and place.cell is None:
        properties |= {"linenumber": str(place.row), "columnnumber": str(place.column)}
    properties["code"] = diagnostic.code
    listed = "".join(f"{name}={_property(value)};" for name, value in properties.items())
    layer = f"{diagnostic.layer_path}: " if diagnostic.layer_path else ""
    return f"##vso[task.logissue {listed}]{_data(layer + diagnostic.message)}"


def _data(text: str) -> str:
    """Return the text as the agent decodes it (its escapes: %AZP25, %0D, %0A)."""
    return visible(text, keep="\r\n").replace("%", "%AZP25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(";", "%3B").replace("]", "%5D")
