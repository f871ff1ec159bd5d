"""Which rows of the tables hold for what a test asks: what coverage is for lines of Python."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mutants import ends_a_row

#: What executes a line before any test.
IMPORT, COLLECTION = -1, -2


class Rows:
    """Watches the rows; `context` is the number of the test that runs, and `read` what each row was read by."""

    def __init__(self, folder: Path) -> None:
        from cudnnlint.core.tables import RowScope
        from cudnnlint.rulebook import table_loader

        self.folder, self.context = folder, COLLECTION
        self.read: dict[tuple[str, int], set[int]] = defaultdict(set)
        self.lines: dict[tuple[str, int], range] = {}
        self._entries: dict[int, tuple[str, int]] = {}
        self._scopes: dict[int, tuple[str, int]] = {}
        self._kept: list[Any] = []
        table_loader.read = self._reading(table_loader.read)
        table_loader.scopes_of = self._scoping(table_loader.scopes_of)
        RowScope.holds = self._holding(RowScope.holds)

    def by_line(self) -> dict[str, dict[int, list[int]]]:
        """For each table and line the tests for which its row holds."""
        found: dict[str, dict[int, list[int]]] = defaultdict(dict)
        for path, begin in {*self._scopes.values()}:
            lines = self.lines[path, begin]
            found[f"rules/tables/{path}"].update(dict.fromkeys(lines, sorted(self.read[path, begin])))
        return dict(found)

    def _reading(self, read: Any) -> Any:
        def reading(path: Path) -> dict[str, Any]:
            data = read(path)
            if path.parent == self.folder:
                places: Counter[str] = Counter()
                for header, begin, end in rows_of(path.read_text(encoding="utf-8").splitlines()):
                    entry = data[header][places[header]]
                    places[header] += 1
                    self._entries[id(entry)] = (path.name, begin)
                    self.lines[path.name, begin] = range(begin, end)
                    self._kept.append(entry)
            return data

        return reading

    def _scoping(self, scopes_of: Any) -> Any:
        def scoping(entry: dict[str, Any]) -> list[Any]:
            scopes = scopes_of(entry)
            if id(entry) in self._entries:
                self._scopes.update((id(scope), self._entries[id(entry)]) for scope in scopes)
            self._kept += [entry, scopes]  # so that no other object takes their ids
            return scopes

        return scoping

    def _holding(self, holds: Any) -> Any:
        def holding(scope: Any, point: Any) -> bool:
            found = holds(scope, point)
            if found and id(scope) in self._scopes:
                self.read[self._scopes[id(scope)]].add(self.context)
            return bool(found)

        return holding


def rows_of(lines: list[str]) -> Iterator[tuple[str, int, int]]:
    """Every row of a table: what it is called, its first line (from 1) and the one behind its last."""
    for number, line in enumerate(lines):
        if line.startswith("[["):
            end = next((n for n, other in enumerate(lines) if n > number and ends_a_row(other)), len(lines))
            yield line.strip().strip("[]"), number + 1, end + 1
