"""The readings of one file: where two targets answer alike what the file asks, one reading holds for both."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from cudnnlint.core.answers import Answers
from cudnnlint.core.file_limits import in_force
from cudnnlint.core.layer import Model
from cudnnlint.core.quick_dataclass import field_names

Reading = Callable[[Answers | None], Model | None]
#: A name in Answers, and of `has_class` the class that it was asked for.
_Question = tuple[str, str]
T = TypeVar("T")
_NAMES = frozenset(field_names(Answers)) - {"has_class"}


class _TooManySteps(Exception):
    """Raised where more steps are needed to answer a file's queries than are taken."""


def within(work: Callable[[], T]) -> T | None:
    """Return the result of work that reads a file for several targets; None where that takes too many steps."""
    try:
        return work()
    except _TooManySteps:
        return None


class Readings:
    """A reading that is not done again where it would be answered as one before: what it does rests on nothing else.

    `steps` are those that all readings took together; once there are too many, no other reading is done.
    """

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self.steps = 0
        self._done: list[tuple[dict[_Question, object], Model | None]] = []

    def __call__(self, answers: Answers) -> Model | None:
        """Return what the file holds under these answers."""
        for given, model in self._done:
            if all(_answer(answers, question) == answer for question, answer in given.items()):
                return model
        if self.steps > in_force().release_steps:
            raise _TooManySteps
        given = {}
        model = self._reading(_noted(answers, given))
        self._done.append((given, model))
        self.steps += 0 if model is None else model.steps
        return model


def _answer(answers: Answers, question: _Question) -> object:
    name, of = question
    return answers.has_class(of) if name == "has_class" else getattr(answers, name)


def _noted(answers: Answers, given: dict[_Question, object]) -> Answers:
    """Return the same answers, which note in `given` what of them was asked, and the answer."""

    class Noting(Answers):
        """Answers that are watched."""

        def __getattribute__(self, name: str) -> object:
            value = super().__getattribute__(name)
            if name in _NAMES:
                given[name, ""] = value
            return value

    def has_class(dotted: str) -> bool | None:
        given["has_class", dotted] = answer = answers.has_class(dotted)
        return answer

    return Noting(**{name: getattr(answers, name) for name in _NAMES}, has_class=has_class)
