"""Comprehensions: loops that build a list, set or dict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.core.frozen import record
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.python import assignments, branches, containers, iterators, loops
from cudnnlint.frontends.source.python.call_path import Step
from cudnnlint.frontends.source.python.lazy_items import ItemSource, Stuck
from cudnnlint.frontends.source.python.scopes import Frame, Scope
from cudnnlint.frontends.source.python.values import (
    ITEMS,
    UNBOUND,
    Contents,
    Listing,
    Tuple,
    Value,
    join,
    may_be_missing,
    present,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def listing(run: Interpreter, node: cst.ListComp | cst.SetComp | cst.GeneratorExp, frame: Frame) -> Value:
    """Return the list or set that `[element for ...]` builds, or the generator that makes its items one by one."""
    if isinstance(node, cst.GeneratorExp):
        return generator(run, node, frame)
    result = containers.new_list(run, (), None, "set" if isinstance(node, cst.SetComp) else "list")
    inner = frame.inside(Scope(run.journal.table(), frame.scope, "comprehension"))

    def body() -> bool:
        append(run, result, run.evaluate(node.elt, inner))
        return True

    _loop(run, node.for_in, inner, body, node)
    return result


def generator(run: Interpreter, node: cst.GeneratorExp, frame: Frame) -> Value:
    """Return a generator; what its first `for` runs over is evaluated now, the rest when an item is asked for."""
    first = run.evaluate(node.for_in.iter, frame)
    inner = frame.inside(Scope(run.journal.table(), frame.scope, "comprehension"))
    iterator = iterators.over(run, first, Origin(frame.unit, node.for_in.iter))
    if iterator is None:
        iterator = containers.new_list(run, *_parts(containers.elements(run, first)), "iterator")
    return iterators.new(run, Written(node, inner, iterator, run.path))


def _parts(contents: Contents) -> tuple[tuple[Value, ...], Value | None]:
    return contents.items, contents.rest


@record(frozen=True, eq=False)
class Written(ItemSource):
    """The items of a generator expression; `waiting` are those that an inner `for` has made already."""

    node: cst.GeneratorExp
    frame: Frame
    iterator: Listing
    path: tuple[Step, ...]
    place: int = 0
    waiting: tuple[Value, ...] = ()

    def pull(self, run: Interpreter) -> tuple[Value | None, ItemSource]:
        """Take the next item of the first `for` whose conditions hold, and evaluate the element."""
        now = self
        while not now.waiting:
            if now.place - self.place > iterators.MOST_PULLED:
                raise Stuck
            item = iterators.advance(run, self.iterator)
            if item is None:
                return None, now
            step = Step(Origin(self.frame.unit, self.node.for_in), now.place)
            made = self._made(run, item, (*self.path, step))
            rest = () if made.rest is None else (join([made.rest, UNBOUND]),)
            now = replace(now, waiting=(*made.items, *rest), place=now.place + 1)
            if not made.certain:
                raise Stuck(now)
        if may_be_missing(now.waiting[0]):
            raise Stuck
        return now.waiting[0], replace(now, waiting=now.waiting[1:])

    def rest(self, run: Interpreter) -> Contents:
        """Evaluate what is left, once for each item or once for all."""
        result = containers.new_list(run, self.waiting)

        def body(item: Value) -> bool:
            assignments.assign(run, self.node.for_in.target, item, self.frame)
            return _conditions(run, list(self.node.for_in.ifs), self.frame, lambda: self._inner(run, result))

        before, run.path = run.path, self.path
        contents = iterators.drained(run, self.iterator)
        loops.rounds(run, self.node.for_in, contents, self.frame, body)
        run.path = before
        return containers.contents_of(result)

    def _made(self, run: Interpreter, item: Value, path: tuple[Step, ...]) -> Contents:
        """Return what one item of the first `for` leads to."""
        result = containers.new_list(run, ())
        before, run.path = run.path, path
        try:
            assignments.assign(run, self.node.for_in.target, item, self.frame)
            _conditions(run, list(self.node.for_in.ifs), self.frame, lambda: self._inner(run, result))
        finally:
            run.path = before
        return containers.contents_of(result)

    def _inner(self, run: Interpreter, result: Listing) -> bool:
        def element() -> bool:
            append(run, result, run.evaluate(self.node.elt, self.frame))
            return True

        inner = self.node.for_in.inner_for_in
        if inner is None:
            return element()
        _loop(run, inner, self.frame, element)
        return True


def mapping(run: Interpreter, node: cst.DictComp, frame: Frame) -> Value:
    """Return the dict that `{key: value for ...}` builds."""
    result = containers.new_dict(run)
    inner = frame.inside(Scope(run.journal.table(), frame.scope, "comprehension"))

    def body() -> bool:
        key = run.evaluate(node.key, inner)
        containers.set_key(run, result, key, run.evaluate(node.value, inner))
        return True

    _loop(run, node.for_in, inner, body, node)
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


def _loop(
    run: Interpreter, node: cst.CompFor, frame: Frame, innermost: Callable[[], bool], whole: cst.BaseComp | None = None
) -> None:
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

    loops.rounds(run, node, contents, frame, body, whole=whole)


def _conditions(run: Interpreter, ifs: list[cst.CompIf], frame: Frame, then: Callable[[], bool]) -> bool:
    if not ifs:
        return then()
    test = run.evaluate(ifs[0].test, frame)
    more = partial(_conditions, run, ifs[1:], frame, then)
    return branches.branch(run, test, Origin(frame.unit, ifs[0].test), more, lambda: True)


def hand_out(run: Interpreter, frame: Frame, items: Sequence[Value], rest: Value | None) -> None:
    """Record what a generator yields."""
    for item in items:
        append(run, frame.yielded, item)
    if rest is not None:
        assignments.extend(run, frame.yielded, Tuple(Contents((), rest)))
