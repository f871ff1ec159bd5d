"""The door of the source front end: bytes of a Python file in, a Model out."""

from __future__ import annotations

import re
import sys
import threading
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import libcst as cst

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.layer import Model
from cudnnlint.core.names import Names
from cudnnlint.frontends.source import entries, guard, hints, prefilter
from cudnnlint.frontends.source.decode import decode
from cudnnlint.frontends.source.interpret import Interpreter
from cudnnlint.frontends.source.lower import Lowering
from cudnnlint.frontends.source.modules import Modules
from cudnnlint.frontends.source.unit import Unit

#: Enough for the deepest source that `guard` lets through, parsed and walked.
STACK = 512 * 1024 * 1024
RECURSION = 100_000

T = TypeVar("T")


def read(path: str, data: bytes, names: Names) -> Model:
    """The layers of a Python file; UnreadableInput says why there are none to be had."""
    text = decode(data)
    if not prefilter.in_code(text):
        return Model(path, "python", source=text)
    guard.check(text)
    return deep(lambda: _read(path, text, names))


def _read(path: str, text: str, names: Names) -> Model:
    tree = parse(text)
    modules = Modules()
    run = Interpreter(names, modules)
    modules.run = run
    unit = Unit("__main__", path, text, tree, run.journal.table())
    entries.run_units(run, [unit])
    layers = Lowering(run).layers()
    return Model(path, "python", layers, hints.of(run, [unit]), tuple(run.notes), source=text)


def parse(text: str) -> cst.Module:
    """The tree of a Python text; UnreadableInput with the place where it breaks."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes are no business of ours
            return cst.parse_module(text)
    except cst.ParserSyntaxError as error:
        reason = "this is Python 2" if _is_python_2(text) else "the syntax is not valid Python"
        raise UnreadableInput(reason, error.raw_line, error.raw_column + 1) from error


_PYTHON_2 = re.compile(
    r"^\s*(?:print\s+[\"'\w]|except\s+[\w.]+\s*,\s*\w+\s*:|raise\s+\w+\s*,|exec\s+[\"'\w])", re.MULTILINE
)


def _is_python_2(text: str) -> bool:
    """Does a text that is not valid hold what only Python 2 takes?"""
    return _PYTHON_2.search(text) is not None


def deep(work: Callable[[], T]) -> T:
    """Do work that recurses deeply: in a thread with a large stack and a raised limit."""
    before, limit = threading.stack_size(STACK), sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, RECURSION))
    try:
        with ThreadPoolExecutor(max_workers=1) as pool:
            return pool.submit(work).result()
    finally:
        threading.stack_size(before)
        sys.setrecursionlimit(limit)
