"""`--add-noqa`: writes `# noqa: CODE` at the lines where findings are, and changes no other byte."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.report import FileReport
from cudnnlint.fix.order import SOURCE
from cudnnlint.frontends.source.syntax.decode import decode
from cudnnlint.rewriters.source import notebooks
from cudnnlint.settings.noqa import NEVER, added, wanted, wanted_in_cells

Rows = Mapping[int, list[str]]
Judged = Iterable[tuple[FileReport, tuple[Diagnostic, ...]]]


@dataclass(frozen=True)
class Silenced:
    """The old and new bytes of source files with findings, by path, and how many of their lines are new.

    `changed` are the files that are not what was judged any more: nothing is written to them.
    """

    files: Mapping[str, tuple[bytes, bytes]]
    lines: int
    changed: tuple[str, ...]


def silenced(judged: Judged) -> Silenced:
    """Return what source files are to hold, so that their findings are not reported again."""
    files: dict[str, tuple[bytes, bytes]] = {}
    changed, lines = list[str](), 0
    for file, diagnostics in judged:
        rows = _rows(file, list(diagnostics)) if file.path != "-" else {}
        if not rows:
            continue
        old = _read(file)
        new = None if old is None else _with_comments(file, old, rows)
        if old is None or new is None:
            changed.append(file.path)
            continue
        files[file.path] = (old, new)
        lines += sum(map(len, rows.values()))
    return Silenced(files, lines, tuple(changed))


def _rows(file: FileReport, diagnostics: Sequence[Diagnostic]) -> Mapping[int, Rows]:
    """Return the codes to suppress at each row of each cell; a file without cells counts as cell 0."""
    if file.kind == "notebook" and file.cells is not None:
        return wanted_in_cells(diagnostics)
    rows = wanted(diagnostics) if file.kind == "python" and file.error is None else {}
    return {0: rows} if rows else {}


def _read(file: FileReport) -> bytes | None:
    """Return the bytes of a file; None where it is gone, or is other source than was judged."""
    try:
        data = Path(file.path).read_bytes()
        return data if file.kind == "notebook" or decode(data) == file.source else None
    except (OSError, UnreadableInput):
        return None


def _with_comments(file: FileReport, data: bytes, rows: Mapping[int, Rows]) -> bytes | None:
    """Return a file with comments; of a notebook only the strings of their lines are new. None if it has changed."""
    if file.cells is None:
        return added(data, rows[0])
    old = {number: file.cells[number - 1] for number in rows}
    new = {number: added(_bytes(text), rows[number]).decode("utf-8", "surrogatepass") for number, text in old.items()}
    try:
        json.loads(data.decode("utf-8-sig"))
        return notebooks.rewritten(data, {number: (old[number], new[number]) for number in rows})
    except (ValueError, AttributeError):  # no notebook any more
        return None


def without_a_line(judged: Judged) -> int:
    """Count the findings that no comment is written for: those in saved models and standard input."""
    return sum(
        sum(one.code not in NEVER for one in diagnostics)
        for file, diagnostics in judged
        if file.error is None and (file.kind not in SOURCE or file.path == "-")
    )


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")  # JSON may hold half a character
