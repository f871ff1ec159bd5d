"""Reads a training log as pieces of text, whatever its size: streaming, with a cap on the length of a line."""

from __future__ import annotations

import codecs
import html
import re
from collections.abc import Iterable, Iterator
from typing import IO

from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.trainlog.envelopes import record, unprefixed
from cudnnlint.trainlog.unpacked import chunks

LONGEST = 20_000  # characters; a longer line (a log inside JSON) comes in several pieces
OVERLAP = 1_000  # longer than any phrase, so that none is cut in two
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
LOOKED_AT = 2_000  # bytes whose zeros tell UTF-16 without a mark, as PowerShell writes it after a program's own text

#: What may have to be made plain: nearly no line has any of it.
_MARKED = re.compile(r"[\x00\x1b\\&]|\^\[\[|</?span")
#: Colours, titles and links as a terminal gets them, and colours as a notebook file and `cat -v` write them down.
_TERMINAL = re.compile(
    r"\x1b\][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\)"
    r"|(?:\x1b|\\{1,8}u001b|\\{1,8}x1b|\\{1,8}033|\^\[)\[[0-9;?]*[ -/]*[@-~]"
    r"|</?span[^>\n]{0,200}>"
)
_ENTITY = re.compile(r"&(?:amp;)*(#\d{1,5}|#x[0-9a-fA-F]{1,4}|quot|apos|lt|gt|amp|nbsp|[lr][sd]quo);")
_ESCAPED = re.compile(r"\\{1,8}(?:u(00(?:22|26|27|3[cCeE])|20[0-3][0-9a-fA-F])|(?=['\"]))")
#: What editors, mail and other alphabets make of ' and ", read as UTF-8 or by mistake as another encoding.
_QUOTES = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"')
    | dict.fromkeys("\u00a0\u202f", " ")
    | dict.fromkeys("\x00\u200b\u2060\ufeff")
)
_APOSTROPHE = re.compile(r"(?<=[A-Za-z]n)(?:\ufffd|\u00e2\u20ac\u2122|\x92)(?=t\b)")


@dataclass(frozen=True)
class Piece:
    """A line, or a part of a long one. `text[:seen]` stood in the piece before as well."""

    number: int
    text: str
    seen: int = 0


def pieces(stream: IO[bytes]) -> Iterator[Piece]:
    """Yield the lines of a log, numbered from 1, in plain text; bytes that are not text are replaced.

    A line that a container's log holds in parts is put together, and has the number of its last part.
    """
    held: dict[str, str] = {}
    last = 0
    for last, text, seen in _lines(chunks(stream)):
        if seen or len(text) >= LONGEST:
            yield _piece(last, text, seen)
            continue
        line = record(text)
        whole = held.pop(line.stream, "") + line.text if held else line.text
        if line.open and len(whole) < LONGEST:
            held[line.stream] = whole
        else:
            yield from (_piece(last, part, 0) for part in whole.split("\n"))  # a traceback may be one record
    for text in held.values():
        yield _piece(last, text, 0)


def _lines(read: Iterable[bytes]) -> Iterator[tuple[int, str, int]]:
    """Yield number, text and what was seen of it before, for each line and each part of a long one."""
    number, rest, seen = 1, "", 0
    for text in _texts(read):
        *lines, rest = (rest + text).split("\n")
        for line in lines:
            yield number, line, seen
            number, seen = number + 1, 0
        while len(rest) > LONGEST:
            yield number, rest[:LONGEST], seen
            rest, seen = rest[LONGEST - OVERLAP :], OVERLAP
    if rest:
        yield number, rest, seen


def _piece(number: int, text: str, seen: int) -> Piece:
    if not text.isascii() or _MARKED.search(text):
        seen = len(_plain(text[:seen]))
        text = _plain(text)
    text = text.rstrip("\r")
    return Piece(number, text if seen else unprefixed(text), seen)


def _plain(text: str) -> str:
    """Return the text as the program printed it: no colours, no escapes of JSON or HTML, straight quotation marks."""
    text = _ENTITY.sub(lambda found: html.unescape(f"&{found[1]};"), text)
    text = _TERMINAL.sub("", text)
    text = _ESCAPED.sub(lambda found: chr(int(found[1], 16)) if found[1] else "", text)
    return _APOSTROPHE.sub("'", text).translate(_QUOTES)


def _texts(read: Iterable[bytes]) -> Iterator[str]:
    decoder = None
    for chunk in read:
        decoder = decoder or codecs.getincrementaldecoder(_encoding(chunk))("replace")
        yield decoder.decode(chunk)
    if decoder is not None:
        yield decoder.decode(b"", final=True)


def _encoding(first: bytes) -> str:
    """Return the encoding of a log that begins so: its mark tells, or where its zeros are."""
    marked = next((name for mark, name in _MARKS if first.startswith(mark)), None)
    if marked is not None:
        return marked
    even, odd = (first[at:LOOKED_AT:2].count(0) for at in (0, 1))
    half = min(len(first), LOOKED_AT) / 4
    return "utf-16-le" if odd > half and not even else "utf-16-be" if even > half and not odd else "utf-8"
