"""A diagnostic's fingerprint: the same wherever its line moves to, another when the finding is another."""

from __future__ import annotations

from collections.abc import Sequence

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.text import LONGEST


def fingerprint(diagnostic: Diagnostic, path: str, lines: Sequence[str]) -> str:
    """Return 32 hexadecimal digits from the path, the code, what was found, and its text (or layer).

    The target plays no part, so that a baseline survives an upgrade of Keras.
    """
    import hashlib

    place = diagnostic.location
    text = diagnostic.layer_path or ""
    if place is not None:
        text = "\n".join(line[:LONGEST].strip() for line in lines[place.row - 1 : place.end_row])
    parts = (path.replace("\\", "/"), diagnostic.code, diagnostic.requirement or "", diagnostic.found or "", text)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
