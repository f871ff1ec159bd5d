"""Loops that only count and collect: these are followed round by round much further than others.

A body of a few statements that calls nothing but built-in functions costs little. Its steps are lent, so that a
function with such a loop is not taken for one that runs long; what is lent to one file is limited.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python.values import words
from cudnnlint.frontends.source.syntax.index import walk

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Nodes in the body of such a loop, and what its nodes and rounds multiply to, at most.
_MOST_NODES = 60
_MOST_STEPS = 12_000
_FUNCTIONS = words(
    "abs all any bool chr dict divmod enumerate float hash int isinstance len list max min ord pow print range repr "
    "reversed round set sorted str sum tuple zip"
)
_METHODS = words(
    "add append appendleft count discard endswith extend find format get index insert items join keys lower lstrip pop "
    "popleft remove replace rstrip setdefault split startswith strip title update upper values zfill"
)
_HEAVY = (
    cst.FunctionDef, cst.ClassDef, cst.With, cst.Try, cst.TryStar, cst.Lambda, cst.Await, cst.Yield, cst.Import,
    cst.ImportFrom, cst.For, cst.While, cst.CompFor, cst.Match, cst.Raise, cst.Global, cst.Nonlocal,
)  # fmt: skip


def followed(run: Interpreter, node: cst.CSTNode, rounds: int) -> bool:
    """Return whether a loop of so many rounds is followed round by round; its steps are lent then."""
    steps = _size(node) * rounds
    return 0 < steps <= _MOST_STEPS and run.budget.lend(steps)


def _size(node: cst.CSTNode) -> int:
    """Return how many nodes a loop or comprehension has; 0 where it is more than a light one."""
    found = 0
    for inner in walk(node):
        outer = inner is node or (isinstance(inner, cst.CompFor) and inner is getattr(node, "for_in", None))
        if not outer and isinstance(inner, _HEAVY):
            return 0
        if isinstance(inner, cst.Call) and not _is_light(inner.func):
            return 0
        found += 1
        if found > _MOST_NODES:
            return 0
    return found


def _is_light(callee: cst.BaseExpression) -> bool:
    if isinstance(callee, cst.Attribute):
        return callee.attr.value in _METHODS
    return isinstance(callee, cst.Name) and callee.value in _FUNCTIONS
