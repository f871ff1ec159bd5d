"""A script or notebook as one piece of code, and which of its lines ran. Imports no framework."""

from __future__ import annotations

import contextlib
import dis
import json
import linecache
import os
import re
import sys
from typing import Any, Iterator

CELL_MAGICS = ("time", "timeit", "capture", "prun")  # what is below them is Python still
MAGIC = re.compile(r"^(\s*)(?:[%!?].*|[\w.]+\?{1,2}\s*)$")
FEEDS = re.compile(r"\.(?:fit|predict|evaluate|train_on_batch|test_on_batch|predict_on_batch)\(")
ASSIGNED = re.compile(r"^(\s*[\w, ]+=\s*)[%!].*$")


class Program:
    """The code of a file; a notebook's code cells stand one behind the other."""

    def __init__(self, path: str) -> None:
        self.path = os.path.abspath(path)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.cells = cells_of(text) if path.endswith(".ipynb") else None
        text = "".join(self.cells) if self.cells is not None else text
        self.code = compile(text, self.path, "exec")
        self.feeds = FEEDS.search(text) is not None  # data of its own goes through its models
        self.ran: set[int] = set()
        if self.cells is not None:  # whoever asks for the source of a function must not get JSON
            linecache.cache[self.path] = (len(text), None, text.splitlines(True), self.path)

    def place(self, line: int) -> Any:
        """A line of the code: itself, or for a notebook (cell, row)."""
        if self.cells is None:
            return line
        for number, cell in enumerate(self.cells, 1):
            height = cell.count("\n")
            if line <= height:
                return [number, line]
            line -= height
        raise ValueError(f"no such line: {line}")

    @contextlib.contextmanager
    def traced(self) -> Iterator[None]:
        """Within, the lines that run are noted."""
        before = sys.gettrace()
        sys.settrace(self.tracer)
        try:
            yield
        finally:
            sys.settrace(before)

    def tracer(self, frame: Any, event: str, _: Any) -> Any:
        """Follow the program's own frames only."""
        if frame.f_code.co_filename != self.path:
            return None
        if event == "line":
            self.ran.add(frame.f_lineno)
        return self.tracer

    def dark(self) -> list[Any]:
        """The lines that hold code and never ran."""
        return [self.place(line) for line in sorted(set(lines_of(self.code)) - self.ran)]


def lines_of(code: Any) -> Iterator[int]:
    """The lines of a code object and of those inside it; where a function begins nothing runs when it is called."""
    for constant in code.co_consts:
        if hasattr(constant, "co_code"):
            yield from lines_of(constant)
    yield from (line for _, line in dis.findlinestarts(code) if line and line != code.co_firstlineno)


def cells_of(text: str) -> list[str]:
    """The code cells of a notebook, as Python, each with a line end behind it."""
    cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    sources = [cell["source"] if isinstance(cell["source"], str) else "".join(cell["source"]) for cell in cells]
    return ["\n".join(plain(source)) + "\n" for source in sources]


def plain(source: str) -> Iterator[str]:
    """The lines of a cell with magics and shell lines made harmless."""
    lines = source.splitlines() or [""]
    first = next((line for line in lines if line.strip()), "")
    if first.startswith("%%") and first[2:].split(None, 1)[0] not in CELL_MAGICS:
        lines = ["pass"] * len(lines)
    for line in lines:
        yield ASSIGNED.sub(r"\1None", MAGIC.sub(r"\1pass", line))
