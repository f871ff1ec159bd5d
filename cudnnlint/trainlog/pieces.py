"""Reads a training log as pieces of text, whatever its size: streaming, with a cap on the length of a line."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import IO

from cudnnlint.core.quick_dataclass import dataclass

CHUNK = 1 << 16
LONGEST = 20_000  # characters; a longer line (a log inside JSON) comes in several pieces
OVERLAP = 1_000  # longer than any phrase, so that none is cut in two
#: Colours as a terminal gets them, and as a notebook file writes them down.
_ANSI = re.compile(r"(?:\x1b|\\u001b|\\x1b|\\033)\[[0-9;?]*[ -/]*[@-~]")
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


@dataclass(frozen=True)
class Piece:
    """A line, or a part of a long one. `text[:seen]` stood in the piece before as well."""

    number: int
    text: str
    seen: int = 0


def pieces(stream: IO[bytes]) -> Iterator[Piece]:
    """Yield the lines of a log, numbered from 1, without colour codes; bytes that are not text are replaced."""
    number, rest, seen = 1, "", 0
    for text in _texts(stream):
        *lines, rest = (rest + text).split("\n")
        for line in lines:
            yield _piece(number, line, seen)
            number, seen = number + 1, 0
        while len(rest) > LONGEST:
            yield _piece(number, rest[:LONGEST], seen)
            rest, seen = rest[LONGEST - OVERLAP :], OVERLAP
    if rest:
        yield _piece(number, rest, seen)


def _piece(number: int, text: str, seen: int) -> Piece:
    if any(mark in text for mark in ("\x1b", "\\u001b", "\\x1b", "\\033", '\\"')):
        seen = len(_plain(text[:seen]))
        text = _plain(text)
    return Piece(number, text.rstrip("\r"), seen)


def _plain(text: str) -> str:
    """Return the text without colours, and without the backslashes that JSON puts before quotation marks."""
    return _ANSI.sub("", text).replace('\\"', '"')


def _texts(stream: IO[bytes]) -> Iterator[str]:
    chunk = stream.read(CHUNK)
    encoding = next((name for mark, name in _MARKS if chunk.startswith(mark)), "utf-8")
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    while chunk:
        yield decoder.decode(chunk)
        chunk = stream.read(CHUNK)
    yield decoder.decode(b"", final=True)
