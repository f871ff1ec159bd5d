"""`junit`: a test suite for each file, a failed test case for each diagnostic."""

from __future__ import annotations

from typing import TextIO
from xml.sax.saxutils import escape, quoteattr

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.report import Report
from cudnnlint.core.text import visible
from cudnnlint.reporters import Look, words
from cudnnlint.reporters.machine import absolute


def write(report: Report, stream: TextIO, look: Look) -> None:
    """Write the XML; a clean run is one case that passes."""
    found: dict[str, list[Diagnostic]] = {}
    for diagnostic in report.diagnostics:
        found.setdefault(diagnostic.path, []).append(diagnostic)
    total = len(report.diagnostics)
    stream.write('<?xml version="1.0" encoding="UTF-8"?>\n')
    stream.write(f'<testsuites name="cudnnlint" tests="{total or 1}" failures="{total}" errors="0">\n')
    for path, diagnostics in found.items():
        count = len(diagnostics)
        stream.write(f'  <testsuite name={_attribute(path)} tests="{count}" failures="{count}" errors="0">\n')
        stream.writelines(_case(diagnostic) for diagnostic in diagnostics)
        stream.write("  </testsuite>\n")
    if not total:
        stream.write('  <testsuite name="cudnnlint" tests="1" failures="0" errors="0">\n')
        stream.write('    <testcase name="No errors found" classname="cudnnlint"/>\n  </testsuite>\n')
    stream.write("</testsuites>\n")


def _case(diagnostic: Diagnostic) -> str:
    place = diagnostic.location
    at = f' line="{place.row}" column="{place.column}"' if place is not None else ""
    layer = f"{diagnostic.layer_path}: " if diagnostic.layer_path else ""
    message = layer + diagnostic.message
    return (
        f"    <testcase name={_attribute(f'org.cudnnlint.{diagnostic.code}')} "
        f"classname={_attribute(absolute(diagnostic.path))}{at}>\n"
        f"      <failure message={_attribute(message)} type={_attribute(diagnostic.severity.value)}>"
        f"{escape(visible(f'{words.where(diagnostic)}: {message}'))}</failure>\n"
        "    </testcase>\n"
    )


def _attribute(text: str) -> str:
    return quoteattr(visible(text))  # XML 1.0 has no way to write a control character
