"""The candidates of fixes, from the cache where the same was found in the same texts before.

To write them out needs the parser, whose import alone takes longer than everything else about a file that is known.
Each is proved again, every time.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from cudnnlint.check.check_file import CheckedFile
from cudnnlint.core import stored
from cudnnlint.files import cache
from cudnnlint.fix.candidates import Candidate
from cudnnlint.rulebook import loader


def candidates(results: Sequence[CheckedFile], others: Sequence[str], folder: str | None) -> list[Candidate]:
    """Return the fixes of files that share layers; `others` are the texts of the files that import them."""
    key = None if folder is None else _key(results, others)
    known = None if folder is None or key is None else _recalled(cache.opened(folder).get(key))
    if known is not None:
        return known
    from cudnnlint.fix import ways

    found = list(ways.candidates(results, others))
    if folder is not None and key is not None:
        _remember(folder, key, found)
    return found


def _key(results: Sequence[CheckedFile], others: Sequence[str]) -> str | None:
    """Return the key of everything that the candidates rest on; None where a value only lives in memory."""
    try:
        found = json.dumps([_found(one) for one in results], separators=(",", ":"))
    except (stored.NotStorable, ValueError):
        return None
    return cache.digest("ways", cache.program(loader.folder()), found, *others)


def _found(result: CheckedFile) -> list[Any]:
    file = result.file
    if file is None:
        return []
    layers = [(layer.id, stored.packed(layer.layer)) for layer in file.layers]
    return [file.path, file.kind, file.error, file.source, file.cells, layers, stored.packed(result.diagnostics)]


def _recalled(text: bytes | None) -> list[Candidate] | None:
    try:
        return None if text is None else [Candidate(*map(stored.unpacked, parts)) for parts in json.loads(text)]
    except (LookupError, TypeError, ValueError):  # damaged, although the database is not
        return None


def _remember(folder: str, key: str, found: Sequence[Candidate]) -> None:
    made = [(one.path, one.findings, one.fix, one.layers, one.keys, one.ways, one.reason) for one in found]
    try:
        parts = [[stored.packed(part) for part in one] for one in made]
        cache.opened(folder).put(key, json.dumps(parts, separators=(",", ":")).encode())
    except (stored.NotStorable, ValueError):
        return
