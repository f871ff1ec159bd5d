"""The flake8 plugin: `flake8 --select CDN` reports what `cudnnlint check` would fail for.

flake8 has no severities, so findings below `fail-on` are left out. Everything else (target, rules, baseline) comes
from the nearest configuration of cudnnlint. flake8 hands over the buffer, which may differ from the file.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from cudnnlint import pipeline
from cudnnlint.core.diagnostic import Diagnostic, Severity
from cudnnlint.core.version import __version__
from cudnnlint.files import cache
from cudnnlint.files.source_bytes import encoded
from cudnnlint.settings.settings import Flags

STDIN = "stdin"  # what flake8 calls standard input without --stdin-display-name
DEFAULT = "warning"


class Flake8Plugin:
    """Checks one file; made by flake8, once for each."""

    name = "cudnnlint"
    version = __version__

    def __init__(self, tree: ast.AST, filename: str, lines: Sequence[str]) -> None:
        """Take what flake8 hands over: the tree is not used, but makes flake8 call this once a file."""
        self.filename = filename
        self.lines = lines

    def run(self) -> Iterator[tuple[int, int, str, type[Flake8Plugin]]]:
        """Yield row (from 1), column (from 0), `CODE message`, and this class, for each finding.

        Raises CudnnlintError for a wrong configuration, which flake8 reports as a fault of the plugin.
        """
        request = self._request()
        least = Severity(pipeline.run_config(request).fail_on or DEFAULT)
        for diagnostic in pipeline.check(request).report.diagnostics:
            if diagnostic.severity.weight >= least.weight:
                row, column = _at(diagnostic)
                yield row, column, f"{diagnostic.code} {diagnostic.message}", Flake8Plugin

    def _request(self) -> pipeline.Request:
        folder = cache.default_folder()
        name = None if self.filename == STDIN else self.filename
        flags = Flags(jobs=1, force_exclude=True, cache=str(folder) if folder else None)
        return pipeline.Request(("-",), flags, encoded("".join(self.lines)), name, edits=False)


def _at(diagnostic: Diagnostic) -> tuple[int, int]:
    place = diagnostic.location
    return (1, 0) if place is None else (place.row, place.column - 1)
