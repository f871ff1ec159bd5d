"""`json-lines`: one diagnostic on each line."""

from __future__ import annotations

import json
from typing import TextIO

from cudnnlint.core.report import Report
from cudnnlint.reporters import Look
from cudnnlint.reporters.machine import diagnostics


def write(report: Report, stream: TextIO, look: Look) -> None:
    """Write the objects of `json`, one on each line; nothing when clean."""
    for diagnostic in diagnostics(report):
        stream.write(json.dumps(diagnostic) + "\n")
