"""`match` statements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python import branches, builtins, classes, containers, kinds, views
from cudnnlint.frontends.source.python.scopes import Frame
from cudnnlint.frontends.source.python.values import (
    ANY,
    Class,
    Const,
    Contents,
    Library,
    Listing,
    Mapping,
    Tuple,
    Unbound,
    UnknownValue,
    Value,
    assumption,
    join,
    may_be_missing,
    options,
    present,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Built-in classes whose one positional pattern is for the object itself.
_ITSELF = frozenset(["bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"])


def match(run: Interpreter, node: cst.Match, frame: Frame) -> bool:
    """Run case after case, like an if with elifs."""
    subject = run.evaluate(node.subject, frame)
    return _from_case(run, node, subject, 0, frame)


def _from_case(run: Interpreter, node: cst.Match, subject: Value, index: int, frame: Frame) -> bool:
    if index >= len(node.cases):
        return True
    case = node.cases[index]
    attempt = Attempt(run, frame)
    answer = attempt.matches(case.pattern, subject)
    next_case = partial(_from_case, run, node, subject, index + 1, frame)
    test: Value = attempt.as_value(answer, subject)
    if case.guard is not None and answer is not False:
        attempt.bind()
        guard = run.evaluate(case.guard, frame)
        test = guard if answer else test
    return branches.branch(
        run, test, Origin(frame.unit, node.subject), partial(_body, run, case, attempt, frame), next_case
    )


def _body(run: Interpreter, case: cst.MatchCase, attempt: Attempt, frame: Frame) -> bool:
    attempt.bind()
    return run.execute(case.body, frame)


class Attempt:
    """One case compared with the subject: the names that it captures, and the values that it looked at."""

    def __init__(self, run: Interpreter, frame: Frame) -> None:
        self.run = run
        self.frame = frame
        self.names: dict[str, Value] = {}
        self.seen: list[Value] = []

    def bind(self) -> None:
        """Bind the captured names to their values."""
        for name, value in self.names.items():
            self.frame.scope.bind(self.run.journal, name, value)

    def as_value(self, answer: bool | None, subject: Value) -> Value:
        """Return the answer as a value, so that an assumption is kept."""
        if answer is not None:
            return Const(answer, assumed=assumption(subject, *self.seen))
        every = [option for value in (subject, *self.seen) for option in options(value)]
        unknown = next((option for option in every if isinstance(option, UnknownValue)), None)
        return unknown or UnknownValue("has a pattern that is not followed", "match")

    def matches(self, pattern: cst.MatchPattern, subject: Value) -> bool | None:
        """Return whether the subject matches; None where that is not known. Names are captured in any case."""
        answers = {self._one(pattern, option) for option in options(subject) if not isinstance(option, Unbound)}
        if isinstance(pattern, cst.MatchAs) and pattern.name is not None:
            self.names[pattern.name.value] = subject
        return answers.pop() if len(answers) == 1 else None

    def _one(self, pattern: cst.MatchPattern, subject: Value) -> bool | None:
        self.seen.append(subject)
        if isinstance(pattern, cst.MatchAs):
            return True if pattern.pattern is None else self.matches(pattern.pattern, subject)
        if isinstance(pattern, cst.MatchSingleton) and isinstance(subject, Const):
            return subject.value is {"True": True, "False": False, "None": None}[pattern.value.value]
        if isinstance(pattern, (cst.MatchValue, cst.MatchSingleton)):
            return self._same(self.run.evaluate(pattern.value, self.frame), subject)
        if isinstance(pattern, cst.MatchOr):
            return _any(self.matches(element.pattern, subject) for element in pattern.patterns)
        if isinstance(pattern, (cst.MatchList, cst.MatchTuple)):
            return self._sequence(pattern.patterns, subject)
        if isinstance(pattern, cst.MatchMapping):
            return self._mapping(pattern, subject)
        return self._class(pattern, subject) if isinstance(pattern, cst.MatchClass) else None

    def _same(self, wanted: Value, subject: Value) -> bool | None:
        key, other = containers.key_of(wanted), containers.key_of(subject)
        if key is None or other is None:
            holds = isinstance(subject, (Mapping, Listing, Tuple)) and isinstance(wanted, Const)
            return False if holds else None
        return bool(key == other)

    def _sequence(self, patterns: Sequence[cst.MatchSequenceElement | cst.MatchStar], subject: Value) -> bool | None:
        if not _is_sequence(subject):
            return self._nothing(patterns, None if isinstance(subject, UnknownValue) else False)
        contents = containers.elements(self.run, subject)
        star = next((at for at, element in enumerate(patterns) if isinstance(element, cst.MatchStar)), None)
        if not contents.certain:
            return self._nothing(patterns, None)
        items = list(contents.items)
        if len(items) < len(patterns) - (star is not None) or (star is None and len(items) > len(patterns)):
            return self._nothing(patterns, False)
        if star is not None:
            stop = len(items) - (len(patterns) - star - 1)
            items[star:stop] = [containers.new_list(self.run, items[star:stop])]
        answers = [self._element(element, item) for element, item in zip(patterns, items, strict=True)]
        return _all(answers)

    def _element(self, element: cst.MatchSequenceElement | cst.MatchStar, item: Value) -> bool | None:
        if not isinstance(element, cst.MatchStar):
            return self.matches(element.value, item)
        if element.name is not None:
            self.names[element.name.value] = item
        return True

    def _nothing(
        self, patterns: Sequence[cst.MatchSequenceElement | cst.MatchStar], answer: bool | None
    ) -> bool | None:
        """Return the answer for parts that are not known: the names that they capture are unknown, too."""
        for element in patterns if answer is None else ():
            self._element(element, UnknownValue("is a part of the subject of a `match` statement"))
        return answer

    def _mapping(self, pattern: cst.MatchMapping, subject: Value) -> bool | None:
        answers: list[bool | None] = []
        taken = []
        for element in pattern.elements:
            key = self.run.evaluate(element.key, self.frame)
            taken.append(containers.key_of(key))
            there, value = _entry(subject, key)
            inner = False if there is False else self.matches(element.pattern, value)
            answers.append(_all([there, inner]))
        if pattern.rest is not None:
            rest = containers.new_dict(self.run)
            builtins.update(self.run, rest, subject)
            for one in taken:
                self.run.journal.write(rest.table, one, Unbound())
            self.names[pattern.rest.value] = rest
        is_dict = True if isinstance(subject, Mapping) else None if isinstance(subject, UnknownValue) else False
        return _all([is_dict, *answers])

    def _class(self, pattern: cst.MatchClass, subject: Value) -> bool | None:
        kind = self.run.evaluate(pattern.cls, self.frame)
        answers = [None if isinstance(subject, UnknownValue) else kinds.is_a(self.run, subject, kind)]
        if answers[0] is False:
            return False
        itself = isinstance(kind, Library) and kind.name.removeprefix("builtins.") in _ITSELF
        names = _arguments(kind)
        for place, element in enumerate(pattern.patterns):
            part = subject if itself else self._attribute(subject, names[place] if place < len(names) else None)
            answers.append(self.matches(element.value, part))
        for keyword in pattern.kwds:
            answers.append(self.matches(keyword.pattern, self._attribute(subject, keyword.key.value)))
        return _all(answers)

    def _attribute(self, subject: Value, name: str | None) -> Value:
        if name is None:
            return UnknownValue("is a part of the subject of a `match` statement")
        return self.run.attribute(subject, name, Origin(self.frame.unit, self.frame.unit.tree))


def _is_sequence(subject: Value) -> bool:
    """Return whether a pattern of a sequence may match: a list or tuple, no set, iterator or view."""
    if isinstance(subject, Listing):
        return subject.kind in ("list", "deque")
    return isinstance(subject, Tuple) and not isinstance(subject, views.View)


def _entry(subject: Value, key: Value) -> tuple[bool | None, Value]:
    """Return whether there is an entry under a key, and what it is."""
    hashable = containers.key_of(key)
    if not isinstance(subject, Mapping) or hashable is None:
        return None, UnknownValue("is a part of the subject of a `match` statement")
    cell, anything = subject.table.get(hashable), subject.table.get(ANY)
    if cell is None and anything is None:
        return False, UnknownValue("is not in the subject of a `match` statement")
    found = [present(value) for value in (cell, anything) if value is not None]
    return (True if cell is not None and not may_be_missing(cell) else None), join(found)


def _arguments(kind: Value) -> list[str]:
    """Return the attributes that the positional patterns of a class match."""
    if not isinstance(kind, Class):
        return []
    found = classes.search(kind, "__match_args__")
    if found is not None and isinstance(found[0], Tuple):
        contents: Contents = found[0].contents
        return [str(item.value) for item in contents.items if isinstance(item, Const)]
    return classes.fields(kind)


def _all(answers: Sequence[bool | None]) -> bool | None:
    return False if False in answers else None if None in answers else True


def _any(answers: Iterable[bool | None]) -> bool | None:
    found: list[bool | None] = []
    for answer in answers:
        found.append(answer)
        if answer:
            return True
    return None if None in found else False
