"""Whether the body of a `try` can have failed: conversions of constants, as in `try: rate = float("0.25")`, did not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python.scopes import Frame, Scope
from cudnnlint.frontends.source.python.values import Const, Value, may_be_missing, words

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Built-in functions that were computed for real, where they gave a constant.
_COMPUTED = words("int float str bool len abs round min max sum divmod chr ord")
_LITERALS = (cst.SimpleString, cst.Integer, cst.Float)


def cannot_fail(run: Interpreter, body: cst.BaseSuite, frame: Frame) -> bool:
    """Return whether a body that was just run gave names constants, and did nothing else."""
    small = [part for line in body.body if isinstance(line, cst.SimpleStatementLine) for part in line.body]
    if any(not isinstance(line, cst.SimpleStatementLine) for line in body.body) or run.blur:
        return False
    return all(_is_sure(part, frame) for part in small)


def _is_sure(part: cst.CSTNode, frame: Frame) -> bool:
    if isinstance(part, cst.Pass):
        return True
    if not isinstance(part, cst.Assign) or not _computes(part.value, frame):
        return False
    return all(
        isinstance(target.target, cst.Name) and isinstance(_cell(frame.scope, target.target.value), Const)
        for target in part.targets
    )


def _computes(node: cst.BaseExpression, frame: Frame) -> bool:
    """Return whether an expression consists of constants, arithmetic and conversions only."""
    if isinstance(node, _LITERALS):
        return True
    if isinstance(node, cst.Name):
        return isinstance(_cell(frame.scope, node.value), Const)
    if isinstance(node, cst.UnaryOperation):
        return _computes(node.expression, frame)
    if isinstance(node, cst.BinaryOperation):
        return _computes(node.left, frame) and _computes(node.right, frame)
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Name) or node.func.value not in _COMPUTED:
        return False
    own = _cell(frame.scope, node.func.value) is not None or frame.unit.stars
    return not own and all(not arg.star and _computes(arg.value, frame) for arg in node.args)


def _cell(scope: Scope | None, name: str) -> Value | None:
    """Return what a name certainly holds; None where it may not be bound at all."""
    while scope is not None:
        value = scope.outer.get(name, scope).table.get(name)
        if value is not None:
            return None if may_be_missing(value) else value
        scope = scope.parent
    return None
