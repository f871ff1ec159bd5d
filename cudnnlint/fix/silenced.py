"""`--add-noqa`: writes `# noqa: CODE` at the lines where findings are, and changes no other byte."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.errors import UnreadableInput, UsageError
from cudnnlint.core.report import FileReport
from cudnnlint.fix.order import SOURCE
from cudnnlint.frontends.source.syntax.decode import decode
from cudnnlint.rewriters.source import notebooks
from cudnnlint.settings.noqa import NEVER, added, wanted, wanted_in_cells

Judged = Iterable[tuple[FileReport, tuple[Diagnostic, ...]]]


def silenced(judged: Judged) -> dict[str, tuple[bytes, int]]:
    """Return for each source file with findings its new content, and how many of its lines are new.

    Raises UsageError for a file that is not what was judged any more.
    """
    found = {}
    for file, diagnostics in judged:
        if file.path == "-":
            continue
        made = None
        if file.kind == "notebook" and file.cells is not None:
            made = _notebook(file, diagnostics)
        elif file.kind == "python" and file.error is None:
            made = _python(file, diagnostics)
        if made is not None:
            found[file.path] = made
    return found


def without_a_line(judged: Judged) -> int:
    """Count the findings that no comment is written for: those in saved models and standard input."""
    return sum(
        sum(one.code not in NEVER for one in diagnostics)
        for file, diagnostics in judged
        if file.error is None and (file.kind not in SOURCE or file.path == "-")
    )


def _python(file: FileReport, diagnostics: Iterable[Diagnostic]) -> tuple[bytes, int] | None:
    rows = wanted(diagnostics)
    return (added(_unchanged(file), rows), len(rows)) if rows else None


def _unchanged(file: FileReport) -> bytes:
    """Return the bytes of a file; raise UsageError where they are not those that were judged any more."""
    try:
        data = Path(file.path).read_bytes()
        if decode(data) == file.source:
            return data
    except (OSError, UnreadableInput):
        pass
    raise _changed(file)


def _notebook(file: FileReport, diagnostics: Iterable[Diagnostic]) -> tuple[bytes, int] | None:
    """Return a notebook with comments in its cells; only the strings of their lines are written anew."""
    rows = wanted_in_cells(diagnostics)
    if not rows:
        return None
    old = {number: (file.cells or ())[number - 1] for number in rows}
    new = {number: added(_bytes(text), rows[number]).decode("utf-8", "surrogatepass") for number, text in old.items()}
    try:
        data = Path(file.path).read_bytes()
        made = notebooks.rewritten(data, {number: (old[number], new[number]) for number in rows})
    except (OSError, ValueError, LookupError, AssertionError, AttributeError):  # no notebook any more
        made = None
    if made is None:
        raise _changed(file)
    return made, sum(map(len, rows.values()))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")  # JSON may hold half a character


def _changed(file: FileReport) -> UsageError:
    return UsageError(f"{file.path} was changed while it was checked. Run the command again.")
