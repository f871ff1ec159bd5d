"""Expressions: what the value of an expression can be."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import libcst as cst

from cudnnlint.frontends.source.python import (
    arguments,
    branches,
    builtins,
    classes,
    comprehensions,
    containers,
    executed,
    formatting,
    functions,
    hooks,
    literals,
    operators,
    spreading,
)
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.scopes import Frame
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    ANY,
    NONE,
    Class,
    Const,
    Contents,
    Foreign,
    Imported,
    Library,
    Mapping,
    OneOf,
    Tuple,
    Unfollowed,
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
    return placed(value, Origin(frame.unit, node)) if isinstance(value, (Const, Tuple)) else value


def _name(run: Interpreter, node: cst.Name, frame: Frame) -> Value:
    found = frame.scope.find(node.value)
    if found is not None:
        parts = [run.modules.resolve(one) if isinstance(one, Imported) else one for one in options(found)]
        return join(parts, found.because) if isinstance(found, OneOf) else parts[0]
    starred = run.modules.starred(frame.unit, node.value)
    if starred is not None:
        return starred
    builtin = builtins.find(node.value)
    if builtin is not None:
        return builtin
    return Unfollowed("is not defined in the code that was read", node.value, at=Origin(frame.unit, node))


def _attribute(run: Interpreter, node: cst.Attribute, frame: Frame) -> Value:
    return run.attribute(run.evaluate(node.value, frame), node.attr.value, Origin(frame.unit, node))


def _call(run: Interpreter, node: cst.Call, frame: Frame) -> Value:
    origin = Origin(frame.unit, node)
    run.reached.add(id(node))
    if isinstance(node.func, cst.Name) and node.func.value == "super" and frame.owner is not None:
        return functions.zero_argument_super(run, node, frame)
    callee = run.evaluate(node.func, frame)
    given = spreading.gather(run, node.args, frame)
    if isinstance(callee, Library) and callee.name in executed.NAMES:
        return executed.call(run, callee.name, given, frame, origin)
    if isinstance(callee, Library) and callee.name in builtins.OF_SCOPE and not given.positional:
        return builtins.of_scope(run, callee.name, frame)
    return run.call(callee, given, origin)


def _subscript(run: Interpreter, node: cst.Subscript, frame: Frame) -> Value:
    value = run.evaluate(node.value, frame)
    if len(node.slice) == 1 and isinstance(node.slice[0].slice, cst.Index):
        index = run.evaluate(node.slice[0].slice.value, frame)
        found = [_at_index(run, option, index, node, frame) for option in options(value)]
        return join(found, value.because if isinstance(value, OneOf) else "")
    if len(node.slice) == 1 and isinstance(node.slice[0].slice, cst.Slice):
        bounds = [_bound(run, bound, frame) for bound in _bounds(node.slice[0].slice)]
        if all(bound is None or isinstance(bound, int) for bound in bounds):
            first, last, by = bounds
            cut = None if by == 0 else containers.part(run, value, first, last, by)
            if cut is not None:
                return cut
        return (run.library.item(run, value, None) if isinstance(value, (Foreign, Library)) else None) or _uncut(
            run, node, frame
        )
    return run.library.operation(value) or _uncut(run, node, frame)


def _uncut(run: Interpreter, node: cst.Subscript, frame: Frame) -> Value:
    return run.unfollowed("is not followed", node, frame.unit)


def _at_index(run: Interpreter, value: Value, index: Value, node: cst.Subscript, frame: Frame) -> Value:
    found = run.library.item(run, value, index) if isinstance(value, Foreign) else None
    if classes.kind_of(value) is not None or isinstance(value, Class):
        found = classes.operator(run, value, "__getitem__", [index], Origin(frame.unit, node))
    if found is None and isinstance(value, Class):
        found = classes.of_class_item(run, value, index, Origin(frame.unit, node))
    if found is None and isinstance(value, Mapping):
        found = _by_default(run, value, index, Origin(frame.unit, node))
    if found is None and isinstance(value, (Const, Mapping)):
        found = _missing(run, value, index)
    if found is None:
        found = containers.item(run, value, index)
    if found is None:
        found = run.library.item(run, value, index)
    if isinstance(found, Unfollowed) and not found.what:
        return run.unfollowed(found.why, node, frame.unit)
    if found is not None:
        return present(found)
    if isinstance(value, Unfollowed):
        return Unfollowed(value.why, Origin(frame.unit, node), value.mask, at=Origin(frame.unit, node))
    return run.unfollowed("is not followed", node, frame.unit)


def _missing(run: Interpreter, value: Const | Mapping, index: Value) -> Value | None:
    """Return what a library's object has for a key that is not in it; None for any other object."""
    key = containers.key_of(index)
    there = isinstance(value, Mapping) and (value.table.get(key) is not None or value.table.get(ANY) is not None)
    return None if there else run.library.item(run, value, index)


def _by_default(run: Interpreter, value: Mapping, index: Value, origin: Origin) -> Value | None:
    """Return what a defaultdict, or `__missing__`, puts under a key that is absent; None for any other dict."""
    key = containers.key_of(index)
    factory = None if value.body is None else value.body.table.get("default_factory")
    if value.body is None or key is None or value.table.get(key) is not None or value.table.get(ANY) is not None:
        return None
    if factory is None or containers.is_nothing(factory):
        return classes.operator(run, value, "__missing__", [index], origin)
    made = run.call(factory, arguments.Arguments(), origin)
    containers.set_key(run, value, index, made)
    return made


def _bounds(node: cst.Slice) -> list[cst.BaseExpression | None]:
    return [node.lower, node.upper, node.step]


def _bound(run: Interpreter, node: cst.BaseExpression | None, frame: Frame) -> Any:
    """Return a slice bound: an int, None where it is left out, or something else where it is not known."""
    if node is None:
        return None
    value = run.evaluate(node, frame)
    return value.value if isinstance(value, Const) else value


def _literal(run: Interpreter, node: cst.SimpleString | cst.Integer | cst.Float | cst.Imaginary, frame: Frame) -> Value:
    try:
        return Const(literals.evaluated(type(node), node.value))
    except (ValueError, SyntaxError):  # a number of 5,000 digits, "\x" without its digits
        return run.unfollowed("is a literal that cannot be evaluated", node, frame.unit)


def _concatenated(run: Interpreter, node: cst.ConcatenatedString, frame: Frame) -> Value:
    parts: list[Value] = []
    rest: cst.BaseString = node
    while isinstance(rest, cst.ConcatenatedString):
        parts.append(run.evaluate(rest.left, frame))
        rest = rest.right
    parts.append(run.evaluate(rest, frame))
    if all(isinstance(part, Const) for part in parts):
        texts = [part.value for part in parts if isinstance(part, Const)]
        if len({type(text) for text in texts}) == 1:
            return Const(type(texts[0])().join(texts), assumed=assumption(*parts))
    return run.unfollowed("is not a constant string", node, frame.unit)


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
    if isinstance(node, cst.Tuple):
        return Tuple(Contents(tuple(items), more))
    return containers.new_list(run, items, more, "list" if isinstance(node, cst.List) else "set")


def _dict(run: Interpreter, node: cst.Dict, frame: Frame) -> Value:
    mapping = containers.new_dict(run)
    for element in node.elements:
        if isinstance(element, cst.DictElement):
            key = run.evaluate(element.key, frame)
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

    run.journal.fork([second, lambda: True])
    if isinstance(left, Unfollowed) and not wanted:
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
        functions.hand_out(run, frame, contents.items, contents.rest)
    else:
        value = NONE if node.value is None else run.evaluate(node.value, frame)
        if frame.at_yield is not None:
            frame.at_yield(value)
            return NONE
        functions.hand_out(run, frame, (value,), None)
    return run.unfollowed("is the value that the caller sends", node, frame.unit)


_HANDLERS: dict[type, Handler] = {
    cst.Name: _name,
    cst.Attribute: _attribute,
    cst.Call: _call,
    cst.Subscript: _subscript,
    cst.SimpleString: _literal,
    cst.Integer: _literal,
    cst.Float: _literal,
    cst.Imaginary: _literal,
    cst.Ellipsis: lambda run, node, frame: Const(...),
    cst.ConcatenatedString: _concatenated,
    cst.FormattedString: formatting.formatted,
    cst.List: _sequence,
    cst.Tuple: _sequence,
    cst.Set: _sequence,
    cst.Dict: _dict,
    cst.BinaryOperation: operators.binary,
    cst.UnaryOperation: operators.unary,
    cst.Comparison: operators.comparison,
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
