"""Expressions: what the value of an expression can be."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import libcst as cst

from cudnnlint.frontends.source.python import (
    absent,
    branches,
    builtins,
    classes,
    comparisons,
    comprehensions,
    containers,
    executed,
    formatting,
    functions,
    hooks,
    literals,
    operators,
    private_names,
    spreading,
    subscripts,
)
from cudnnlint.frontends.source.python.copies import changed
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.scopes import Frame
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    NONE,
    Const,
    Contents,
    Either,
    Imported,
    Library,
    Listing,
    Tuple,
    Unbound,
    UnknownValue,
    Value,
    assume,
    assumption,
    join,
    options,
    placed,
    present,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

Handler = Callable[["Interpreter", Any, Frame], Value]


def evaluate(run: Interpreter, node: cst.BaseExpression, frame: Frame) -> Value:
    """Return the value of an expression, placed where it is written if it is a literal or computed from literals."""
    run.budget.spend()
    handler = _HANDLERS.get(type(node))
    if handler is None:
        return run.unfollowed("is not followed", node, frame.unit)
    value: Value = handler(run, node, frame)
    if run.guards and any(isinstance(option, UnknownValue) for option in options(value)):
        run.doubts += 1
    if value.at is None and isinstance(value, (Const, Tuple)):
        return changed(value, at=Origin(frame.unit, node))
    return value


def _name(run: Interpreter, node: cst.Name, frame: Frame) -> Value:
    found = frame.scope.find(node.value)
    if type(found) is Unbound:
        return absent.unbound(run, node.value, Origin(frame.unit, node))
    if found is not None and type(found) is not Either:
        return run.modules.resolve(found) if type(found) is Imported else found
    if found is not None:
        parts = [run.modules.resolve(one) if isinstance(one, Imported) else one for one in options(found)]
        return join(parts, found.because) if isinstance(found, Either) else parts[0]
    starred = run.modules.starred(frame.unit, node.value)
    if starred is not None:
        return starred
    builtin = builtins.find(node.value)
    if run.patched.get(f"builtins.{node.value}") is not None:
        return run.attribute(Library("builtins"), node.value, Origin(frame.unit, node))
    if builtin is not None:
        return builtin
    return absent.undefined(run, node.value, Origin(frame.unit, node), bool(frame.unit.stars))


def _attribute(run: Interpreter, node: cst.Attribute, frame: Frame) -> Value:
    value, name, origin = run.evaluate(node.value, frame), node.attr.value, Origin(frame.unit, node)
    private = private_names.load(run, value, name, frame, origin) if name.startswith("__") else None
    return run.attribute(value, name, origin) if private is None else private


def _call(run: Interpreter, node: cst.Call, frame: Frame) -> Value:
    if frame.once is None or id(node) not in frame.once:
        return _called(run, node, frame)
    found = frame.once[id(node)] or _called(run, node, frame)
    frame.once[id(node)] = found
    return found


def _called(run: Interpreter, node: cst.Call, frame: Frame) -> Value:
    origin = Origin(frame.unit, node)
    run.reached.add(id(node))
    if isinstance(node.func, cst.Name) and node.func.value == "super" and frame.owner is not None:
        return functions.zero_argument_super(run, node, frame)
    callee = run.evaluate(node.func, frame)
    given = spreading.gather(run, node.args, frame)
    run.here = origin
    if isinstance(callee, Library) and callee.name in executed.NAMES:
        return executed.call(run, callee.name, given, frame, origin)
    if isinstance(callee, Library) and callee.name in executed.OF_SCOPE and not given.positional:
        return executed.of_scope(run, callee.name, frame)
    return run.call(callee, given, origin)


def _literal(run: Interpreter, node: cst.SimpleString | cst.Integer | cst.Float | cst.Imaginary, frame: Frame) -> Value:
    try:
        return Const(literals.evaluated(type(node), node.value), at=Origin(frame.unit, node))
    except (ValueError, SyntaxError):  # a number of 5,000 digits, "\x" without its digits
        return run.unfollowed("is a literal that cannot be evaluated", node, frame.unit)


def _sequence(run: Interpreter, node: cst.List | cst.Tuple | cst.Set, frame: Frame) -> Value:
    items: list[Value] = []
    rest: list[Value] = []
    for element in node.elements:
        value = run.evaluate(element.value, frame)
        if not isinstance(element, cst.StarredElement):
            (rest if rest else items).append(value)
            continue
        contents = containers.elements(run, value)
        (rest if rest else items).extend(contents.items)
        rest += [] if contents.rest is None else [contents.rest]
    more = join([present(value) for value in rest]) if rest else None
    only = items[0] if isinstance(node, cst.Set) and len(items) == 1 else None
    inner = containers.contents_of(only).items if isinstance(only, Listing) and only.kind == "set" else ()
    if len(inner) == 1:
        return inner[0]  # `{{x}}`: sets hold no set, so this is a template, which is filled in before it runs
    if isinstance(node, cst.Tuple):
        return Tuple(Contents(tuple(items), more))
    return containers.new_list(run, items, more, "list" if isinstance(node, cst.List) else "set")


def _dict(run: Interpreter, node: cst.Dict, frame: Frame) -> Value:
    mapping = containers.new_dict(run)
    for element in node.elements:
        if isinstance(element, cst.DictElement):
            key = run.evaluate(element.key, frame)
            classes.operator(run, key, "__hash__", [], Origin(frame.unit, element.key))
            value = placed(run.evaluate(element.value, frame), Origin(frame.unit, element.value))
            containers.set_key(run, mapping, key, value)
        else:
            builtins.update(run, mapping, run.evaluate(element.value, frame))
    return mapping


def _boolean(run: Interpreter, node: cst.BooleanOperation, frame: Frame) -> Value:
    """Return the value of `a and b`, `a or b`: one of the two, as far as the first decides."""
    left = run.evaluate(node.left, frame)
    wanted, where = isinstance(node.operator, cst.And), Origin(frame.unit, node.left)
    answers = [truth(hooks.meant(run, option, where)) for option in options(left)]
    kept = [option for option, answer in zip(options(left), answers, strict=True) if answer is not wanted]
    if not kept:
        return assume(run.evaluate(node.right, frame), assumption(left))
    if None not in answers and len(kept) == len(options(left)):
        run.journal.aside(lambda: run.evaluate(node.right, frame)) if assumption(left) else None
        return left
    right: list[Value] = []

    def second() -> bool:
        right.append(run.evaluate(node.right, frame))
        return True

    run.journal.fork([second, lambda: True], branches.why_undecided(left, where))
    if isinstance(left, UnknownValue) and not wanted:
        return join([left, *right], left.because)
    return join([*kept, *right], Sentence("the result of `", Origin(frame.unit, node), "` is not known"))


def _ternary(run: Interpreter, node: cst.IfExp, frame: Frame) -> Value:
    yes, no = partial(run.evaluate, node.body, frame), partial(run.evaluate, node.orelse, frame)
    return branches.choose(run, node.test, frame, yes, no)


def _walrus(run: Interpreter, node: cst.NamedExpr, frame: Frame) -> Value:
    value = run.evaluate(node.value, frame)
    if isinstance(node.target, cst.Name):
        frame.scope.outside_comprehensions().bind(run.journal, node.target.value, value)
    return value


def _lambda(run: Interpreter, node: cst.Lambda, frame: Frame) -> Value:
    return functions.make(run, node, frame, "<lambda>")


def _await(run: Interpreter, node: cst.Await, frame: Frame) -> Value:
    return run.evaluate(node.expression, frame)


def _yield(run: Interpreter, node: cst.Yield, frame: Frame) -> Value:
    """Add what a generator yields to the list that it returns; a generator is run to its end at once."""
    if isinstance(node.value, cst.From):
        contents = containers.elements(run, run.evaluate(node.value.item, frame))
        comprehensions.hand_out(run, frame, contents.items, contents.rest)
    else:
        value = NONE if node.value is None else run.evaluate(node.value, frame)
        if frame.at_yield is not None:
            frame.at_yield(value)
            return NONE
        comprehensions.hand_out(run, frame, (value,), None)
    return run.unfollowed("is the value that the caller sends", node, frame.unit)


_HANDLERS: dict[type, Handler] = {
    cst.Name: _name,
    cst.Attribute: _attribute,
    cst.Call: _call,
    cst.Subscript: subscripts.subscript,
    cst.SimpleString: _literal,
    cst.Integer: _literal,
    cst.Float: _literal,
    cst.Imaginary: _literal,
    cst.Ellipsis: lambda run, node, frame: Const(...),
    cst.ConcatenatedString: formatting.concatenated,
    cst.FormattedString: formatting.formatted,
    cst.List: _sequence,
    cst.Tuple: _sequence,
    cst.Set: _sequence,
    cst.Dict: _dict,
    cst.BinaryOperation: operators.binary,
    cst.UnaryOperation: operators.unary,
    cst.Comparison: comparisons.comparison,
    cst.BooleanOperation: _boolean,
    cst.IfExp: _ternary,
    cst.NamedExpr: _walrus,
    cst.Lambda: _lambda,
    cst.Await: _await,
    cst.Yield: _yield,
    cst.ListComp: comprehensions.listing,
    cst.SetComp: comprehensions.listing,
    cst.GeneratorExp: comprehensions.listing,
    cst.DictComp: comprehensions.mapping,
}
