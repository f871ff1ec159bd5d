"""Hides one expression of a program from the interpreter: `opened(text, chance)`.

`same(x)` comes from a package that is not followed and returns what it is given, so Python computes what it did before;
what rests on the expression is no longer known, and must not be told otherwise than Python has it.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator

#: Fields of nodes that hold no value that a program computes, or that a library's decorators decide.
_SKIPPED = {
    ast.FunctionDef: ("decorator_list", "returns"),
    ast.AsyncFunctionDef: ("decorator_list", "returns"),
    ast.ClassDef: ("decorator_list",),
    ast.AnnAssign: ("annotation", "target"),
    ast.arg: ("annotation",),
    ast.MatchValue: ("value",),
    ast.MatchMapping: ("keys",),
    ast.MatchClass: ("cls",),
    ast.FormattedValue: ("format_spec",),
}
#: Names that mean something else when they are called by another name, or not read by their caller.
_OF_SCOPE = frozenset({"super", "locals", "globals", "vars", "dir", "eval", "exec"})
_JUMPS = (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)
_LAYERS = frozenset({"LSTM", "GRU", "SimpleRNN"})


def opened(text: str, chance: random.Random) -> str | None:
    """Return a program with one expression, any one, as `same(expression)`; None where it has none."""
    tree = ast.parse(text)
    places = list(_places(tree))
    if not places:
        return None
    holder, name, at, expression = chance.choice(places)
    hidden = ast.Call(ast.Name("same", ast.Load()), [expression], [])
    if at is None:
        setattr(holder, name, hidden)
    else:
        getattr(holder, name)[at] = hidden
    return ast.unparse(ast.fix_missing_locations(tree))


def _places(node: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, ast.expr]]:
    """Yield the expressions below a node: what holds each, in which field, and where in its list."""
    for name, value in ast.iter_fields(node):
        if name in _SKIPPED.get(type(node), ()) or (isinstance(node, ast.keyword) and node.arg == "name"):
            continue
        layer = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _LAYERS
        for at, one in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(one, ast.expr) and not (layer and name == "func") and _may_hide(node, one):
                yield node, name, at, one
            if isinstance(one, ast.AST):
                yield from _places(one)


def _may_hide(holder: ast.AST, one: ast.expr) -> bool:
    if isinstance(one, (ast.Starred, ast.Slice, ast.FormattedValue)) or isinstance(holder, ast.JoinedStr):
        return False
    if not isinstance(getattr(one, "ctx", ast.Load()), ast.Load):
        return False
    inside = list(ast.walk(one))
    if any(isinstance(each, _JUMPS) for each in inside):
        return False
    return not any(isinstance(each, ast.Name) and each.id in _OF_SCOPE for each in inside)
