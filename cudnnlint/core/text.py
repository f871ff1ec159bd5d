"""Text as it may be shown: lines as Python counts them, and nothing that a terminal would obey."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from cudnnlint.core.regex import regex

#: Code points of a line that are looked at; generated code has lines of megabytes.
LONGEST = 1000
_URL = regex(r"[A-Za-z][A-Za-z0-9+.-]+://")
_LINE_END = regex(r"\r\n|\r|\n")
#: Characters that are no text although Unicode calls them format characters: they turn the direction of writing.
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029\ufeff")
_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def lines(text: str) -> list[str]:
    """Return the lines of a source text, counted as Python does: a form feed or U+2028 ends no line."""
    found = _LINE_END.split(text)
    return found[:-1] if found[-1] == "" else found


def closest(text: str, known: Iterable[str], alike: float = 0.6) -> str | None:
    """Return which of the known words was meant, if one is `alike`, from 0 to 1."""
    from difflib import get_close_matches  # only a mistake needs it

    return next(iter(get_close_matches(text, list(known), 1, alike)), None)


def visible(text: str, keep: str = "") -> str:
    """Return the text with every control character and lone surrogate escaped, except those in `keep`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c in keep or not _obeyed(c) else _written_out(c) for c in text)


def _obeyed(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cs", "Co", "Cn") or character in _TURNING


def _written_out(character: str) -> str:
    code = ord(character)
    if character in _NAMED:
        return _NAMED[character]
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def plural(count: int, one: str, several: str | None = None) -> str:
    """`1 layer`, `2 layers`."""
    return f"{count} {one if count == 1 else several or one + 's'}"


def is_url(path: str) -> bool:
    """Return whether a path is a URL and no name of a file here; a drive of Windows has one letter."""
    return _URL.match(path) is not None


def sentence(text: str) -> str:
    """Return a text as a sentence: with a capital letter and a full stop."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
