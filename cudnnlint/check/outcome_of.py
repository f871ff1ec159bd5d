"""From checked files to one report, with ids that are unique in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudnnlint.check.check_file import CheckedFile
from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.core.report import Report
from cudnnlint.core.version import __version__
from cudnnlint.rulebook import loader
from cudnnlint.settings import baseline


@dataclass(frozen=True)
class Outcome:
    """The report, how many of its diagnostics make the run fail, and whether cudnnlint itself is at fault."""

    report: Report
    failing: int
    crashed: bool
    judged: tuple[baseline.Judged, ...]


def outcome(results: Sequence[CheckedFile], seen: int, first: int = 0) -> Outcome:
    """Return the outcome of files, of which the first layer gets the id `first`."""
    judged = [_numbered(result, first) for result, first in _with_first_id(results, first)]
    diagnostics = tuple(diagnostic for _, found in judged for diagnostic in found)
    codes = {diagnostic.code for diagnostic in diagnostics}
    failing = sum(result.failing for result in results)
    report = Report(tuple(file for file, _ in judged), diagnostics, seen, __version__, loader.pages(codes), failing)
    return Outcome(report, failing, "CDN003" in codes, tuple(judged))


def _with_first_id(results: Sequence[CheckedFile], first: int) -> Iterator[tuple[CheckedFile, int]]:
    for result in results:
        if result.file is not None:
            yield result, first
            first += len(result.file.layers)


def _numbered(result: CheckedFile, first: int) -> baseline.Judged:
    """Return the result with the ids of its layers shifted, so that they are unique in the report."""
    assert result.file is not None
    layers = tuple(replace(layer, id=layer.id + first) for layer in result.file.layers)
    moved = tuple(replace(d, layers=tuple(layer + first for layer in d.layers)) for d in result.diagnostics)
    return replace(result.file, layers=layers), moved
