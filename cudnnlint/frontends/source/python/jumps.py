"""Jumps: `return`, `break` and `continue`, and the `finally` that each of them runs on its way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python.scopes import Frame
from cudnnlint.frontends.source.python.state import JoinPoint
from cudnnlint.frontends.source.python.values import NONE, assume

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def return_(run: Interpreter, node: cst.Return, frame: Frame) -> bool:
    """Run `return value`."""
    value = NONE if node.value is None else run.evaluate(node.value, frame)
    if frame.exit is not None and _finish(run, frame, 0):
        by_default = run.aside != len(run.active)
        (frame.returned if by_default else frame.returned_aside).append(assume(value, run.supposing))
        run.journal.leave(frame.exit)
    return False


def leave(run: Interpreter, node: cst.Break, frame: Frame) -> bool:
    """Run `break`."""
    return _out_of_loop(run, frame, frame.loops[-1][0]) if frame.loops else False


def continue_(run: Interpreter, node: cst.Continue, frame: Frame) -> bool:
    """Run `continue`."""
    return _out_of_loop(run, frame, frame.loops[-1][1]) if frame.loops else False


def _out_of_loop(run: Interpreter, frame: Frame, to: JoinPoint) -> bool:
    if _finish(run, frame, len(frame.loops)):
        run.journal.leave(to)
    return False


def _finish(run: Interpreter, frame: Frame, depth: int) -> bool:
    """Run the `finally` of every `try` inside so many loops, innermost first.

    Return False if one of them jumps itself.
    """
    waiting = frame.finals
    alive = True
    while alive and frame.finals and frame.finals[-1][1] >= depth:
        final, frame.finals = frame.finals[-1][0], frame.finals[:-1]
        alive = run.execute(final, frame)
    frame.finals = waiting
    return alive
