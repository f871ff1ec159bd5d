"""Augmented assignments: `target += value` changes a list, set or dict in place, else it binds the target anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python import assignments, builtins, containers, operators, views
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.scopes import Frame
from cudnnlint.frontends.source.python.values import ITEMS, Listing, Mapping, Value, join, options
from cudnnlint.frontends.source.syntax.index import walk
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

_OPERATORS: dict[type, type] = {
    cst.AddAssign: cst.Add,
    cst.SubtractAssign: cst.Subtract,
    cst.MultiplyAssign: cst.Multiply,
    cst.DivideAssign: cst.Divide,
    cst.FloorDivideAssign: cst.FloorDivide,
    cst.ModuloAssign: cst.Modulo,
    cst.PowerAssign: cst.Power,
    cst.BitOrAssign: cst.BitOr,
    cst.BitAndAssign: cst.BitAnd,
    cst.BitXorAssign: cst.BitXor,
    cst.LeftShiftAssign: cst.LeftShift,
    cst.RightShiftAssign: cst.RightShift,
}
_OF_SETS = (cst.BitOr, cst.BitAnd, cst.BitXor, cst.Subtract)
_WHY = "is changed by an assignment that is not evaluated"


def augmented(run: Interpreter, node: cst.AugAssign, frame: Frame) -> bool:
    """Run `target += value`; what is called in the target is called once."""
    if isinstance(node.target, cst.Name):
        return _augmented(run, node, frame)
    before, frame.once = frame.once, {id(one): None for one in walk(node.target) if isinstance(one, cst.Call)}
    try:
        return _augmented(run, node, frame)
    finally:
        frame.once = before


def _augmented(run: Interpreter, node: cst.AugAssign, frame: Frame) -> bool:
    left = run.evaluate(node.target, frame)
    right = run.evaluate(node.value, frame)
    kind = _OPERATORS.get(type(node.operator), cst.MatrixMultiply)
    origin = Origin(frame.unit, node.target)
    every = options(left)
    if len(every) == 1 and _changes(kind, left):
        _change(run, kind, left, right, origin)
        if isinstance(node.target, cst.Attribute):
            assignments.assign(run, node.target, left, frame)
        return True
    results: list[Value] = []
    for one in every:
        if _changes(kind, one):
            containers.smear(run, one, Sentence("may have been changed by an assignment to `", origin, "`"))
            results.append(one)
            continue
        for other in options(right):
            own = operators.in_place(run, kind, one, other, origin)
            results.append(own or operators.on_single(run, kind, one, other, origin, _WHY))
    assignments.assign(run, node.target, join(results), frame)
    return True


def _changes(kind: type, value: Value) -> bool:
    """Return whether an operator changes the object on its left in place."""
    if isinstance(value, Mapping):
        return kind is cst.BitOr
    if not isinstance(value, Listing) or value.kind == "frozenset":
        return False
    return kind in _OF_SETS if views.is_set(value) else kind in (cst.Add, cst.Multiply)


def _change(run: Interpreter, kind: type, left: Value, right: Value, origin: Origin) -> None:
    if isinstance(left, Mapping):
        if operators.in_place(run, kind, left, right, origin) is None:
            builtins.update(run, left, right)
    elif kind in (cst.Add, cst.BitOr):
        name = "extend" if kind is cst.Add else "update"
        run.call(run.attribute(left, name, origin), Arguments([right]), origin)
    elif isinstance(left, Listing):
        made = operators.on_values(run, kind, left, right, origin)
        if isinstance(made, Listing):
            run.journal.write(left.table, ITEMS, containers.contents_of(made))
        else:
            containers.smear(run, left, Sentence("may have been changed by an assignment to `", origin, "`"))
