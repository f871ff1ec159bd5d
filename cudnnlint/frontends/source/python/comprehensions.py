"""Comprehensions: loops that build a list, set or dict."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python import assignments, branches, containers, loops
from cudnnlint.frontends.source.python.scopes import Frame, Scope
from cudnnlint.frontends.source.python.values import ITEMS, Contents, Listing, Value, join, present
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def listing(run: Interpreter, node: cst.ListComp | cst.SetComp | cst.GeneratorExp, frame: Frame) -> Value:
    """Return the list or set that `[element for ...]` builds; a generator is run at once, as a list."""
    result = containers.new_list(run, (), None, "set" if isinstance(node, cst.SetComp) else "list")
    inner = frame.inside(Scope(run.journal.table(), frame.scope, "comprehension"))

    def body() -> bool:
        append(run, result, run.evaluate(node.elt, inner))
        return True

    _loop(run, node.for_in, inner, body)
    return result


def mapping(run: Interpreter, node: cst.DictComp, frame: Frame) -> Value:
    """Return the dict that `{key: value for ...}` builds."""
    result = containers.new_dict(run)
    inner = frame.inside(Scope(run.journal.table(), frame.scope, "comprehension"))

    def body() -> bool:
        key = run.evaluate(node.key, inner)
        containers.set_key(run, result, key, run.evaluate(node.value, inner))
        return True

    _loop(run, node.for_in, inner, body)
    return result


def append(run: Interpreter, target: Listing, value: Value) -> None:
    """Do what `target.append(value)` does.

    In a loop that is run once for all its iterations, or behind an unknown number of items, the value is one of any
    number.
    """
    contents = containers.contents_of(target)
    if target.kind == "set" and len(containers.distinct((*contents.items, value))) == len(contents.items):
        return
    if contents.rest is None and target.table.born > run.blur:
        run.journal.write(target.table, ITEMS, containers.bounded((*contents.items, value)))
    else:
        more = [present(value)] if contents.rest is None else [contents.rest, present(value)]
        run.journal.write(target.table, ITEMS, Contents(contents.items, join(more)))


def _loop(run: Interpreter, node: cst.CompFor, frame: Frame, innermost: Callable[[], bool]) -> None:
    """Run one `for` with its conditions and the `for`s inside it."""
    contents = containers.elements(run, run.evaluate(node.iter, frame))

    def inner() -> bool:
        if node.inner_for_in is None:
            return innermost()
        _loop(run, node.inner_for_in, frame, innermost)
        return True

    def body(item: Value) -> bool:
        assignments.assign(run, node.target, item, frame)
        return _conditions(run, list(node.ifs), frame, inner)

    loops.rounds(run, node, contents, frame, body)


def _conditions(run: Interpreter, ifs: list[cst.CompIf], frame: Frame, then: Callable[[], bool]) -> bool:
    if not ifs:
        return then()
    test = run.evaluate(ifs[0].test, frame)
    more = partial(_conditions, run, ifs[1:], frame, then)
    return branches.branch(run, test, Origin(frame.unit, ifs[0].test), more, lambda: True)
