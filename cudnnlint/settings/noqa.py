"""`# noqa: CODE` at the lines where findings are: which codes each line needs, and the text with them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.regex import regex
from cudnnlint.settings.settings import ALWAYS

#: No comment silences these: an unused suppression goes away with its comment.
NEVER = ALWAYS | {"CDN002"}
WITH_CODES = regex(rb"#\s*noqa\s*:\s*[A-Z]+\d+(?:[\s,]+[A-Z]+\d+\b)*", re.IGNORECASE)


def wanted(diagnostics: Iterable[Diagnostic]) -> dict[int, list[str]]:
    """Return the codes to suppress at each row of one Python file."""
    rows: dict[int, list[str]] = {}
    for diagnostic in diagnostics:
        place = diagnostic.location
        if place is None or place.cell is not None or diagnostic.noqa_row is None or diagnostic.code in NEVER:
            continue
        codes = rows.setdefault(diagnostic.noqa_row, [])
        if diagnostic.code not in codes:
            codes.append(diagnostic.code)
    return rows


def wanted_in_cells(diagnostics: Iterable[Diagnostic]) -> dict[int, dict[int, list[str]]]:
    """Return the codes to suppress at each row of each cell of one notebook."""
    cells: dict[int, list[Diagnostic]] = {}
    for one in diagnostics:
        if one.location is not None and one.location.cell is not None:
            alone = replace(one, location=replace(one.location, cell=None))
            cells.setdefault(one.location.cell, []).append(alone)
    rows = {cell: wanted(found) for cell, found in cells.items()}
    return {cell: found for cell, found in rows.items() if found}


def added(data: bytes, rows: Mapping[int, list[str]]) -> bytes:
    """Return the source with the comments added; it works on bytes, so that encoding and line ends do not change."""
    lines = data.splitlines(keepends=True)
    for row, codes in rows.items():
        if row <= len(lines):
            lines[row - 1] = _line(lines[row - 1], sorted(codes))
    return b"".join(lines)


def _line(line: bytes, codes: list[str]) -> bytes:
    body = line.rstrip(b"\r\n")
    end = line[len(body) :]
    listed = ", ".join(codes).encode()
    written = list(WITH_CODES.finditer(body))
    if written:
        last = written[-1]
        return body[: last.end()] + b", " + listed + body[last.end() :] + end
    return body.rstrip() + b"  # noqa: " + listed + end
