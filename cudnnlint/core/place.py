"""Where a fact was found: a span of source text, or a key of a layer in a saved model."""

from __future__ import annotations

from typing import Union

from cudnnlint.core.quick_dataclass import dataclass


@dataclass(frozen=True, order=True)
class SourcePlace:
    """A span of source: rows and columns count from 1, columns in code points, the end exclusive.

    `cell` counts the code cells of a notebook from 1 (rows then count inside the cell), else None.
    """

    path: str
    row: int
    column: int
    end_row: int
    end_column: int
    cell: int | None = None

    def __str__(self) -> str:
        cell = "" if self.cell is None else f"cell {self.cell}:"
        return f"{self.path}:{cell}{self.row}:{self.column}"


@dataclass(frozen=True)
class SavedPlace:
    """A layer of a saved model (names from the root joined by `/`) and, where known, a config key."""

    path: str
    layer_path: str
    key: str = ""

    def __str__(self) -> str:
        return f"{self.layer_path}.{self.key}" if self.key else self.layer_path


Place = Union[SourcePlace, SavedPlace]
