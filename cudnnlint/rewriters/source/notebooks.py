"""Puts new text into code cells of a notebook: only the strings that hold changed lines are written anew."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.regex import regex
from cudnnlint.core.text import lines

_STRING = regex(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)  # figures are strings of megabytes
_BLANK = regex(r"[ \t\r\n]*")
_SCALAR = regex(r"[^\s,\]}]+")


@dataclass(frozen=True)
class _Text:
    """One string of the JSON: its place, quotes included, and its text."""

    start: int
    end: int
    says: str


def rewritten(data: bytes, cells: Mapping[int, tuple[str, str]]) -> bytes | None:
    """Return the notebook with new text in its code cells (number, from 1 -> old and new text).

    None where a cell does not hold the old text as strings: it has changed, or is no text.
    """
    text = data.decode("utf-8")
    found = list(_code_cells(_Reader(text).value(1 if text.startswith("\ufeff") else 0)[0]))
    for number in sorted(cells, reverse=True):
        old, new = cells[number]
        if number > len(found) or "".join(one.says for one in found[number - 1]) != old:
            return None
        text = _put(text, found[number - 1], new)
    return text.encode("utf-8")


class _Reader:
    """Reads JSON that is known to be sound; a string becomes a _Text, so that its place is known."""

    def __init__(self, text: str) -> None:
        self.text = text

    def value(self, at: int) -> tuple[Any, int]:
        """Return the value that begins at or behind an offset, and where it ends."""
        at = self._skip(at)
        if self.text[at] == "{":
            return self._members(at + 1)
        if self.text[at] == "[":
            return self._items(at + 1)
        if self.text[at] == '"':
            return self._string(at)
        scalar = _SCALAR.match(self.text, at)
        assert scalar is not None
        return None, scalar.end()

    def _skip(self, at: int) -> int:
        blank = _BLANK.match(self.text, at)
        assert blank is not None
        return blank.end()

    def _string(self, at: int) -> tuple[_Text, int]:
        found = _STRING.match(self.text, at)
        assert found is not None
        return _Text(at, found.end(), json.loads(found.group(), strict=False)), found.end()

    def _items(self, at: int) -> tuple[list[Any], int]:
        items = []
        while self.text[at := self._skip(at)] != "]":
            item, at = self.value(at)
            items.append(item)
            at = self._skip(at)
            at += self.text[at] == ","
        return items, at + 1

    def _members(self, at: int) -> tuple[dict[str, Any], int]:
        members = {}
        while self.text[at := self._skip(at)] != "}":
            key, at = self._string(at)
            members[key.says], at = self.value(self._skip(at) + 1)
            at = self._skip(at)
            at += self.text[at] == ","
        return members, at + 1


def _code_cells(notebook: dict[str, Any]) -> Iterator[list[_Text]]:
    """Yield the strings of every code cell, as the front end counts the cells."""
    sheets = [sheet for sheet in notebook.get("worksheets") or [] if isinstance(sheet, dict)]
    found = notebook.get("cells") or [cell for sheet in sheets for cell in sheet.get("cells") or []]
    for cell in found:
        kind = cell.get("cell_type") if isinstance(cell, dict) else None
        if isinstance(kind, _Text) and kind.says == "code":
            source = cell.get("source", cell.get("input"))
            texts = source if isinstance(source, list) else [source]
            yield [text for text in texts if isinstance(text, _Text)]


def _put(text: str, old: Sequence[_Text], new: str) -> str:
    """Return the JSON with one cell's new text; a cell that is a list keeps the strings of the lines that stay."""
    listed = len(old) != 1
    wanted = [new] if not listed else _split(new)
    first, last = _changed([one.says for one in old], wanted)
    if first + last >= len(old):  # nothing but new lines: a neighbour is written once more with them
        first, last = (first, last - 1) if last else (first - 1, last)
    stop = len(old) - last
    style = _style(text, old)
    written = [json.dumps(line, ensure_ascii=style) for line in wanted[first : len(wanted) - last]]
    if not written:
        return _without(text, old, first, stop)
    between = text[old[0].end : old[1].start] if len(old) > 1 else ", "
    return text[: old[first].start] + between.join(written) + text[old[stop - 1].end :]


def _without(text: str, old: Sequence[_Text], first: int, stop: int) -> str:
    """Return the JSON without some strings of a list."""
    if stop < len(old):
        return text[: old[first].start] + text[old[stop].start :]
    return text[: old[first - 1].end if first else old[0].start] + text[old[-1].end :]


def _changed(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """Return how many lines stay the same at the beginning, and how many at the end."""
    most = min(len(old), len(new))
    first = next((index for index in range(most) if old[index] != new[index]), most)
    last = next((index for index in range(most - first) if old[-1 - index] != new[-1 - index]), most - first)
    return first, last


def _split(text: str) -> list[str]:
    """Return the lines of a text, each with its end."""
    found, at = [], 0
    for line in lines(text):
        end = at + len(line)
        end += 2 if text.startswith("\r\n", end) else int(end < len(text))
        found.append(text[at:end])
        at = end
    return found


def _style(text: str, old: Sequence[_Text]) -> bool:
    """Return whether characters beyond ASCII are escaped in this cell.

    Half a surrogate pair, which JSON may hold, can only be escaped.
    """
    halves = any("\ud800" <= character <= "\udfff" for one in old for character in one.says)
    return halves or (all(text[one.start : one.end].isascii() for one in old) and not _plain(old))


def _plain(old: Sequence[_Text]) -> bool:
    return all(one.says.isascii() for one in old)
