"""`report`: everything that was found, as one JSON object (schemas/report.schema.json)."""

from __future__ import annotations

import json
from typing import TextIO

from cudnnlint.core.report import Report
from cudnnlint.reporters import Look
from cudnnlint.reporters.machine import report_object


def write(report: Report, stream: TextIO, look: Look) -> None:
    """Write the object."""
    json.dump(report_object(report), stream, indent=2)
    stream.write("\n")
