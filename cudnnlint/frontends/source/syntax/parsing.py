"""Text to tree."""

from __future__ import annotations

import ast
import re
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import libcst as cst

from cudnnlint.core.errors import UnreadableInput
from cudnnlint.core.regex import regex
from cudnnlint.frontends.source.syntax.python_2 import is_python_2

#: Characters of the texts whose trees are kept: helpers are imported by many files, and a file may be read several
#: times (for several targets, to write a fix, to prove it). A tree takes some 100 bytes for each.
KEPT = 3 << 20

_Node: Any = cst.CSTNode
_making = threading.Lock()  # one thread at a time changes how nodes are made

_trees: dict[str, cst.Module] = {}  # the one that was used last is the last
_kept = [0]  # characters of their texts

PYTHON_2 = "It is Python 2, which cannot be read."
CONVERTED = "It is Python 2, which cannot be read. The tool 2to3 converts it to Python 3: 2to3 -w FILE."
_PYTHON_2 = re.compile(
    r"^\s*(?:print\s+[\"'\w]|except\s+[\w.]+\s*,\s*\w+\s*:|raise\s+\w+\s*,|exec\s+[\"'\w])", re.MULTILINE
)
#: What only Python 2 has inside a line: `a <> b`, backticks, ur"text", 10L, 0777.
_OLD = regex(r"<>|`[^`]+`|\b[uU][rR][\"']|\b\d+[lL]\b|(?<![\w.])0[0-7]+\b")


def parse(text: str) -> cst.Module:
    """Return the tree of a Python text, which nobody changes; raise UnreadableInput where it is not valid."""
    tree = _trees.pop(text, None)
    if tree is None:
        tree = _parsed(text)
        _kept[0] += len(text)
    _trees[text] = tree
    while _kept[0] > KEPT and len(_trees) > 1:
        oldest = next(iter(_trees))
        _kept[0] -= len(oldest)
        del _trees[oldest]
    return tree


def _parsed(text: str) -> cst.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes are not reported
            with _unproved():
                return cst.parse_module(text)
    except cst.ParserSyntaxError as error:
        raise _unreadable(text, error) from error
    except UnicodeEncodeError as error:  # the JSON of a notebook may hold what no file can
        row = text.count("\n", 0, error.start) + 1
        raise UnreadableInput("Its syntax is not valid Python: half a character.", row, 1) from error


@contextmanager
def _unproved() -> Iterator[None]:
    """Let libcst make nodes without proving that each is valid, which takes a third of its time.

    That proof is for nodes that a program puts together; those that the parser makes are what it read.
    """
    with _making:
        prove, _Node.__post_init__ = _Node.__post_init__, _accept
        try:
            yield
        finally:
            _Node.__post_init__ = prove


def _accept(node: cst.CSTNode) -> None:
    """Take a node as it is."""


def _unreadable(text: str, error: cst.ParserSyntaxError) -> UnreadableInput:
    """Return the error that says what is wrong, and where.

    It uses Python's own words, which are better than libcst's, if Python refuses the text too.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError as complaint:
        row = complaint.lineno or 1
        line = "".join(text.split("\n")[row - 1 : row])
        reason = f"Its syntax is not valid Python: {complaint.msg}."
        if is_python_2(text):
            reason = CONVERTED
        elif _OLD.search(line) or _PYTHON_2.search(line):
            reason = PYTHON_2
        return UnreadableInput(reason, row, max(1, complaint.offset or 1))
    except (ValueError, RecursionError, MemoryError):
        pass
    return UnreadableInput("Its syntax is not valid Python.", error.raw_line, error.raw_column + 1)
