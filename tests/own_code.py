"""The program's own code, read and parsed once for all tests that are about it."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from cudnnlint.dev import survey
from cudnnlint.dev.laws import written

#: Every module, its room and its imports.
HOUSE = survey.here()
LAWS = dict(written())


@cache
def text_of(path: Path) -> str:
    """The text of a file."""
    return path.read_text(encoding="utf-8")


@cache
def tree_of(path: Path) -> ast.Module:
    """The syntax tree of a file; nobody changes it."""
    return ast.parse(text_of(path))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Every node of the syntax tree of a file."""
    return tuple(ast.walk(tree_of(path)))
