"""Runs fixes over one file as a user would, and tells what came of it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from newest_releases import NEWEST

from cudnnlint import pipeline
from cudnnlint.core.edit import Applicability
from cudnnlint.core.report import Report
from cudnnlint.settings.settings import Flags

SAFE = frozenset({Applicability.SAFE})
ALL = frozenset({Applicability.SAFE, Applicability.UNSAFE})
TARGET = f"keras@{NEWEST}:tensorflow"


def request(path: Path, target: str = TARGET, *select: str) -> pipeline.Request:
    """The request to check one file."""
    return pipeline.Request((str(path),), Flags(target=(target,), select=select))


def fixed(
    path: Path, target: str = TARGET, *select: str, kinds: frozenset[Applicability] = ALL
) -> tuple[bytes, pipeline.Fixed]:
    """The bytes of the file after its fixes, and the outcome; the file on disk stays."""
    outcome = pipeline.fix(request(path, target, *select), pipeline.Wanted(kinds))
    return outcome.sources.get(str(path), (b"", path.read_bytes()))[1], outcome


def fixed_text(folder: Path, text: str, target: str = TARGET, kinds: frozenset[Applicability] = ALL) -> str:
    """A program after its fixes."""
    path = folder / "program.py"
    path.write_bytes(text.encode())
    return fixed(path, target, kinds=kinds)[0].decode()


def codes(report: Report) -> Counter[tuple[str, str | None]]:
    """How often each finding is there, under each target."""
    return Counter((diagnostic.code, diagnostic.target) for diagnostic in report.diagnostics)
