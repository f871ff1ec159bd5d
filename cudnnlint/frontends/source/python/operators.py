"""Operators on abstract values: arithmetic on constants, tensors, lists."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import libcst as cst

from cudnnlint.frontends.source.python import (
    builtins,
    classes,
    containers,
    enums,
    hooks,
    plain_operators,
    raising,
    sequence_parts,
    views,
)
from cudnnlint.frontends.source.python.call_path import Step
from cudnnlint.frontends.source.python.scopes import Frame
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    Class,
    Const,
    Foreign,
    Function,
    Library,
    Listing,
    Mapping,
    Tuple,
    UnknownValue,
    Value,
    assumption,
    choice,
    join,
    options,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

_BINARY: dict[type, Callable[[Any, Any], Any]] = {
    cst.Add: operator.add,
    cst.Subtract: operator.sub,
    cst.Multiply: operator.mul,
    cst.Divide: operator.truediv,
    cst.FloorDivide: operator.floordiv,
    cst.Modulo: operator.mod,
    cst.Power: operator.pow,
    cst.BitAnd: operator.and_,
    cst.BitOr: operator.or_,
    cst.BitXor: operator.xor,
    cst.LeftShift: operator.lshift,
    cst.RightShift: operator.rshift,
}
_DIVIDES = (cst.Divide, cst.FloorDivide, cst.Modulo)
_NUMBERS = (int, float, complex)
#: The operators of sets and the methods that do the same.
_SETS: dict[type, str] = {
    cst.BitOr: "union",
    cst.BitAnd: "intersection",
    cst.Subtract: "difference",
    cst.BitXor: "symmetric_difference",
}
#: What a class defines to have operators of its own.
_DUNDER: dict[type, str] = {
    cst.Add: "__add__",
    cst.Subtract: "__sub__",
    cst.Multiply: "__mul__",
    cst.Divide: "__truediv__",
    cst.FloorDivide: "__floordiv__",
    cst.Modulo: "__mod__",
    cst.Power: "__pow__",
    cst.MatrixMultiply: "__matmul__",
    cst.BitXor: "__xor__",
    cst.BitOr: "__or__",
    cst.BitAnd: "__and__",
    cst.RightShift: "__rshift__",
    cst.LeftShift: "__lshift__",
}


def binary(run: Interpreter, node: cst.BinaryOperation, frame: Frame) -> Value:
    """Return the value of `left operator right`.

    A long run of operators nests to the left and is walked without recursion.
    """
    chain: list[cst.BinaryOperation] = []
    inner: cst.BaseExpression = node
    while isinstance(inner, cst.BinaryOperation):
        chain.append(inner)
        inner = inner.left
    value = run.evaluate(inner, frame)
    for link in reversed(chain):
        run.budget.spend()
        right = run.evaluate(link.right, frame)
        value = join(
            [_apply(run, link, one, other, frame) for one in options(value) for other in options(right)],
        )
    return value


def combine(run: Interpreter, kind: type, left: Value, right: Value) -> Value | None:
    """Return the result of a binary operator (a libcst operator class) on two single values; None if not known."""
    if isinstance(left, Foreign) or isinstance(right, Foreign):
        return run.library.operation(left, right, name=kind.__name__)
    flags = enums.combine(run, kind, left, right)
    if flags is not None:
        return flags
    left, right = enums.worth(left), enums.worth(right)
    if isinstance(left, Const) and isinstance(right, Const):
        if kind in _DIVIDES and all(isinstance(side.value, _NUMBERS) for side in (left, right)) and right.value == 0:
            raising.throw_python(run, "ZeroDivisionError", Const("division by zero"))
        return plain_operators.of_constants(kind, _BINARY.get(kind), left, right)
    if isinstance(left, Const) and isinstance(right, (Tuple, Mapping)) and kind is cst.Modulo:
        return plain_operators.percent(run, left, right)
    if kind in _SETS and all(map(views.is_like_set, (left, right))):
        return sequence_parts.set_operation(run, _SETS[kind], left, right)
    if isinstance(left, views.View) or isinstance(right, views.View):
        return None
    if kind is cst.Add and isinstance(left, (Tuple, Listing)) and isinstance(right, (Tuple, Listing)):
        return plain_operators.concatenate(run, left, right)
    if kind is cst.Multiply:
        return plain_operators.repeat(run, left, right)
    if kind is cst.BitOr and isinstance(left, Mapping) and isinstance(right, Mapping):
        merged = containers.new_dict(run)
        builtins.update(run, merged, left)
        builtins.update(run, merged, right)
        return views.like(run, merged, left)
    return None


def on_values(run: Interpreter, kind: type, left: Value, right: Value, origin: Origin) -> Value:
    """Return the result of a binary operator on values, each of which may be one of several."""
    results = [on_single(run, kind, one, other, origin) for one in options(left) for other in options(right)]
    return join(results, choice(left, right))


def total(run: Interpreter, items: Sequence[Value], start: Value, origin: Origin) -> Value | None:
    """Return the sum of items; the classes of objects say how they are added. None if it is not known."""
    own = any(isinstance(classes.kind_of(option), Class) for item in items for option in options(item))
    found: Value | None = start
    for place, item in enumerate(items):
        if own and found is not None:
            with run.step(Step(origin, place)):
                found = on_values(run, cst.Add, found, item, origin)
        else:
            found = None if found is None else combine(run, cst.Add, found, item)
    return found


def _apply(run: Interpreter, node: cst.BinaryOperation, left: Value, right: Value, frame: Frame) -> Value:
    return on_single(run, type(node.operator), left, right, Origin(frame.unit, node))


def on_single(
    run: Interpreter, kind: type, left: Value, right: Value, origin: Origin, why: str = "is not evaluated"
) -> Value:
    """Return the result of a binary operator on two single values."""
    result = _by_class(run, kind, left, right, origin)
    result = combine(run, kind, left, right) if result is None else result
    if result is not None:
        return result
    for side in (left, right):
        if isinstance(side, UnknownValue):
            return side
    return run.unfollowed(why, origin.node, origin.unit)


def _by_class(run: Interpreter, kind: type, left: Value, right: Value, origin: Origin) -> Value | None:
    """Return the result that the class of one side says; a class that inherits from the other is asked first."""
    reflected = _DUNDER[kind].replace("__", "__r", 1)
    asked = [(left, _DUNDER[kind], right), (right, reflected, left)]
    ours, theirs = classes.kind_of(left), classes.kind_of(right)
    if isinstance(ours, Class) and isinstance(theirs, Class) and theirs.table is not ours.table:
        own = classes.search(theirs, reflected)
        heir = classes.inherits(theirs, ours)
        asked = asked[::-1] if heir and own is not None and isinstance(own[0], Function) else asked
    for one, name, other in asked:
        result = classes.operator(run, one, name, [other], origin)
        if result is not None and not (isinstance(result, Library) and result.name == "builtins.NotImplemented"):
            return result
    return None


def in_place(run: Interpreter, kind: type, left: Value, right: Value, origin: Origin) -> Value | None:
    """Return what `left += right` leaves where the class of the object says it; None for anything else."""
    return classes.operator(run, left, _DUNDER[kind].replace("__", "__i", 1), [right], origin)


def unary(run: Interpreter, node: cst.UnaryOperation, frame: Frame) -> Value:
    """Return the value of `not x`, `-x`."""
    return join([_unary(run, node, option, frame) for option in options(run.evaluate(node.expression, frame))])


_UNARY: dict[type, str] = {cst.Minus: "__neg__", cst.Plus: "__pos__", cst.BitInvert: "__invert__"}


def _unary(run: Interpreter, node: cst.UnaryOperation, value: Value, frame: Frame) -> Value:
    own = _UNARY.get(type(node.operator))
    found = None if own is None else classes.operator(run, value, own, [], Origin(frame.unit, node))
    if found is not None:
        return found
    if isinstance(node.operator, cst.Not):
        answer = truth(hooks.meant(run, value, Origin(frame.unit, node)))
        if answer is not None:
            return Const(not answer, assumed=assumption(value))
    elif isinstance(value, Foreign) and (computed := run.library.operation(value)) is not None:
        return computed
    elif isinstance(value, Const) and isinstance(value.value, _NUMBERS):
        kind = type(node.operator)
        if kind is cst.BitInvert and not isinstance(value.value, int):
            return run.unfollowed("is not evaluated", node, frame.unit)
        signs: dict[type, Callable[[Any], Any]] = {
            cst.Minus: operator.neg,
            cst.Plus: operator.pos,
            cst.BitInvert: operator.invert,
        }
        return Const(signs[kind](value.value), assumed=value.assumed)
    return value if isinstance(value, UnknownValue) else run.unfollowed("is not evaluated", node, frame.unit)
