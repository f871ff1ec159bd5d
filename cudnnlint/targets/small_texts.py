"""The texts of a project's files, as far as they are small enough to be read."""

from __future__ import annotations

from pathlib import Path

UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # the marks that such a text begins with
LIMIT = 32 << 20  # bytes; the lock files of large monorepos stay below 5 MB


def small_text(path: Path) -> str:
    """Return the text of a file, "" where it is none or too large; PowerShell writes UTF-16, with a mark."""
    if not path.is_file() or path.stat().st_size > LIMIT:
        return ""
    written = path.read_bytes()
    return written.decode("utf-16" if written.startswith(UTF_16) else "utf-8-sig", errors="replace")
