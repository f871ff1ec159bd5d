"""A Python text as the bytes of a file."""

from __future__ import annotations

import io
import tokenize


def encoded(text: str) -> bytes:
    """Return the bytes of a Python text, in the encoding that its first lines declare (PEP 263).

    A declaration that is wrong is left to whoever reads the bytes: they are UTF-8 then.
    """
    data = text.encode("utf-8", "replace")
    try:
        declared, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return text.encode(declared)
    except (SyntaxError, LookupError, UnicodeError):
        return data
