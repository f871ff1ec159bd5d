"""Operators on abstract values: arithmetic on constants, tensors, lists; comparisons."""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

import libcst as cst

from cudnnlint.frontends.source.python import (
    builtins,
    classes,
    containers,
    enums,
    hooks,
    membership,
    plain,
    plain_operators,
    raising,
    records,
    sequence_parts,
)
from cudnnlint.frontends.source.python.scopes import Frame
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    ANY,
    DEEPEST,
    Bound,
    Class,
    Const,
    Foreign,
    Instance,
    Library,
    Listing,
    Mapping,
    Tuple,
    Unbound,
    UnknownValue,
    Value,
    alike,
    assumption,
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
    cst.Equal: "__eq__",
    cst.NotEqual: "__ne__",
    cst.LessThan: "__lt__",
    cst.LessThanEqual: "__le__",
    cst.GreaterThan: "__gt__",
    cst.GreaterThanEqual: "__ge__",
}
_COMPARE: dict[type, Callable[[Any, Any], Any]] = {
    cst.Equal: operator.eq,
    cst.NotEqual: operator.ne,
    cst.LessThan: operator.lt,
    cst.LessThanEqual: operator.le,
    cst.GreaterThan: operator.gt,
    cst.GreaterThanEqual: operator.ge,
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
        if kind in (cst.Divide, cst.FloorDivide, cst.Modulo) and right.value in (0, 0.0) and right.value is not None:
            raising.throw_python(run, "ZeroDivisionError", Const("division by zero"))
        return plain_operators.of_constants(kind, _BINARY.get(kind), left, right)
    if isinstance(left, Const) and isinstance(right, (Tuple, Mapping)) and kind is cst.Modulo:
        return plain_operators.percent(run, left, right)
    if kind is cst.Add and isinstance(left, (Tuple, Listing)) and isinstance(right, (Tuple, Listing)):
        return plain_operators.concatenate(run, left, right)
    if kind is cst.Multiply:
        return plain_operators.repeat(run, left, right)
    if kind in _SETS and all(isinstance(side, Listing) and side.kind == "set" for side in (left, right)):
        return sequence_parts.set_operation(run, _SETS[kind], left, right)
    if kind is cst.BitOr and isinstance(left, Mapping) and isinstance(right, Mapping):
        merged = containers.new_dict(run)
        builtins.update(run, merged, left)
        builtins.update(run, merged, right)
        return merged
    return None


def on_values(run: Interpreter, kind: type, left: Value, right: Value, origin: Origin) -> Value:
    """Return the result of a binary operator on values, each of which may be one of several."""
    return join([on_single(run, kind, one, other, origin) for one in options(left) for other in options(right)])


def _apply(run: Interpreter, node: cst.BinaryOperation, left: Value, right: Value, frame: Frame) -> Value:
    return on_single(run, type(node.operator), left, right, Origin(frame.unit, node))


def on_single(
    run: Interpreter, kind: type, left: Value, right: Value, origin: Origin, why: str = "is not evaluated"
) -> Value:
    """Return the result of a binary operator on two single values."""
    own = isinstance(left, Mapping) and kind in _DUNDER
    result = classes.operator(run, left, _DUNDER[kind], [right], origin) if own else None
    result = combine(run, kind, left, right) if result is None else result
    if result is None and kind in _DUNDER:
        result = classes.operator(run, left, _DUNDER[kind], [right], origin)
    if result is None and kind in _DUNDER:
        result = classes.operator(run, right, _DUNDER[kind].replace("__", "__r", 1), [left], origin)
    if result is not None:
        return result
    for side in (left, right):
        if isinstance(side, UnknownValue):
            return side
    return run.unfollowed(why, origin.node, origin.unit)


def in_place(run: Interpreter, kind: type, left: Value, right: Value, origin: Origin) -> Value | None:
    """Return what `left += right` leaves where the class of the object says it; None for anything else."""
    if kind not in _DUNDER or classes.kind_of(left) is None:
        return None
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
    elif isinstance(value, Const) and isinstance(value.value, (int, float, complex)):
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


def comparison(run: Interpreter, node: cst.Comparison, frame: Frame) -> Value:
    """Return the value of `a < b`, `a is None`, `a in b`: True, False, or unknown."""
    left = run.evaluate(node.left, frame)
    if isinstance(left, Foreign) and (computed := run.library.operation(left, name="comparison")) is not None:
        others = [run.evaluate(target.comparator, frame) for target in node.comparisons]
        how = node.comparisons[0].operator
        if isinstance(how, (cst.Is, cst.IsNot)) and containers.is_nothing(others[0]) and run.library.is_there(left):
            return Const(isinstance(how, cst.IsNot))
        return computed
    result: Value = Const(True)
    for target in node.comparisons:
        right = run.evaluate(target.comparator, frame)
        how, origin = target.operator, Origin(frame.unit, node)
        pairs = [(one, other) for one in options(left) for other in options(right)]
        answers = [answer(run, how, one, other, origin) for one, other in pairs]
        result = join([_verdict(one, left, right) for one in dict.fromkeys(answers)])
        if truth(result) is not True:
            break
        left = right
    return result


def answer(run: Interpreter, how: cst.BaseCompOp, left: Value, right: Value, origin: Origin) -> bool | None:
    """Return the result of a comparison as the class of one side defines it, else as Python does."""
    if isinstance(how, (cst.In, cst.NotIn)):
        own = classes.operator(run, right, "__contains__", [left], origin)
        inside = None if own is None else truth(own)
        if own is not None:
            return inside if inside is None or isinstance(how, cst.In) else not inside
    name = _DUNDER.get(type(how))
    own = classes.operator(run, left, name, [right], origin) if name is not None else None
    if own is not None:
        return truth(own)
    known = records.compare(run, how, left, right, origin)
    return _compare(run, how, left, right) if known is None else known


def _verdict(answer: bool | None, left: Value, right: Value) -> Value:
    if answer is not None:
        return Const(answer, assumed=assumption(left, right))
    for side in (left, right):
        for option in options(side):
            if isinstance(option, UnknownValue):
                return option
    return UnknownValue("is the result of a comparison that is not known")


def _compare(run: Interpreter, how: cst.BaseCompOp, left: Value, right: Value) -> bool | None:
    if isinstance(left, _OPEN) or isinstance(right, _OPEN):
        return None
    if isinstance(how, (cst.In, cst.NotIn)):
        inside = membership.contains(run, left, right)
        return inside if inside is None or isinstance(how, cst.In) else not inside
    same = isinstance(how, (cst.Is, cst.Equal))
    if not isinstance(how, (cst.Is, cst.IsNot)):
        left, right = enums.worth(left), enums.worth(right)
    if isinstance(left, Const) and isinstance(right, Const):
        return _compare_constants(how, left.value, right.value)
    if not isinstance(how, (cst.Is, cst.IsNot)) and (isinstance(left, Library) or isinstance(right, Library)):
        answer = run.library.compare(left, right, _COMPARE[type(how)])
        if answer is not None:
            return answer
    if any(isinstance(side, (Library, Bound)) and side.may_be_plain for side in (left, right)):
        return same if alike(left, right) and isinstance(how, _SAME) else None
    if all(isinstance(side, Listing) and side.kind == "set" for side in (left, right)):
        return _compare_sets(run, how, left, right)
    if isinstance(left, (Tuple, Listing)) and type(left) is type(right) and not isinstance(how, _SAME):
        rows = [_constants(run, side) for side in (left, right)]
        return None if None in rows else _compare_constants(how, *rows)
    if isinstance(how, _SAME):
        if alike(left, right):
            return same
        known = _same_things(run, left, right)
        if known is not None and not isinstance(how, (cst.Is, cst.IsNot)):
            return known is same
        if isinstance(left, Library) and isinstance(right, Library):
            differ = run.library.differ(left.name, right.name)
            return not same if differ else None  # the same thing may have several names
        if type(left) is not type(right) or isinstance(how, (cst.Is, cst.IsNot)):
            objects = isinstance(left, Instance) or isinstance(right, Instance)
            return None if objects and isinstance(how, (cst.Equal, cst.NotEqual)) else not same
    if isinstance(left, Instance) and isinstance(right, Instance) and _by_identity(left) and _by_identity(right):
        return not same
    return None


def _compare_sets(run: Interpreter, how: cst.BaseCompOp, left: Value, right: Value) -> bool | None:
    """Return the result of `{1} <= {1, 2}`: whether one set is a part of the other."""
    if isinstance(how, (cst.Is, cst.IsNot)):
        return isinstance(how, cst.Is) if alike(left, right) else isinstance(how, cst.IsNot)
    contents = [containers.elements(run, side) for side in (left, right)]
    keys = [[containers.key_of(item) for item in one.items] for one in contents]
    if not all(one.certain for one in contents) or any(None in one for one in keys):
        return None
    return _compare_constants(how, *map(set, keys))


def _constants(run: Interpreter, value: Value) -> list[Any] | None:
    """Return the items of a list or tuple that holds constants only.

    None for anything else, and for a set, whose order is not that of the source.
    """
    if isinstance(value, Listing) and value.kind != "list":
        return None
    contents = containers.elements(run, value)
    items = [item.value for item in contents.items if isinstance(item, Const)]
    return items if contents.certain and len(items) == len(contents.items) else None


_SAME = (cst.Is, cst.IsNot, cst.Equal, cst.NotEqual)
_OPEN = (UnknownValue, Foreign, Unbound)


def _by_identity(value: Instance) -> bool:
    """Return whether two different objects of the value's class are never equal."""
    if not isinstance(value.kind, Class):
        return value.kind.name == "builtins.object"
    plain = classes.library_base(value.kind) is None and not any(
        mark in classes.DATACLASSES
        for entry in classes.lineage(value.kind)
        if isinstance(entry, Class)
        for mark in entry.marks
    )
    return enums.is_member(value) or plain


def _same_things(run: Interpreter, left: Value, right: Value) -> bool | None:
    """Return whether two lists, tuples or dicts are equal.

    None where that is not known, or they are something else.
    """
    keys = [_content_key(run, side) for side in (left, right)]
    return None if None in keys else keys[0] == keys[1]


def _content_key(run: Interpreter, value: Value, depth: int = 0) -> Hashable | None:
    """Return a key that is equal for equal values, as far as they hold constants only."""
    if depth > DEEPEST:
        return None
    if isinstance(value, Const):
        return containers.key_of(value)
    if isinstance(value, Mapping):
        cells = value.table.items()
        parts = {key: _content_key(run, cell, depth + 1) for key, cell in cells}
        return None if None in parts.values() or ANY in parts else ("dict", frozenset(parts.items()))
    if not isinstance(value, (Listing, Tuple)) or not (contents := containers.elements(run, value)).certain:
        return None
    items = tuple(_content_key(run, item, depth + 1) for item in contents.items)
    if None in items:
        return None
    kind = value.kind if isinstance(value, Listing) else "tuple"
    return kind, frozenset(items) if kind == "set" else items


def _compare_constants(how: cst.BaseCompOp, left: Any, right: Any) -> bool | None:
    if isinstance(how, (cst.Is, cst.IsNot)):
        same = left is right if left is None or right is None else type(left) is type(right) and left == right
        return same if isinstance(how, cst.Is) else not same
    try:
        return bool(plain.attempt(_COMPARE[type(how)], left, right))
    except plain.NotPlain:
        return None
