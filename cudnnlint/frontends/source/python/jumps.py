"""Jumps: `return`, `break` and `continue`, and what each of them runs on its way: `finally`, and the end of `with`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python.scopes import EndBehind, Frame
from cudnnlint.frontends.source.python.state import JoinPoint
from cudnnlint.frontends.source.python.values import NONE, assume

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def return_(run: Interpreter, node: cst.Return, frame: Frame) -> bool:
    """Run `return value`."""
    value = NONE if node.value is None else run.evaluate(node.value, frame)
    end = frame.exit

    def arrive() -> None:
        by_default = run.aside != len(run.active)
        (frame.returned if by_default else frame.returned_aside).append(assume(value, run.supposing))
        if end is not None:
            run.journal.leave(end)

    if end is not None:
        _finish(run, frame, 0, arrive)
    return False


def leave(run: Interpreter, node: cst.Break, frame: Frame) -> bool:
    """Run `break`."""
    return _out_of_loop(run, frame, frame.loops[-1][0]) if frame.loops else False


def continue_(run: Interpreter, node: cst.Continue, frame: Frame) -> bool:
    """Run `continue`."""
    return _out_of_loop(run, frame, frame.loops[-1][1]) if frame.loops else False


def _out_of_loop(run: Interpreter, frame: Frame, to: JoinPoint) -> bool:
    _finish(run, frame, len(frame.loops), lambda: run.journal.leave(to))
    return False


def _finish(run: Interpreter, frame: Frame, depth: int, arrive: Callable[[], None]) -> bool:
    """Run what waits inside so many loops, innermost first, and then arrive where the jump leads to.

    It does not arrive where one of them jumps itself, and later where one runs behind the block that the jump leaves.
    """
    waiting = frame.finals
    alive = True
    while alive and frame.finals and frame.finals[-1][1] >= depth:
        final, frame.finals = frame.finals[-1][0], frame.finals[:-1]
        if isinstance(final, EndBehind):
            final.jumps.append(lambda: _finish(run, frame, depth, arrive))
            run.journal.leave(final.point)
        alive = not isinstance(final, EndBehind) and final()
    frame.finals = waiting
    if alive:
        arrive()
    return alive
