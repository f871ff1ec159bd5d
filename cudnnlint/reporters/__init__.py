"""How a report is written: one module for each format, with one function `write(report, stream, look)`.

A reporter reads the report and writes to the stream that it is given: no files, no engine, no front end.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from cudnnlint.core.quick_dataclass import dataclass

if TYPE_CHECKING:
    from cudnnlint.core.report import Report


@dataclass(frozen=True)
class Look:
    """What is known of the reader: the terminal's width and colour, how much to report, and which fixes count.

    `named` are the paths that were asked for, None where that plays no part.
    """

    width: int = 100
    colour: bool = False
    verbose: bool = False
    quiet: bool = False
    unsafe: bool = False
    named: frozenset[str] | None = None


def writer(name: str) -> Callable[[Report, TextIO, Look], None]:
    """Return the writer of a format; its module is imported here and not before."""
    module = importlib.import_module(f"cudnnlint.reporters.{name.replace('-', '_')}")
    write: Callable[[Report, TextIO, Look], None] = module.write
    return write
