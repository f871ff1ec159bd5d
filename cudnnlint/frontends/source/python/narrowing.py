"""What a branch says about the parameters in its condition."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python.scopes import Frame
from cudnnlint.frontends.source.python.values import Const, Instance, UnknownValue, Value
from cudnnlint.frontends.source.syntax.index import walk

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def passed(run: Interpreter, test: cst.BaseExpression, frame: Frame) -> None:
    """Let the parameters in a condition hold what a caller passes, where the default None leads the other way."""
    for node in walk(test):
        if isinstance(node, cst.Name):
            value = frame.scope.table.get(node.value)
            if value is not None and _is_default(value):
                frame.scope.bind(run.journal, node.value, _given(value))
        elif isinstance(node, cst.Attribute) and isinstance(node.value, cst.Name):
            owner = frame.scope.find(node.value.value)
            value = owner.table.get(node.attr.value) if isinstance(owner, Instance) else None
            if isinstance(owner, Instance) and value is not None and _is_default(value):
                run.journal.write(owner.table, node.attr.value, _given(value))


def _is_default(value: Value) -> bool:
    return isinstance(value, Const) and value.value is None and value.assumed is not None


def _given(value: Value) -> Value:
    return UnknownValue(value.assumed or "", None, at=value.at)
