"""`json`: all diagnostics as one array, in the shape that editors already parse for ruff."""

from __future__ import annotations

import json
from typing import TextIO

from cudnnlint.core.report import Report
from cudnnlint.reporters import Look
from cudnnlint.reporters.machine import diagnostics


def write(report: Report, stream: TextIO, look: Look) -> None:
    """Write the array; `[]` when clean."""
    json.dump(list(diagnostics(report)), stream, indent=2)
    stream.write("\n")
