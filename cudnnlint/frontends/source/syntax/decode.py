"""Bytes to text as Python does it: byte order mark, then the encoding cookie of PEP 263, else UTF-8."""

from __future__ import annotations

import codecs

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.regex import regex

_COOKIE = regex(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = regex(rb"^[ \t\f]*(?:#.*)?$")


def decode(data: bytes) -> str:
    """Return the text of a Python file, without its byte order mark.

    Raise UnreadableInput where the bytes are not a text in the declared encoding.
    """
    if b"\0" in data:
        raise UnreadableInput("It holds null bytes: it is not Python source.", *_position(data, data.index(b"\0")))
    marked = data.startswith(codecs.BOM_UTF8)
    data = data[len(codecs.BOM_UTF8) :] if marked else data
    name = encoding(data)
    if marked and codecs.lookup(name).name not in ("utf-8", "utf-8-sig"):
        raise UnreadableInput(f"It has a UTF-8 byte order mark but declares the encoding {name}.", 1, 1)
    try:
        return data.decode(name)
    except UnicodeDecodeError as error:
        reason = f"Its text is not valid {name}."
        raise UnreadableInput(reason, *_position(data, error.start)) from error
    except (UnicodeError, ValueError) as error:  # codecs like idna or undefined have their own ways to fail
        raise UnreadableInput(f"Its text is not valid {name}.") from error


def encoding(data: bytes) -> str:
    """Return the encoding in which Python reads these bytes (apart from a byte order mark)."""
    return _cookie(data.removeprefix(codecs.BOM_UTF8)) or "UTF-8"


def _cookie(data: bytes) -> str | None:
    """Return the encoding that one of the first two lines declares; None if neither does."""
    for line in data.split(b"\n", 2)[:2]:
        found = _COOKIE.match(line)
        if found is not None:
            name = found.group(1).decode("ascii", "replace")
            try:
                info = codecs.lookup(name)
            except LookupError:
                raise UnreadableInput(f"It declares the encoding {name}, which does not exist.", 1, 1) from None
            if not info._is_text_encoding:  # base64, zip and the like turn bytes into bytes
                raise UnreadableInput(f"It declares the encoding {name}, which is not a text encoding.", 1, 1)
            return name
        if not _BLANK.match(line.rstrip(b"\r")):
            return None
    return None


def _position(data: bytes, offset: int) -> tuple[int, int]:
    return data.count(b"\n", 0, offset) + 1, offset - data.rfind(b"\n", 0, offset)
