"""The baseline: findings that were there before and are hidden, by fingerprint, wherever their lines move."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from cudnnlint.core.diagnostic import Diagnostic
from cudnnlint.core.errors import UsageError
from cudnnlint.core.file_limits import DEFAULT
from cudnnlint.core.fingerprint import fingerprint
from cudnnlint.core.report import FileReport
from cudnnlint.core.text import is_url

VERSION = 1
NEVER = "CDN003"  # a fault of cudnnlint is never an old friend
Judged = tuple[FileReport, tuple[Diagnostic, ...]]


@lru_cache(maxsize=64)
def read(path: Path, most: int = DEFAULT.baseline_bytes) -> Counter[str]:
    """Return how often each fingerprint was there, in a baseline of at most so many bytes.

    Raises UsageError for a file that is missing or no baseline.
    """
    try:
        if path.stat().st_size > most:
            raise UsageError(f"Cannot read the baseline {path}: it has more than {most} bytes.")
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["version"] != VERSION:
            raise UsageError(f"Cannot read the baseline {path}: unsupported version {data['version']}.")
        return Counter({str(entry["fingerprint"]): int(entry["count"]) for entry in data["findings"]})
    except RecursionError:
        raise UsageError(f"Cannot read the baseline {path}: it is nested too deeply.") from None
    except OSError as error:
        raise UsageError(f"Cannot read the baseline {path}: {error.strerror or error}.") from error
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise UsageError(f"Cannot read the baseline {path}: --write-baseline did not write it.") from error


def written(path: Path, files: Sequence[Judged]) -> str:
    """Return the text of the baseline for `path`, in an order that diffs well."""
    found: dict[tuple[str, str, str], Counter[str | None]] = {}
    for file, diagnostics in files:
        for diagnostic in diagnostics:
            if diagnostic.code != NEVER:
                inside = _inside(file.path, path)
                key = (inside, diagnostic.code, _print(diagnostic, file, path))
                found.setdefault(key, Counter())[diagnostic.target] += 1
    entries = [
        {"path": inside, "code": code, "fingerprint": digits, "count": max(counts.values())}
        for (inside, code, digits), counts in sorted(found.items(), key=lambda item: item[0])
    ]
    return json.dumps({"version": VERSION, "findings": entries}, indent=1) + "\n"


def left(
    file: FileReport, diagnostics: tuple[Diagnostic, ...], known: Counter[str], path: Path
) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of a file that are not in the baseline at `path`; each target is compared by itself."""
    seen: Counter[tuple[str, str | None]] = Counter()
    kept = []
    for diagnostic in diagnostics:
        digits = _print(diagnostic, file, path)
        seen[digits, diagnostic.target] += 1
        if diagnostic.code == NEVER or seen[digits, diagnostic.target] > known[digits]:
            kept.append(diagnostic)
    return tuple(kept)


def _print(diagnostic: Diagnostic, file: FileReport, path: Path) -> str:
    lines = file.lines(diagnostic.location.cell) if diagnostic.location else []
    return fingerprint(diagnostic, _inside(file.path, path), lines)


def _inside(file: str, path: Path) -> str:
    """Return the file's path relative to the baseline's folder, so that the working directory has no effect."""
    if is_url(file):
        return file
    real = os.path.realpath(file)
    try:
        return os.path.relpath(real, os.path.realpath(path.parent)).replace(os.sep, "/")
    except ValueError:  # Windows: it is on another drive
        return real.replace(os.sep, "/")
