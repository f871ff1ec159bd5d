"""Places as the protocol has them: lines and characters from 0, characters in the units that the client counts in."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from cudnnlint.core.place import SourcePlace
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.regex import regex

_LINE_END = regex(r"\r\n|\r|\n")
_BYTES = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


@dataclass(frozen=True)
class Units:
    """How the client counts characters: "utf-8", "utf-16" or "utf-32"."""

    encoding: str = "utf-16"

    def count(self, text: str) -> int:
        """Return how many units a text has."""
        if text.isascii():
            return len(text)
        codec, size = _BYTES[self.encoding]
        return len(text.encode(codec, "surrogatepass")) // size

    def points(self, line: str, units: int) -> int:
        """Return how many characters of a line lie before a number of units; all of them where it is shorter."""
        if line.isascii():
            return max(0, min(units, len(line)))
        seen = 0
        for index, character in enumerate(line):
            if seen >= units:
                return index
            seen += self.count(character)
        return len(line)

    def position(self, row: int, column: int, lines: Sequence[str]) -> types.Position:
        """Return the position of a row and column, which count from 1."""
        line = lines[row - 1] if row <= len(lines) else ""
        return types.Position(max(0, row - 1), self.count(line[: max(0, column - 1)]))

    def range(self, place: SourcePlace, lines: Sequence[str]) -> types.Range:
        """Return the range of a place in a text."""
        start = self.position(place.row, place.column, lines)
        return types.Range(start, self.position(place.end_row, place.end_column, lines))

    def point(self, position: types.Position, lines: Sequence[str]) -> tuple[int, int]:
        """Return the row and column of a position; one behind the text is at its end."""
        if position.line >= len(lines):
            return len(lines) + 1, 1
        return position.line + 1, self.points(lines[position.line], position.character) + 1

    def changed(self, text: str, change: types.TextDocumentContentChangeEvent) -> str:
        """Return a text after one change by the client."""
        if not isinstance(change, types.TextDocumentContentChangePartial):
            return change.text
        start = self._offset(text, change.range.start)
        return text[:start] + change.text + text[max(start, self._offset(text, change.range.end)) :]

    def _offset(self, text: str, position: types.Position) -> int:
        at = 0
        for _ in range(position.line):
            end = _LINE_END.search(text, at)
            if end is None:
                return len(text)
            at = end.end()
        end = _LINE_END.search(text, at)
        return at + self.points(text[at : end.start() if end is not None else len(text)], position.character)


def units_of(encoding: types.PositionEncodingKind | str | None) -> Units:
    """Return the units of the encoding that was agreed on; the protocol's own, UTF-16, where none was."""
    return Units(types.PositionEncodingKind(encoding).value) if encoding else Units()


def holds(place: SourcePlace, row: int, column: int) -> bool:
    """Return whether a row and column lies inside a place, its end included."""
    return (place.row, place.column) <= (row, column) <= (place.end_row, place.end_column)


class Shift:
    """Where the lines of an older text are in a newer one: those before the first change and those behind the last."""

    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        most = min(len(old), len(new))
        self.head = next((index for index in range(most) if old[index] != new[index]), most)
        rest = most - self.head
        tail = next((index for index in range(rest) if old[-1 - index] != new[-1 - index]), rest)
        self.tail, self.by = len(old) - tail, len(new) - len(old)

    def row(self, first: int, last: int) -> int | None:
        """Return by how much rows have moved that are next to each other; None where one of them was changed."""
        if last <= self.head:
            return 0
        return self.by if first > self.tail else None
