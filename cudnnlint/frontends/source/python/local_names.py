"""The local names of a function: those that its text binds, wherever in it that is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import libcst as cst

from cudnnlint.frontends.source.python import signatures
from cudnnlint.frontends.source.syntax.index import children

_INNER = frozenset({cst.FunctionDef, cst.Lambda, cst.ClassDef})
_COMPREHENSIONS = frozenset({cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp})
_NONE: frozenset[str] = frozenset()


@lru_cache(maxsize=1024)
def of(function: cst.FunctionDef | cst.Lambda) -> frozenset[str]:
    """Return the names that are local to a function: its parameters, and what its body binds."""
    parameters = frozenset(one.name.value for one in signatures.every_parameter(function.params))
    if isinstance(function, cst.Lambda):
        return parameters
    outside = set[str]()
    bound = set(_bound(function.body, outside))
    return parameters | bound - outside


def _bound(body: cst.CSTNode, outside: set[str]) -> Iterator[str]:
    """Yield what the nodes of a body bind, and put what they declare `global` or `nonlocal` into `outside`.

    A `:=` in a comprehension binds a name of the function; its `for` does not.
    """
    stack = [(body, False)]
    while stack:
        node, hidden = stack.pop()
        kind = type(node)
        if kind in _INNER:
            if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
                yield node.name.value
            continue
        if isinstance(node, (cst.Global, cst.Nonlocal)):
            outside.update(item.name.value for item in node.names)
        elif not hidden or kind is cst.NamedExpr:
            yield from _names(node)
        stack += [(child, hidden or kind in _COMPREHENSIONS) for child in children(node)]


def _names(node: cst.CSTNode) -> Iterator[str]:
    if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.NamedExpr, cst.For, cst.Del)):
        yield from _targets(node.target)
    elif isinstance(node, cst.AsName):
        yield from _targets(node.name)
    elif isinstance(node, cst.ImportAlias) and node.asname is None:
        first: cst.BaseExpression = node.name
        while isinstance(first, cst.Attribute):
            first = first.value
        yield from _targets(first)
    elif isinstance(node, (cst.MatchAs, cst.MatchStar, cst.MatchMapping)):
        captured = node.rest if isinstance(node, cst.MatchMapping) else node.name
        yield from () if captured is None else (captured.value,)


def _targets(target: cst.CSTNode) -> Iterator[str]:
    if isinstance(target, cst.Name):
        yield target.value
    elif isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from _targets(element.value)
