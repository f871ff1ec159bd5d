"""The local names of a function: those that its text binds, wherever in it that is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import libcst as cst

from cudnnlint.frontends.source.python import signatures
from cudnnlint.frontends.source.syntax.index import children

_DECLARED = frozenset({cst.Global, cst.Nonlocal})
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

    A `:=` in a comprehension binds a name of the function; its `for` does not. Types are compared, and not asked with
    isinstance(), which takes ten times as long for libcst's abstract classes.
    """
    stack = [(body, False)]
    while stack:
        node, hidden = stack.pop()
        kind = type(node)
        if kind in _DECLARED:
            outside.update(item.name.value for item in node.names)  # type: ignore[attr-defined]
        elif kind in _BINDING and (not hidden or kind is cst.NamedExpr):
            yield from _BINDING[kind](node)
        if kind not in _INNER:
            hidden = hidden or kind in _COMPREHENSIONS
            stack += [(child, hidden) for child in children(node)]


def _imported(node: cst.ImportAlias) -> Iterator[str]:
    if node.asname is None:
        first: cst.BaseExpression = node.name
        while isinstance(first, cst.Attribute):
            first = first.value
        yield from _targets(first)


def _captured(name: cst.Name | None) -> Iterator[str]:
    if name is not None:
        yield name.value


def _targets(target: cst.CSTNode) -> Iterator[str]:
    if isinstance(target, cst.Name):
        yield target.value
    elif isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from _targets(element.value)


#: What yields the names that a node binds, by the node's type.
_BINDING: dict[type[cst.CSTNode], Callable[[Any], Iterator[str]]] = {
    **dict.fromkeys((cst.FunctionDef, cst.ClassDef, cst.AsName), lambda node: _targets(node.name)),
    **dict.fromkeys(
        (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.NamedExpr, cst.For, cst.Del),
        lambda node: _targets(node.target),
    ),
    cst.ImportAlias: _imported,
    **dict.fromkeys((cst.MatchAs, cst.MatchStar), lambda node: _captured(node.name)),
    cst.MatchMapping: lambda node: _captured(node.rest),
}
