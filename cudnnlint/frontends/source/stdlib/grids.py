"""The values that a grid search tries: `param_grid = {"units": [4, 8]}`, `dict(units=units)`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import libcst as cst

from cudnnlint.frontends.source.python.values import Const, Value
from cudnnlint.frontends.source.syntax import index
from cudnnlint.frontends.source.syntax.unit import Unit

PLAIN = (bool, int, float, str, type(None))


def listed(unit: Unit, name: str, mentions: int) -> list[Value] | None:
    """Return all the values that the grids of a module have for a parameter; None where one is not written out.

    A grid names it with what it belongs to, too: `model__units`. The text names it `mentions` times: where that is
    more, it may be set in another way.
    """
    found: list[Value] = []
    nodes = [*_under(unit, name)]
    if len(nodes) != mentions:
        return None
    for node in nodes:
        values = _values(unit, node)
        if values is None:
            return None
        found += values
    return found or None


def _under(unit: Unit, name: str) -> Iterator[cst.BaseExpression]:
    """Yield what dicts have under a name."""
    for node in index.walk(unit.tree):
        if isinstance(node, cst.DictElement) and isinstance(node.key, cst.SimpleString):
            if str(node.key.evaluated_value).rpartition("__")[2] == name:
                yield node.value
        elif isinstance(node, cst.Call) and _last(node.func) in ("dict", "set_params"):
            for given in node.args:
                if given.keyword is not None and given.keyword.value.rpartition("__")[2] == name:
                    yield given.value


def _last(node: cst.BaseExpression) -> str:
    return node.attr.value if isinstance(node, cst.Attribute) else node.value if isinstance(node, cst.Name) else ""


def _values(unit: Unit, node: cst.BaseExpression) -> list[Value] | None:
    """Return the values in a list that is written out, there or in the one assignment of its name."""
    if isinstance(node, cst.Name):
        given = [*_assigned(unit, node.value)]
        if re.search(rf"\b{node.value}\s*(?:\.|\[|[-+*|&]=)", unit.text):  # the list may be changed
            return None
        return _values(unit, given[0]) if len(given) == 1 and not isinstance(given[0], cst.Name) else None
    try:
        value = ast.literal_eval(unit.tree.code_for_node(node))
    except (SyntaxError, ValueError):
        return None
    values = list(value) if isinstance(value, (list, tuple, set)) else [value]
    return [Const(one) for one in values] if all(isinstance(one, PLAIN) for one in values) else None


def _assigned(unit: Unit, name: str) -> Iterator[cst.BaseExpression]:
    """Yield what is assigned to a name, anywhere in the module."""
    for node in index.walk(unit.tree):
        if isinstance(node, cst.Assign):
            for target in node.targets:
                if isinstance(target.target, cst.Name) and target.target.value == name:
                    yield node.value
