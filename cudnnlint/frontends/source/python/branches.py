"""Branches: which way a condition goes, and what is known when both ways are possible."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python import hooks, narrowing, raising
from cudnnlint.frontends.source.python.lazy_message import Sentence, Words
from cudnnlint.frontends.source.python.scopes import Frame
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    Contents,
    Either,
    UnknownValue,
    Value,
    assume,
    assumption,
    join,
    options,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter
    from cudnnlint.frontends.source.python.state import Cell

Arm = Callable[[], bool]


def branch(
    run: Interpreter,
    test: Value,
    where: Origin,
    yes: Arm,
    no: Arm,
    after: Arm | None = None,
    denied: Callable[[], None] = lambda: None,
) -> bool:
    """Run what a condition leads to: one arm where it is known, both and their join where it is not.

    A condition that depends on a parameter's default goes the way of the default, and what that way writes depends on
    the default too. The other way is followed aside, because its layers are real for another caller; if the way of the
    default ends here (by a return), the other way goes on with what comes `after`. Where the default leads to an
    exception, every caller passes the parameter, and the other way is the one to follow. `denied` tells the other way
    that the default does not hold. Return whether anything reaches the end.
    """
    test = hooks.meant(run, test, where)
    answer, rests_on = truth(test), assumption(test)
    if answer is None:
        run.forked = True
        return run.journal.fork([yes, no], why_undecided(test, where))
    taken, untaken = (yes, no) if answer else (no, yes)
    if rests_on is None:
        return taken()

    def against() -> bool:
        return _denying(run, rests_on, where, untaken)

    return _by_default(run, rests_on, taken, against, after and partial(_denying, run, rests_on, where, after), denied)


def _denying(run: Interpreter, rests_on: str, where: Origin, way: Arm) -> bool:
    """Follow a way that is gone where an assumption does not hold, and remember which, and where that is asked."""
    before, run.denied = run.denied, {**run.denied, rests_on: where}
    try:
        return way()
    finally:
        run.denied = before


def _by_default(
    run: Interpreter, rests_on: str, taken: Arm, untaken: Arm, after: Arm | None, denied: Callable[[], None]
) -> bool:
    """Go the way of a parameter's default, and follow the other one aside."""
    path = run.journal.open()
    before, run.supposing = run.supposing, run.supposing or rests_on
    alive, thrown = raising.stopped(run, taken)
    run.supposing = before
    if thrown:
        run.journal.abandon(path)
        denied()
        return untaken()
    if alive:
        run.journal.leave(path)
    for end in path.ends:
        for cell, value in end.items():
            end[cell] = value if isinstance(value, Contents) else assume(value, rests_on)
    reached = run.journal.close(path)

    def other_way() -> bool:
        denied()
        return untaken() and (reached or after is None or after())

    others = follow_aside(run, other_way)
    if reached:
        run.journal.weaken({cell: value for cell, value in others.items() if _is_made(run, value)}, "")
    return reached


def follow_aside(run: Interpreter, way: Arm) -> dict[Cell, Value]:
    """Follow a way that the default does not go, because its layers are real for another caller."""
    aside, run.aside = run.aside, len(run.active)
    written = run.journal.aside(way)
    run.aside = aside
    return written


def _is_made(run: Interpreter, value: Value) -> bool:
    """Return whether a value is an object of a library.

    The objects of both ways are then kept, so that the calls of each are seen.
    """
    return all(run.library.made(option) for option in options(value))


def choose(
    run: Interpreter, test: cst.BaseExpression, frame: Frame, yes: Callable[[], Value], no: Callable[[], Value]
) -> Value:
    """Return the value of a conditional expression; `yes` and `no` compute the two sides."""
    where = Origin(frame.unit, test)
    condition = hooks.meant(run, run.evaluate(test, frame), where)
    got: list[Value] = []

    def arm(compute: Callable[[], Value], keep: bool) -> Arm:
        def go() -> bool:
            value = compute()
            if keep:
                got.append(value)
            return True

        return go

    answer = truth(condition)
    passed = partial(narrowing.passed, run, test, frame)
    left = narrowing.arm(run, test, frame, True, arm(yes, answer is not False))
    right = narrowing.arm(run, test, frame, False, arm(no, answer is not True))
    branch(run, condition, where, left, right, denied=passed)
    value = join(got, why_undecided(condition, where))
    return assume(value, assumption(condition)) if answer is not None else value


def why_undecided(test: Value, where: Origin) -> Words:
    """Return the sentence that says what an Either depends on."""
    for option in options(test):
        if isinstance(option, UnknownValue):
            return Sentence("it depends on `", where, "`, and ", option.because)
    return test.because if isinstance(test, Either) and test.because else Sentence("it depends on `", where, "`")
