"""Unified diffs of what fixes change, as `patch` and `git apply` take them."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator, Mapping

NO_NEWLINE = "\\ No newline at end of file\n"


def unified(changes: Mapping[str, tuple[bytes, bytes]]) -> str:
    """One diff of all files: path -> (old bytes, new bytes)."""
    return "".join(line for path, (old, new) in changes.items() for line in _one(path, old, new))


def _one(path: str, old: bytes, new: bytes) -> Iterator[str]:
    """Lines end where `patch` sees them end, at a line feed alone."""
    name = path.replace(os.sep, "/")
    before, after = _lines(old), _lines(new)
    for line in difflib.unified_diff(before, after, name, name):
        yield line if line.endswith("\n") else f"{line}\n{NO_NEWLINE}"


def _lines(data: bytes) -> list[str]:
    lines = [line + "\n" for line in data.decode("utf-8", "surrogateescape").split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines
