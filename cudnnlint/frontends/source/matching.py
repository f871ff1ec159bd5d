"""`match` statements."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.branches import branch
from cudnnlint.frontends.source.scopes import Frame
from cudnnlint.frontends.source.unit import Origin
from cudnnlint.frontends.source.values import Const, Unfollowed, Value, assumption, options

if TYPE_CHECKING:
    from cudnnlint.frontends.source.interpret import Interpreter


def match(run: Interpreter, node: cst.Match, frame: Frame) -> bool:
    """Case after case, as an if with elifs."""
    subject = run.evaluate(node.subject, frame)
    return _from_case(run, node, subject, 0, frame)


def _from_case(run: Interpreter, node: cst.Match, subject: Value, index: int, frame: Frame) -> bool:
    if index >= len(node.cases):
        return True
    case = node.cases[index]
    test = _matches(run, case.pattern, subject, frame)
    if case.guard is not None:
        guard = run.evaluate(case.guard, frame)
        test = guard if isinstance(test, Const) and test.value else test
    return branch(
        run,
        test,
        Origin(frame.unit, node.subject),
        partial(_body, run, case, subject, frame),
        partial(_from_case, run, node, subject, index + 1, frame),
    )


def _body(run: Interpreter, case: cst.MatchCase, subject: Value, frame: Frame) -> bool:
    _bind(run, case.pattern, subject, frame)
    return run.execute(case.body, frame)


def _bind(run: Interpreter, pattern: cst.MatchPattern, subject: Value, frame: Frame) -> None:
    """Names that a pattern captures: the subject itself, or something inside it that is not followed."""
    if isinstance(pattern, cst.MatchAs):
        if pattern.name is not None:
            frame.scope.bind(run.journal, pattern.name.value, subject)
        if pattern.pattern is not None:
            _bind(run, pattern.pattern, subject, frame)
        return
    for child in pattern.children:
        if isinstance(child, (cst.MatchPattern, cst.MatchSequenceElement, cst.MatchKeywordElement)):
            inner = child if isinstance(child, cst.MatchPattern) else getattr(child, "value", None)
            inner = inner if isinstance(inner, cst.MatchPattern) else getattr(child, "pattern", None)
            if isinstance(inner, cst.MatchPattern):
                _bind(run, inner, Unfollowed("is a part of what is matched"), frame)


def _matches(run: Interpreter, pattern: cst.MatchPattern, subject: Value, frame: Frame) -> Value:
    """Does the subject match? As a value, so that an assumption is kept."""
    if isinstance(pattern, cst.MatchAs):
        return Const(True) if pattern.pattern is None else _matches(run, pattern.pattern, subject, frame)
    if isinstance(pattern, (cst.MatchValue, cst.MatchSingleton)):
        wanted = run.evaluate(pattern.value, frame)
        if isinstance(wanted, Const) and isinstance(subject, Const):
            return Const(bool(wanted.value == subject.value), assumed=assumption(subject))
    if isinstance(pattern, cst.MatchOr):
        answers = [_matches(run, element.pattern, subject, frame) for element in pattern.patterns]
        if any(isinstance(answer, Const) and answer.value for answer in answers):
            return Const(True, assumed=assumption(subject))
        if all(isinstance(answer, Const) for answer in answers):
            return Const(False, assumed=assumption(subject))
    unknown = next((option for option in options(subject) if isinstance(option, Unfollowed)), None)
    return unknown or Unfollowed("is matched in a way that is not followed", "match")
