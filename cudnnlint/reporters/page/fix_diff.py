"""What a fix changes, as lines: those that go, those that come, and which part of them is new."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from cudnnlint.core.edit import Edit, Fix
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.report import FileReport
from cudnnlint.core.text import lines
from cudnnlint.reporters.excerpt import AROUND, NEAR

MOST = 40  # rows shown of one fix
LONGEST = 240  # characters of a line
BEFORE = 44  # characters in front of what changes


@dataclass(frozen=True)
class ChangedLine:
    """One line: "-" goes, "+" comes, " " stays. `row` is that of the old text; `changed` is the part that differs."""

    mark: str
    row: int | None
    before: str
    changed: str = ""
    after: str = ""


def changes(fix: Fix, file: FileReport) -> list[ChangedLine]:
    """Return the lines that a fix changes in a file; none where nothing is written out, or where it is too long.

    A report that was read back may lack the lines, or their ends: then none either.
    """
    own = sorted((edit for edit in fix.edits if edit.place.path == file.path), key=lambda one: _where(one))
    if not all(_at_hand(edit.place, file.lines(edit.place.cell)) for edit in own):
        return []
    shown = [line for cluster in _clusters(own) for line in _cluster(cluster, file)]
    return shown if len(shown) <= MOST else []


def _at_hand(place: SourcePlace, source: Sequence[str]) -> bool:
    """Return whether the text that an edit replaces is there, if only as the end of the file."""
    widths = [*map(len, source), 0]
    ends = ((place.row, place.column), (place.end_row, place.end_column))
    return all(row <= len(widths) and column - 1 <= widths[row - 1] for row, column in ends)


def _where(edit: Edit) -> tuple[int, int, int]:
    return (edit.place.cell or 0, edit.place.row, edit.place.column)


def _clusters(edits: Sequence[Edit]) -> Iterator[list[Edit]]:
    cluster: list[Edit] = []
    for edit in edits:
        last = cluster[-1].place if cluster else edit.place
        if cluster and (last.cell != edit.place.cell or edit.place.row > last.end_row + NEAR):
            yield cluster
            cluster = []
        cluster.append(edit)
    if cluster:
        yield cluster


def _cluster(edits: Sequence[Edit], file: FileReport) -> Iterator[ChangedLine]:
    """Yield the lines of edits that are near each other."""
    source = file.lines(edits[0].place.cell)
    first = max(1, edits[0].place.row - AROUND)
    last = min(len(source), max(edit.place.end_row for edit in edits) + AROUND)
    old = source[first - 1 : last]
    new = lines(_applied(edits, old, first))
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from (ChangedLine(" ", first + at, _cut(old[at])) for at in range(a, b))
            continue
        pairs = list(zip(old[a:b], new[c:d], strict=False)) if b - a == d - c else []
        going = [_marked(one, other) for one, other in pairs] or [(_cut(one), "", "") for one in old[a:b]]
        coming = [_marked(other, one) for one, other in pairs] or [(_cut(one), "", "") for one in new[c:d]]
        yield from (ChangedLine("-", first + a + at, *parts) for at, parts in enumerate(going))
        yield from (ChangedLine("+", None, *parts) for parts in coming)


def _applied(edits: Sequence[Edit], old: Sequence[str], first: int) -> str:
    """Return the old lines, which begin with row `first`, with the edits applied from the last to the first."""
    text = "\n".join(old) + "\n"
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line) + 1)
    for edit in reversed(edits):
        place = edit.place
        start, end = starts[place.row - first] + place.column - 1, starts[place.end_row - first] + place.end_column - 1
        text = text[:start] + edit.content + text[end:]
    return text


def _marked(one: str, other: str) -> tuple[str, str, str]:
    """Return a line in three parts, of which the middle one is not in the other line."""
    start = _alike(one, other)
    end = _alike(one[start:][::-1], other[start:][::-1])
    return _end(one[:start]), _cut(one[start : len(one) - end]), _cut(one[len(one) - end :])


def _end(text: str) -> str:
    """Return text in front of a change, so that the change itself is in sight."""
    return text if len(text) <= 2 * BEFORE else f"…{text[-BEFORE:]}"


def _alike(one: str, other: str) -> int:
    """Return how many characters two texts begin with that are the same."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
