"""What a branch says about the variables and attributes in its condition."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python import comparisons, kinds, private_names
from cudnnlint.frontends.source.python.scopes import Frame
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    Class,
    Const,
    Either,
    Function,
    Instance,
    Listing,
    Mapping,
    Tuple,
    UnknownValue,
    Value,
    join,
)
from cudnnlint.frontends.source.syntax.index import walk
from cudnnlint.frontends.source.syntax.unit import Origin

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
            owner, name = frame.scope.find(node.value.value), private_names.stored(node.attr.value, frame)
            value = owner.table.get(name) if isinstance(owner, Instance) else None
            if isinstance(owner, Instance) and value is not None and _is_default(value):
                run.journal.write(owner.table, name, _given(value))


def _is_default(value: Value) -> bool:
    return isinstance(value, Const) and value.value is None and value.assumed is not None


def _given(value: Value) -> Value:
    return UnknownValue(value.assumed or "", None, at=value.at)


#: Values that no code is asked about: those of Python itself.
_PLAIN = (Const, Listing, Mapping, Tuple, Function, Class)
#: What a condition says of one value of a variable: whether it holds for it, None where that is not known.
Question = Callable[[Value], "bool | None"]


def arm(
    run: Interpreter, test: cst.BaseExpression, frame: Frame, holds: bool, then: Callable[[], bool]
) -> Callable[[], bool]:
    """Return an arm of a branch, in which variables have only the values for which the condition goes that way."""

    def go() -> bool:
        _narrow(run, test, frame, holds)
        return then()

    return go


def _narrow(run: Interpreter, test: cst.BaseExpression, frame: Frame, holds: bool) -> None:
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        _narrow(run, test.expression, frame, not holds)
    elif isinstance(test, cst.BooleanOperation):
        if isinstance(test.operator, cst.And) is holds:  # all of `a and b` hold, none of `a or b`
            _narrow(run, test.left, frame, holds)
            _narrow(run, test.right, frame, holds)
    else:
        subject, question = _asks(run, test, frame)
        if question is not None:
            _keep(run, subject, frame, lambda value: question(value) is not (not holds))


def _asks(run: Interpreter, test: cst.BaseExpression, frame: Frame) -> tuple[cst.BaseExpression, Question | None]:
    """Return the variable or attribute that a condition asks about, and what it asks."""
    if isinstance(test, (cst.Name, cst.Attribute)):
        return test, lambda value: truth(value) if isinstance(value, _PLAIN) else None
    if isinstance(test, cst.Call) and isinstance(test.func, cst.Name) and len(test.args) == 2:
        if test.func.value != "isinstance" or frame.scope.find("isinstance") is not None:
            return test, None
        kind = run.evaluate(test.args[1].value, frame)
        return test.args[0].value, lambda value: kinds.is_a(run, value, kind)
    if isinstance(test, cst.Comparison) and len(test.comparisons) == 1 and _is_literal(test.comparisons[0].comparator):
        how, origin = test.comparisons[0].operator, Origin(frame.unit, test)
        other = run.evaluate(test.comparisons[0].comparator, frame)
        return (
            test.left,
            lambda value: comparisons.answer(run, how, value, other, origin) if isinstance(value, _PLAIN) else None,
        )
    return test, None


def _is_literal(node: cst.BaseExpression) -> bool:
    """Return whether this is a text, a number, None, True, False, or several of them: nothing runs to compute it."""
    if isinstance(node, (cst.Tuple, cst.List, cst.Set)):
        return all(_is_literal(element.value) for element in node.elements)
    constant = isinstance(node, cst.Name) and node.value in ("None", "True", "False")
    return constant or isinstance(node, (cst.SimpleString, cst.Integer, cst.Float))


def _keep(run: Interpreter, subject: cst.BaseExpression, frame: Frame, kept: Callable[[Value], bool]) -> None:
    """Leave the values of a variable, or of an attribute of an object, that an arm may have."""
    if isinstance(subject, cst.Name):
        value = frame.scope.table.get(subject.value)
        left = _left(value, kept)
        if left is not None:
            frame.scope.bind(run.journal, subject.value, left)
    elif isinstance(subject, cst.Attribute) and isinstance(subject.value, cst.Name):
        owner, name = frame.scope.find(subject.value.value), private_names.stored(subject.attr.value, frame)
        left = _left(owner.table.get(name), kept) if isinstance(owner, Instance) else None
        if left is not None and isinstance(owner, Instance):
            run.journal.write(owner.table, name, left)


def _left(value: Value | None, kept: Callable[[Value], bool]) -> Value | None:
    """Return what is left of several values; None where all are, or none."""
    found = [option for option in value.options if kept(option)] if type(value) is Either else []
    return join(found, value.because) if type(value) is Either and 0 < len(found) < len(value.options) else None
