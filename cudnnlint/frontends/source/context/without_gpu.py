"""The way that a program takes where it finds no GPU: the other one is followed, for the verdicts are about a GPU.

A condition may hang on more than whether there is one: `len(gpus) > 1` does not hold on a machine with a single GPU.
Only such are taken that are false, or true, where there is none and nowhere else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.context.devices import A_GPU
from cudnnlint.frontends.source.python.values import words
from cudnnlint.frontends.source.syntax import index
from cudnnlint.frontends.source.syntax.unit import Origin, Unit

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: How many names are looked up, one in the other.
_DEEPEST = 4
_SIZES = ("len", "bool")
_QUERIES = words(
    "list_physical_devices list_logical_devices is_gpu_available gpu_device_name is_built_with_cuda is_available"
)
#: The comparisons of a number of GPUs with a number that ask whether there is any.
_ANY = (
    (cst.GreaterThan, "0"), (cst.Equal, "0"), (cst.NotEqual, "0"), (cst.LessThanEqual, "0"),
    (cst.GreaterThanEqual, "1"), (cst.LessThan, "1"),
)  # fmt: skip


def found(run: Interpreter) -> Origin | None:
    """Return what asked for a GPU, where the present way is taken only if there is none; else None."""
    asked = run.denied.get(A_GPU)
    if asked is None or not isinstance(asked.node, cst.BaseExpression):
        return None
    return asked if _asks_for_any(asked.node, asked.unit, _DEEPEST) else None


def _asks_for_any(node: cst.BaseExpression, unit: Unit, deep: int) -> bool:
    """Return whether an expression says nothing else than whether there is a GPU, or how many there are."""
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, cst.Not) and _asks_for_any(node.expression, unit, deep)
    if isinstance(node, cst.BooleanOperation):
        return _asks_for_any(node.left, unit, deep) and _asks_for_any(node.right, unit, deep)
    if isinstance(node, cst.Comparison):
        return _compares(node) and _asks_for_any(node.left, unit, deep)
    if isinstance(node, cst.Name):
        given = _assigned(unit, node.value)
        return bool(given) and deep > 0 and all(_asks_for_any(value, unit, deep - 1) for value in given)
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value in _SIZES:
        return len(node.args) == 1 and _asks_for_any(node.args[0].value, unit, deep)
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value in _QUERIES


def _compares(node: cst.Comparison) -> bool:
    if len(node.comparisons) != 1:
        return False
    operator, number = node.comparisons[0].operator, node.comparisons[0].comparator
    return isinstance(number, cst.Integer) and any(
        isinstance(operator, kind) and number.value == value for kind, value in _ANY
    )


def _assigned(unit: Unit, name: str) -> list[cst.BaseExpression]:
    """Return all that a name of a module is given, in any of its functions."""
    return [
        node.value
        for node in index.walk(unit.tree)
        if isinstance(node, cst.Assign)
        for target in node.targets
        if isinstance(target.target, cst.Name) and target.target.value == name
    ]
