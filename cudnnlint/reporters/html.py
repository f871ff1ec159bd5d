"""`html`: one page complete in itself, for an artifact that people open."""

from __future__ import annotations

from typing import TextIO

from cudnnlint.core import report_text
from cudnnlint.core.report import Report
from cudnnlint.reporters import Look
from cudnnlint.reporters.page.assets import framed
from cudnnlint.reporters.page.page_view import content


def write(report: Report, stream: TextIO, look: Look) -> None:
    """Write the page; nothing in it is loaded from elsewhere, and it says everything without its script."""
    stream.write(framed(f"cudnnlint: {report_text.closing(report)}", content(report, look.unsafe)))
