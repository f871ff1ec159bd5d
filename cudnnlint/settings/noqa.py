"""`--add-noqa`: writes `# noqa: CODE` at the lines where findings are, and changes no other byte."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Mapping
from pathlib import Path

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.errors import UsageError
from cudnnlint.core.regex import regex
from cudnnlint.core.report import FileReport
from cudnnlint.settings.settings import ALWAYS

#: No comment silences these: an unused suppression goes away with its comment.
NEVER = ALWAYS | {"CDN002"}
WITH_CODES = regex(rb"#\s*noqa\s*:\s*[A-Z]+\d+(?:[\s,]+[A-Z]+\d+\b)*", re.IGNORECASE)


def silenced(judged: Iterable[tuple[FileReport, tuple[Diagnostic, ...]]]) -> dict[str, tuple[bytes, int]]:
    """For each Python file with findings its new content and how many lines of it are new."""
    found = {}
    for file, diagnostics in judged:
        rows = wanted(diagnostics) if file.kind == "python" and file.error is None else {}
        if rows and file.path != "-":
            found[file.path] = (added(_unchanged(file), rows), len(rows))
    return found


def without_a_line(judged: Iterable[tuple[FileReport, tuple[Diagnostic, ...]]]) -> int:
    """Count the findings that no comment is written for: those in notebooks, saved models and standard input."""
    return sum(
        sum(one.code not in NEVER for one in diagnostics)
        for file, diagnostics in judged
        if file.error is None and (file.kind != "python" or file.path == "-")
    )


def _unchanged(file: FileReport) -> bytes:
    """Return the bytes of a file; raise UsageError where they are not those that were judged any more."""
    try:
        data = Path(file.path).read_bytes()
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        if data.decode(encoding) == file.source:
            return data
    except (OSError, SyntaxError, UnicodeError):
        pass
    raise UsageError(f"{file.path} was changed while it was checked. Run the command again.")


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
