"""`with`: what a context manager does before and after its block, and whether it takes an exception of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python import assignments, classes, functions
from cudnnlint.frontends.source.python.scopes import Frame
from cudnnlint.frontends.source.python.values import NONE, Class, Function, Instance, Managed, Value, words
from cudnnlint.frontends.source.syntax.index import walk
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Context managers that take an exception of their block, by their last name.
SWALLOWERS = words("suppress raises warns assertRaises assertRaisesRegex assertWarns assertWarnsRegex subTest")
Block = Callable[[Value], bool]


def enter(run: Interpreter, node: cst.With, items: list[cst.WithItem], frame: Frame, attempted: Attempted) -> bool:
    """Enter the context managers from the left, then run the block."""
    if not items:
        return run.execute(node.body, frame)
    item, *others = items
    value = run.evaluate(item.item, frame)

    def inside(given: Value) -> bool:
        if item.asname is not None:
            assignments.assign(run, item.asname.name, given, frame)
        return enter(run, node, others, frame, attempted)

    def whole() -> bool:
        return within(run, value, inside, Origin(frame.unit, item.item))

    return attempted(whole) if _may_swallow(value, item.item) else whole()


Attempted = Callable[[Callable[[], bool]], bool]


def within(run: Interpreter, context: Value, block: Block, origin: Origin) -> bool:
    """Run a block inside a context manager."""

    def inside(given: Value) -> bool:
        with run.library.entered(run, context):
            return block(given)

    if isinstance(context, Managed):
        return functions.run_managed(run, context, inside)
    own = classes.operator(run, context, "__enter__", [], origin)
    alive = inside(functions.enter_context(run, context) if own is None else own)
    classes.operator(run, context, "__exit__", [NONE, NONE, NONE], origin)
    return alive


def _may_swallow(value: Value, written: cst.BaseExpression) -> bool:
    """Return whether what follows a `with` block may run although its body raised."""
    called = written.func if isinstance(written, cst.Call) else written
    name = called.attr.value if isinstance(called, cst.Attribute) else getattr(called, "value", "")
    if name in SWALLOWERS:
        return True
    if isinstance(value, Managed):
        return any(isinstance(node, (cst.Try, cst.TryStar)) and node.handlers for node in walk(value.function.node))
    kind = value.kind if isinstance(value, Instance) else None
    own = classes.search(kind, "__exit__") if isinstance(kind, Class) else None
    if own is None or not isinstance(own[0], Function):
        return False
    returned = [node.value for node in walk(own[0].node.body) if isinstance(node, cst.Return)]
    plain = (one is None or (isinstance(one, cst.Name) and one.value in ("None", "False")) for one in returned)
    return not all(plain)


def around(run: Interpreter, contexts: tuple[Value, ...], work: Callable[[], Value], origin: Origin) -> Value:
    """Return the result of work that runs inside context managers, which decorate a function."""
    if not contexts:
        return work()
    found: list[Value] = []

    def block(given: Value) -> bool:
        found.append(around(run, contexts[1:], work, origin))
        return True

    within(run, contexts[0], block, origin)
    return found[0] if found else NONE
