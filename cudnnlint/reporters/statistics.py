"""`--statistics`: how often each code was found."""

from __future__ import annotations

import json
from collections import Counter
from typing import TextIO

from cudnnlint.core import report_text
from cudnnlint.core.report import Report


def write(report: Report, stream: TextIO, as_json: bool) -> None:
    """Write the counts, the most frequent code first."""
    counts = Counter((diagnostic.code, diagnostic.name) for diagnostic in report.diagnostics)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    if as_json:
        json.dump([{"code": code, "name": name, "count": count} for (code, name), count in ordered], stream, indent=2)
        stream.write("\n")
        return
    width = max((len(str(count)) for _, count in ordered), default=0)
    stream.writelines(f"{count:>{width}}  {code}  {name}\n" for (code, name), count in ordered)
    stream.write(report_text.closing(report) + "\n")
