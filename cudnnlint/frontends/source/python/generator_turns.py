"""One turn of a generator: from where its body waits to the next `yield`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.python import (
    assignments,
    generator_exits,
    generators,
    hooks,
    iterators,
    raising,
    statements,
)
from cudnnlint.frontends.source.python.call_path import Step
from cudnnlint.frontends.source.python.lazy_items import ItemSource, Stuck
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import NONE, Value, assumption
from cudnnlint.frontends.source.syntax.index import walk
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def own_nodes(node: cst.CSTNode) -> list[cst.CSTNode]:
    """Return the nodes of a body without those of functions and classes inside it."""
    return list(walk(node, _BODIES))


_BODIES = frozenset({cst.FunctionDef, cst.Lambda, cst.ClassDef})


#: What a `yield` hands out, and what the value is assigned to that is sent in return.
Item = tuple[Value, cst.BaseExpression | None]


class Turn:
    """One turn of a body: from where it waits to the next `yield`."""

    def __init__(self, run: Interpreter, body: generators.Body) -> None:
        self.run = run
        self.body = body
        self.blocks = list(body.blocks)

    def go(self) -> tuple[Value | None, ItemSource]:
        """Return the next item, and the body as it waits then."""
        if self.body.waits is not None:
            assignments.assign(self.run, self.body.waits, NONE, self.body.frame)
        while self.blocks:
            self.run.budget.spend()
            with _Steps(self.run, self.blocks):
                item = self._watched() if generator_exits.watches(self.blocks) else self._step()
            if item is not None:
                value, waits = item
                return value, replace(self.body, blocks=tuple(self.blocks), waits=waits, begun=True)
        return None, replace(self.body, blocks=(), waits=None)

    def stopped(self, error: Value) -> tuple[Value | None, ItemSource]:
        """Raise an exception where the body waits; return the next item, and the body as it waits then."""
        self.body = replace(self.body, waits=None)
        generator_exits.throw(self, error)
        return self.go()

    def _step(self) -> Item | None:
        """Go on inside the innermost block."""
        top = self.blocks[-1]
        if isinstance(top, generators.Suite):
            return self._suite(top)
        if isinstance(top, (generators.Trying, generators.Entered)):
            generator_exits.end(self, top)
            return None
        return self._around(top)

    def _watched(self) -> Item | None:
        """Go on inside a `try` or `with`; an exception leads where that takes it."""
        run, before, marks, doubts = self.run, list(self.blocks), self.run.mark(), self.run.doubts
        handling = generator_exits.handled_now(before)
        run.handling += handling
        try:
            found, guard = raising.guarded(run, lambda: (self._step(),))
        except Stuck:
            run.back_to(marks)
            raise
        finally:
            del run.handling[len(run.handling) - len(handling) :]
        doubtful = run.doubts > doubts and generator_exits.may_take(before)
        if doubtful or len(guard.ends) != (found is None):
            run.back_to(marks)
            raise Stuck
        if found is not None:
            run.journal.leave(guard.point)
            run.journal.close(guard.point)
            return found[0]
        run.journal.abandon(guard.point)
        error, state = guard.ends[0]
        run.journal.restore(state)
        self.blocks = before
        generator_exits.throw(self, error)
        return None

    def _around(self, top: generators.Loop | generators.Handing) -> Item | None:
        """Begin the next round of a loop, or hand on the next item of another generator."""
        if isinstance(top, generators.Handing):
            self.run.here = Origin(self.body.frame.unit, top.node)
            item = iterators.advance(self.run, top.iterator)
            if item is None:
                self.blocks.pop()
                if top.target is not None:
                    assignments.assign(self.run, top.target, generators.returned(top.iterator), self.body.frame)
                return None
            return item, None
        if isinstance(top.node, cst.For):
            assert top.iterator is not None
            self.run.here = Origin(self.body.frame.unit, top.node.iter)
            found = iterators.advance(self.run, top.iterator)
            if found is not None:
                assignments.assign(self.run, top.node.target, found, self.body.frame)
            goes_on: bool | None = found is not None
        else:
            goes_on = self._decided(top.node.test)
        self.blocks.pop()
        if goes_on:
            step = Step(Origin(self.body.frame.unit, top.node), top.turn)
            self.blocks += [replace(top, turn=top.turn + 1), generators.Suite(top.node.body.body, 0, top.node, (step,))]
        elif top.node.orelse is not None:
            self.blocks.append(generators.Suite(top.node.orelse.body.body))
        return None

    def _decided(self, test: cst.BaseExpression) -> bool:
        value = hooks.meant(self.run, self.run.evaluate(test, self.body.frame), Origin(self.body.frame.unit, test))
        if truth(value) is None or assumption(value):
            raise Stuck
        return truth(value) is True

    def _suite(self, top: generators.Suite) -> Item | None:
        if top.place >= len(top.nodes):
            self.blocks.pop()
            return None
        node = top.nodes[top.place]
        if isinstance(node, cst.SimpleStatementLine):
            self.blocks[-1] = replace(top, place=top.place + 1)
            self.blocks.append(generators.Suite(node.body))
            return None
        if not _yields(node):
            self._plain(top, node)
            return None
        self.run.here = Origin(self.body.frame.unit, node)
        return self._yielding(top, node)

    def _yielding(self, top: generators.Suite, node: cst.CSTNode) -> Item | None:
        frame = self.body.frame
        if isinstance(node, cst.If):
            into: cst.CSTNode | None = node.body if self._decided(node.test) else node.orelse
            self.blocks[-1] = replace(top, place=top.place + 1)
            into = into.body if isinstance(into, cst.Else) else into
            self.blocks.append(generators.Suite([into] if isinstance(into, cst.If) else getattr(into, "body", ())))
            return None
        if isinstance(node, (cst.For, cst.While)):
            iterator = None
            if isinstance(node, cst.For):
                iterable = self.run.evaluate(node.iter, frame)
                iterator = iterators.over(self.run, iterable, Origin(frame.unit, node.iter))
                if iterator is None:
                    raise Stuck
            self.blocks[-1] = replace(top, place=top.place + 1)
            self.blocks.append(generators.Loop(node, iterator))
            return None
        if isinstance(node, (cst.Try, cst.With)):
            self.blocks[-1] = replace(top, place=top.place + 1)
            generator_exits.begin(self, node)
            return None
        return self._statement(top, node)

    def _statement(self, top: generators.Suite, node: cst.CSTNode) -> Item | None:
        """Run `yield x`, `name = yield x` or `yield from x`."""
        target = None
        written = node.value if isinstance(node, (cst.Expr, cst.Assign)) else None
        if isinstance(node, cst.Assign):
            target = node.targets[0].target if len(node.targets) == 1 else None
        if not isinstance(written, cst.Yield) or (isinstance(node, cst.Assign) and target is None):
            raise Stuck
        if written.value is not None and _yields(written.value):
            raise Stuck
        if isinstance(written.value, cst.From):
            frame = self.body.frame
            iterable = self.run.evaluate(written.value.item, frame)
            iterator = iterators.over(self.run, iterable, Origin(frame.unit, written.value.item))
            if iterator is None:
                raise Stuck
            self.blocks[-1] = replace(top, place=top.place + 1)
            self.blocks.append(generators.Handing(node, iterator, target))
            return None
        value = NONE if written.value is None else self.run.evaluate(written.value, self.body.frame)
        self.blocks[-1] = replace(top, place=top.place + 1)
        return value, target

    def _plain(self, top: generators.Suite, node: cst.CSTNode) -> None:
        """Run a statement without a `yield`, which may jump."""
        frame, journal = self.body.frame, self.run.journal
        exits = frame.exit = journal.open()
        done, turn, on = journal.open(), journal.open(), journal.open()
        frame.loops.append((done, turn))
        alive = statements.run_all(self.run, [node], frame)
        frame.loops.pop()
        if alive:
            journal.leave(on)
        ways = [point for point in (on, turn, done, exits) for _ in point.ends]
        for point in (on, turn, done, exits):
            if len(ways) == 1 and journal.close(point) and point is not exits:
                outer = {id(on): turn, id(turn): done, id(done): exits}[id(point)]
                journal.leave(outer)
            elif len(ways) != 1:
                journal.abandon(point)
        if len(ways) != 1:
            raise Stuck
        if ways[0] is on:
            self.blocks[-1] = replace(top, place=top.place + 1)
        else:
            generator_exits.jump(self, "turn" if ways[0] is turn else "done" if ways[0] is done else "exit")


class _Steps:
    """The path of rounds that lead to the innermost block."""

    def __init__(self, run: Interpreter, blocks: list[generators.Block]) -> None:
        self.run = run
        self.steps = tuple(step for block in blocks if isinstance(block, generators.Suite) for step in block.steps)

    def __enter__(self) -> None:
        self.before = self.run.path
        self.run.path = (*self.before, *self.steps)

    def __exit__(self, *error: object) -> None:
        self.run.path = self.before


def _yields(node: cst.CSTNode) -> bool:
    return any(isinstance(one, cst.Yield) for one in own_nodes(node))
