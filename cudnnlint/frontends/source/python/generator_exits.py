"""`try` and `with` in the body of a generator that waits inside them: how each part of them is left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python import assignments, contexts, generators, raising
from cudnnlint.frontends.source.python.lazy_items import Stuck
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import Instance, UnknownValue, Value, words
from cudnnlint.frontends.source.syntax.index import walk
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.generator_turns import Turn

#: Exceptions that only the one who reads a generator raises in it, or the user.
_FROM_OUTSIDE = words("GeneratorExit StopIteration StopAsyncIteration KeyboardInterrupt")


def begin(turn: Turn, node: cst.Try | cst.With) -> None:
    """Go into a `try`, or into the first context manager of a `with`."""
    if isinstance(node, cst.Try):
        turn.blocks += [generators.Trying(node, "body"), generators.Suite(node.body.body)]
        return
    item, *others = node.items
    run, frame = turn.run, turn.body.frame
    value, origin = run.evaluate(item.item, frame), Origin(frame.unit, item.item)
    manager = contexts.manager(run, value, origin, contexts.hooks_of(node))
    if manager is None:
        raise Stuck
    given, leave = manager
    if item.asname is not None:
        assignments.assign(run, item.asname.name, given, frame)
    inner = [node.with_changes(items=others)] if others else node.body.body
    turn.blocks += [generators.Entered(leave), generators.Suite(inner)]


def end(turn: Turn, top: generators.Trying | generators.Entered) -> None:
    """Leave a part of a `try`, or a `with`, that ran to its end."""
    turn.blocks.pop()
    if isinstance(top, generators.Entered):
        top.leave(contexts.QUIET)
    elif top.part == "final":
        if isinstance(top.then, Value):
            throw(turn, top.then)
        elif top.then is not None:
            jump(turn, top.then)
    elif top.part == "body" and top.node.orelse is not None:
        turn.blocks += [generators.Trying(top.node, "else"), generators.Suite(top.node.orelse.body.body)]
    else:
        _finally(turn, top.node, None)


def _finally(turn: Turn, node: cst.Try, then: Value | str | None) -> bool:
    """Begin the `finally` of a `try`; return False where it has none."""
    if node.finalbody is not None:
        final = generators.Suite(node.finalbody.body.body)
        turn.blocks += [generators.Trying(node, "final", then=then), final]
    return node.finalbody is not None


def jump(turn: Turn, to: str) -> None:
    """Go to the next round of the innermost loop ("turn"), behind it ("done"), or to the end of the body ("exit")."""
    while turn.blocks:
        top = turn.blocks.pop()
        if isinstance(top, generators.Entered):
            top.leave(contexts.QUIET)
        elif isinstance(top, generators.Trying) and top.part != "final":
            if _finally(turn, top.node, to):
                return
        elif to != "exit" and isinstance(top, generators.Suite) and top.loop is not None:
            del turn.blocks[len(turn.blocks) - (to == "done") :]
            return


def throw(turn: Turn, error: Value) -> None:
    """Go where an exception leads: to the handler that takes it, or out of the body."""
    while turn.blocks:
        top = turn.blocks.pop()
        if isinstance(top, generators.Trying) and top.part != "final":
            if (top.part == "body" and _handled(turn, top.node, error)) or _finally(turn, top.node, error):
                return
        elif isinstance(top, generators.Entered):
            kind = error.kind if isinstance(error, Instance) else error
            answer = top.leave([kind, error, UnknownValue("is a traceback")])
            taken = False if answer is None else truth(answer)
            if taken is None:
                raise Stuck
            if taken:
                return
    raising.throw(turn.run, error)


def _handled(turn: Turn, node: cst.Try, error: Value) -> bool:
    """Go into the handler that takes an exception; return False where none does."""
    run, frame = turn.run, turn.body.frame
    for handler in node.handlers:
        taken = raising.matches(run, error, None if handler.type is None else run.evaluate(handler.type, frame))
        if taken is None:
            raise Stuck
        if taken:
            if handler.name is not None:
                assignments.assign(run, handler.name.name, error, frame)
            turn.blocks += [generators.Trying(node, "handler", error), generators.Suite(handler.body.body)]
            return True
    return False


def watches(blocks: Sequence[generators.Block]) -> bool:
    """Return whether an exception of a statement would be taken, or noticed, inside the body."""
    return any(isinstance(one, (generators.Trying, generators.Entered)) for one in blocks)


def may_take(blocks: list[generators.Block]) -> bool:
    """Return whether a handler may take an exception that is not followed."""
    bodies = [one for one in blocks if isinstance(one, generators.Trying) and one.part == "body"]
    kinds = [handler.type for one in bodies for handler in one.node.handlers]
    return not all(kind is not None and _from_outside(kind) for kind in kinds)


def _from_outside(kind: cst.BaseExpression) -> bool:
    return all(node.value in _FROM_OUTSIDE for node in walk(kind) if isinstance(node, cst.Name))


def handled_now(blocks: list[generators.Block]) -> list[Value]:
    """Return the exceptions whose handlers run, the innermost last."""
    return [one.error for one in blocks if isinstance(one, generators.Trying) and one.error is not None]


