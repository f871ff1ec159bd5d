"""Edits into text, and text into bytes: what no edit touches keeps every byte."""

from __future__ import annotations

import codecs
from collections.abc import Iterable

from cudnnlint.core.edit import Edit
from cudnnlint.core.place import SourcePlace
from cudnnlint.core.regex import regex

_LINE_END = regex(r"\r\n|\r|\n")


def apply(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with the edits put in, which must not overlap."""
    starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
    parts: list[str] = []
    done = 0
    for edit in sorted(edits, key=lambda edit: edit.place):
        start = starts[edit.place.row - 1] + edit.place.column - 1
        assert start >= done, "edits overlap"
        parts += [text[done:start], edit.content]
        done = starts[edit.place.end_row - 1] + edit.place.end_column - 1
    return "".join([*parts, text[done:]])


def encode(text: str, old: bytes, encoding: str, before: str) -> bytes | None:
    """Return the bytes of a text that was decoded from `old` as `before`, in the same encoding and byte order mark.

    None where this encoding does not give back the bytes that it was read from.
    """
    mark = codecs.BOM_UTF8 if old.startswith(codecs.BOM_UTF8) else b""
    try:
        if mark + before.encode(encoding) != old:
            return None
        return mark + text.encode(encoding)
    except UnicodeError:
        return None


def meet(left: Iterable[Edit], right: Iterable[Edit]) -> bool:
    """Return whether any two edits of the two fixes touch the same characters, or add at the same point."""
    others = list(right)
    return any(_touch(one.place, other.place) for one in left for other in others)


def _touch(left: SourcePlace, right: SourcePlace) -> bool:
    if left.cell != right.cell:
        return False
    (start, end), (begin, stop) = _ends(left), _ends(right)
    if start == end or begin == stop:  # something is added there
        return start <= stop and begin <= end
    return start < stop and begin < end


def _ends(place: SourcePlace) -> tuple[tuple[int, int], tuple[int, int]]:
    return (place.row, place.column), (place.end_row, place.end_column)
