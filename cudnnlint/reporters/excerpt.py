"""Cut the source lines around a finding, as rows of text with the span to underline."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.report import FileReport
from cudnnlint.core.text import LONGEST, visible

MOST_ROWS = 6  # of one finding; the rest of a long call says nothing about it
ABOVE = 3  # how far above the finding the call may begin and still be shown with it
AFTER = 12  # columns that are kept free behind a finding in a line that is cut
NEAR = 3  # rows between two edits that are shown together
AROUND = 1  # rows shown above and below an edit
TAB = "    "


@dataclass(frozen=True)
class ShownLine:
    """One line as shown: what is to be underlined, and what comes before and after it."""

    row: int
    before: str
    under: str = ""
    after: str = ""

    @property
    def text(self) -> str:
        """The whole line."""
        return self.before + self.under + self.after


def rows_of(diagnostic: Diagnostic, file: FileReport) -> range:
    """Return the rows to show: from the constructor call, if it begins close above, to the end of the finding."""
    place = diagnostic.location
    assert place is not None
    covered = set(diagnostic.layers)
    calls = [layer.place for layer in file.layers if layer.id in covered and layer.place is not None]
    starts = [p.row for p in calls if p.cell == place.cell and place.row - ABOVE <= p.row <= place.row]
    first = min(starts, default=place.row)
    return range(first, min(place.end_row, place.row + MOST_ROWS - 1) + 1)


def shown_rows(file: FileReport, diagnostics: Iterable[Diagnostic]) -> dict[tuple[int | None, int], str]:
    """Return every source line that some excerpt or fix shows or a fingerprint is made of, by cell and row."""
    found: dict[tuple[int | None, int], str] = {}
    for diagnostic in diagnostics:
        if diagnostic.location is None:
            continue
        cell = diagnostic.location.cell
        lines = file.lines(cell)
        rows = range(rows_of(diagnostic, file).start, min(diagnostic.location.end_row, len(lines)) + 1)
        found |= {(cell, row): lines[row - 1][:LONGEST] for row in rows}
        found |= _rows_of_fix(diagnostic, file)
    return dict(sorted(found.items(), key=lambda item: (item[0][0] or 0, item[0][1])))


def _rows_of_fix(diagnostic: Diagnostic, file: FileReport) -> dict[tuple[int | None, int], str]:
    """Return the lines that a page shows of a fix: those that it changes, and those near them."""
    found: dict[tuple[int | None, int], str] = {}
    for edit in diagnostic.fix.edits if diagnostic.fix else ():
        if edit.place.path == file.path:
            cell, lines = edit.place.cell, file.lines(edit.place.cell)
            rows = range(max(1, edit.place.row - AROUND), min(edit.place.end_row + NEAR, len(lines)) + 1)
            found |= {(cell, row): lines[row - 1][:LONGEST] for row in rows}
    return found


def cut(diagnostic: Diagnostic, file: FileReport, width: int) -> list[ShownLine]:
    """Return the excerpt of a finding, no line wider than `width`; the first row of the finding is underlined."""
    place = diagnostic.location
    assert place is not None
    lines = file.lines(place.cell)
    found = []
    for row in rows_of(diagnostic, file):
        text = lines[row - 1] if row <= len(lines) else ""
        if row != place.row:
            found.append(ShownLine(row, _fit(_screen(text[:LONGEST]), width)))
            continue
        start = place.column - 1
        end = place.end_column - 1 if place.end_row == place.row else len(text.rstrip())
        before, under = text[max(0, start - LONGEST) : start], text[start:end][:LONGEST] or " "
        found.append(_underlined(row, _screen(before), _screen(under), _screen(text[end : end + LONGEST]), width))
    return found


def _underlined(row: int, before: str, under: str, after: str, width: int) -> ShownLine:
    """One line with its finding in sight: what is too wide is cut on the left first, then on the right."""
    tail = min(columns(after), AFTER)
    if columns(before) + columns(under) + tail > width:
        room = max(width - columns(under) - tail - 3, width // 4)
        while columns(before) > room:
            before = before[1:]
        before = "..." + before
    under = _fit(under, width - columns(before))
    return ShownLine(row, before, under, _fit(after, width - columns(before + under)))


def _fit(text: str, width: int) -> str:
    if columns(text) <= width:
        return text
    while text and columns(text) > width - 3:
        text = text[:-1]
    return text + "..."[: max(width, 0)]


def _screen(text: str) -> str:
    return visible(text.replace("\t", TAB).replace("\f", ""))


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: wide East Asian characters two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else int(not unicodedata.combining(c)) for c in text)
