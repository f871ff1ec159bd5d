"""Loops and what they iterate over: known iterations one by one, unknown ones once for all."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python import assignments, branches, classes, containers, hooks, iterators, light_loops
from cudnnlint.frontends.source.python.call_path import Step
from cudnnlint.frontends.source.python.lazy_items import Stuck
from cudnnlint.frontends.source.python.scopes import Frame
from cudnnlint.frontends.source.python.state import JoinPoint
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    MOST_OPTIONS,
    Class,
    Const,
    Contents,
    Listing,
    UnknownValue,
    Value,
    assumption,
    choice,
    join,
    may_be_missing,
    present,
)
from cudnnlint.frontends.source.syntax import index
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

Body = Callable[[Value], bool]
Rest = Callable[[], bool]

HOW_OFTEN = "it depends on how often a loop runs"
#: Iterations of a `while True` that are tried; a longer one is a program's main loop.
MOST_TURNS = 12


def rounds(
    run: Interpreter, node: cst.CSTNode, contents: Contents, frame: Frame, body: Body, otherwise: Rest | None = None,
    whole: cst.CSTNode | None = None,
) -> bool:  # fmt: skip
    """Run `body` for every item, and `otherwise` where no `break` ran.

    Return False if no path goes on behind the loop. `whole` is the loop or comprehension, where the node is a part.
    """
    if _too_many(run, whole or node, contents, frame):
        contents = _at_once(contents)
    done = run.journal.open()
    alive = _known_rounds(run, node, contents, frame, body, done)
    if alive and contents.rest is not None:
        _open_rounds(run, frame, partial(body, contents.rest), done)
    if alive and (otherwise is None or otherwise()):
        run.journal.leave(done)
    return run.journal.close(done, HOW_OFTEN)


def _too_many(run: Interpreter, node: cst.CSTNode, contents: Contents, frame: Frame) -> bool:
    """Return whether there are more rounds than are followed one by one, or such in a loop that may be missing."""
    rounds = len(contents.items)
    missing = bool(frame.loops) and any(map(may_be_missing, contents.items))
    return missing or (rounds > containers.MOST_ROUNDS and not light_loops.followed(run, node, rounds))


def _at_once(contents: Contents) -> Contents:
    """Return the items of a long sequence as any number of one of them."""
    rest = [contents.rest] if contents.rest is not None else []
    if len(contents.items) > MOST_OPTIONS and all(isinstance(item, Const) for item in contents.items):
        return Contents((), join([UnknownValue("is an item of a sequence that is too long to follow"), *rest]))
    return Contents((), join([*map(present, contents.items), *rest]))


def _known_rounds(
    run: Interpreter, node: cst.CSTNode, contents: Contents, frame: Frame, body: Body, done: JoinPoint, start: int = 0
) -> bool:
    for place, item in enumerate(contents.items, start):
        once = partial(_round, run, frame, partial(body, present(item)), done)
        with run.step(Step(Origin(frame.unit, node), place)):
            alive = run.journal.fork([once, lambda: True], choice(item)) if may_be_missing(item) else once()
        if not alive:
            return False
    return True


def _round(run: Interpreter, frame: Frame, body: Callable[[], bool], done: JoinPoint) -> bool:
    """Run one iteration: `continue` ends it, `break` goes to `done`."""
    turn = run.journal.open()
    frame.loops.append((done, turn))
    try:
        if body():
            run.journal.leave(turn)
    finally:
        frame.loops.pop()
    return run.journal.close(turn, "")


def _open_rounds(run: Interpreter, frame: Frame, body: Callable[[], bool], done: JoinPoint) -> None:
    """Run any number of iterations: none, one, and once more from what one may have left.

    A loop inside such a loop is run twice anyway. Where the second run still gave other plain values, which go on to
    change, the body is run once more with these unknown.
    """
    before, run.blur = run.blur, run.journal.clock
    once = partial(run.journal.fork, [partial(_round, run, frame, body, done), lambda: True], HOW_OFTEN)
    try:
        once()
        if not before:
            _, trial = run.journal.attempt(once)
            if run.journal.widen(trial, HOW_OFTEN):
                once()
    finally:
        run.blur = before


def each(run: Interpreter, node: cst.For, frame: Frame) -> bool:
    """Run `for target in iterable`."""
    iterated = run.evaluate(node.iter, frame)
    iterator = iterated if iterators.is_iterator(iterated) else None
    if classes.kind_of(iterated) is not None or isinstance(iterated, Class):
        iterator = iterators.of_object(run, iterated, Origin(frame.unit, node.iter))
    if isinstance(iterator, Listing):
        from cudnnlint.frontends.source.python.generator_signals import left_behind  # it loops itself

        return each_of(run, node, iterator, frame) and left_behind(run, iterator, node.iter)
    iterators.check_iterable(run, iterated)
    body, otherwise = partial(_turn, run, node, frame), partial(_otherwise, run, node, frame)
    contents = containers.elements(run, iterated)
    if assumption(iterated) and contents.certain and not contents.items:
        item = UnknownValue("is an item of a sequence that is empty by default")
        branches.follow_aside(run, partial(rounds, run, node, Contents((item,)), frame, body))
    return rounds(run, node, contents, frame, body, otherwise)


def _turn(run: Interpreter, node: cst.For, frame: Frame, item: Value) -> bool:
    assignments.assign(run, node.target, item, frame)
    return run.execute(node.body, frame)


def each_of(run: Interpreter, node: cst.For, iterator: Listing, frame: Frame) -> bool:
    """Run a `for` over an iterator: each item is taken when its round begins."""
    done = run.journal.open()
    body, alive, place = partial(_turn, run, node, frame), True, 0
    try:
        while alive and (place < containers.MOST_ROUNDS or _goes_on(run, node, place)):
            run.here = Origin(frame.unit, node.iter)
            item = iterators.advance(run, iterator)
            if item is None:
                ended = True
                break
            with run.step(Step(Origin(frame.unit, node), place)):
                alive = _round(run, frame, partial(body, item), done)
            place += 1
        else:
            ended = not alive
        left = Contents(()) if ended else iterators.remaining(run, iterator)
    except Stuck:
        left = iterators.remaining(run, iterator)
    left = _at_once(left) if _too_many(run, node, left, frame) else left
    if alive and (left.items or left.rest is not None):
        iterators.finish(run, iterator)
        alive = _known_rounds(run, node, left, frame, body, done, place)
        if alive and left.rest is not None:
            _open_rounds(run, frame, partial(body, left.rest), done)
    if alive and _otherwise(run, node, frame):
        run.journal.leave(done)
    return run.journal.close(done, HOW_OFTEN)


def _goes_on(run: Interpreter, node: cst.CSTNode, place: int) -> bool:
    """Return whether a loop is followed further, of which it is not known how many rounds it has."""
    if place % containers.MOST_ROUNDS != 0:
        return True
    return place < _MOST_OPEN and light_loops.followed(run, node, containers.MOST_ROUNDS)


#: Rounds of a light loop of which it is not known how many it has.
_MOST_OPEN = 1024


def _otherwise(run: Interpreter, node: cst.For | cst.While, frame: Frame) -> bool:
    """Run the `else` of a loop, where the loop came to its end."""
    return node.orelse is None or run.execute(node.orelse.body, frame)


def repeat(run: Interpreter, node: cst.While, frame: Frame) -> bool:
    """Run `while test`: iteration by iteration while the test is known, then any number of iterations."""
    ended = _until_break(run, node, frame) if _always(node.test) else None
    if ended is not None:
        return ended
    done = run.journal.open()
    alive = True
    place = -1
    while (place := place + 1) < containers.MOST_ROUNDS or _goes_on(run, node, place):
        test = hooks.meant(run, run.evaluate(node.test, frame), Origin(frame.unit, node.test))
        if truth(test) is None or assumption(test) or _always(node.test):
            break
        if truth(test) is False:
            if _otherwise(run, node, frame):
                run.journal.leave(done)
            return run.journal.close(done, HOW_OFTEN)
        with run.step(Step(Origin(frame.unit, node), place)):
            alive = _round(run, frame, lambda: run.execute(node.body, frame), done)
        if not alive:
            return run.journal.close(done, HOW_OFTEN)

    def body() -> bool:
        test = run.evaluate(node.test, frame)
        return branches.branch(
            run, test, Origin(frame.unit, node.test), lambda: run.execute(node.body, frame), lambda: True
        )

    _open_rounds(run, frame, body, done)
    if _otherwise(run, node, frame):
        run.journal.leave(done)
    return run.journal.close(done, HOW_OFTEN)


def _until_break(run: Interpreter, node: cst.While, frame: Frame) -> bool | None:
    """Run `while True` iteration by iteration, as long as it is decided whether it breaks off.

    None where that is not decided; everything is then as it was before.
    """
    if not any(isinstance(inner, cst.Break) for inner in index.walk(node.body)):
        return None
    forget, returned, exits = run.library.snapshot(), len(frame.returned), frame.exit.ends[:] if frame.exit else []
    done = run.journal.open()
    for place in range(MOST_TURNS):
        with run.step(Step(Origin(frame.unit, node), place)):
            alive = _round(run, frame, lambda: run.execute(node.body, frame), done)
        if len(done.ends) + len(frame.returned) - returned > (not alive):
            break  # it may break off here, or go on
        if not alive:
            return run.journal.close(done, HOW_OFTEN)
    run.journal.abandon(done)
    forget()
    del frame.returned[returned:]
    if frame.exit is not None:
        frame.exit.ends[:] = exits
    return None


def _always(test: cst.BaseExpression) -> bool:
    """Return whether a loop is `while True`: where its `break` is not decided, any number of iterations is taken."""
    return isinstance(test, (cst.Name, cst.Integer)) and test.value in ("True", "1")
