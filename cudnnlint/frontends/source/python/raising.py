"""Exceptions that a program certainly raises: what they hold, and which handler takes them.

A `raise` records the state that it leaves in the innermost Guard (a `try`, or a `with` that may swallow it), and ends
the path by the Python exception Raised, which every place that joins paths takes for a path that ends. Where no guard
is open, a `raise` just ends its path. What may raise without being followed is counted in `run.doubts`.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING, TypeVar

from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.frontends.source.python import classes, kinds
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.state import Cell, JoinPoint, Raised
from cudnnlint.frontends.source.python.values import (
    Class,
    Const,
    Contents,
    Either,
    Instance,
    Library,
    Tuple,
    UnknownValue,
    Value,
    options,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

T = TypeVar("T")


@dataclass(eq=False)
class Guard:
    """A place that takes exceptions: each with the state that it leaves, as far back as the point.

    `takes` says whether it takes an exception of Python, None where that is not known; a place of another kind than a
    `try` or a `with` takes none that a library raises.
    """

    point: JoinPoint
    takes: Callable[[str], bool | None] | None = None
    ends: list[tuple[Value, dict[Cell, Value]]] = field(default_factory=list)


def throw(run: Interpreter, error: Value) -> None:
    """Record an exception in the innermost guard, and end the path; do nothing where there is no guard."""
    if run.guards:
        pass_on(run, error)
        raise Raised


def throw_python(run: Interpreter, name: str, *given: Value) -> None:
    """Record an exception that Python itself raises, by the name of its class."""
    if run.guards:
        throw(run, made(run, Library(f"builtins.{name}"), given))


def made(run: Interpreter, kind: Library | Class, given: tuple[Value, ...], at: Origin | None = None) -> Instance:
    """Return an exception with its arguments."""
    error = Instance(kind, run.journal.table(), at=at)
    run.journal.write(error.table, "args", Tuple(Contents(given)))
    if len(given) == 1 and isinstance(kind, Library) and kind.name == "builtins.StopIteration":
        run.journal.write(error.table, "value", given[0])
    return error


def of_library(run: Interpreter, name: str, arguments: Arguments, origin: Origin) -> Instance | None:
    """Return `ValueError(...)`; None where it is no exception of Python."""
    found = getattr(builtins, name, None)
    if not isinstance(found, type) or not issubclass(found, BaseException) or arguments.rest:
        return None
    return made(run, Library(f"builtins.{name}"), tuple(arguments.positional), origin)


def is_exception(kind: Class) -> bool:
    """Return whether a class of the program is an exception."""
    bases = [base.name for base in classes.lineage(kind) if isinstance(base, Library)]
    return any(_python_exception(name) for name in bases)


def initialize(run: Interpreter, error: Instance, arguments: Arguments) -> None:
    """Give an exception its arguments, at first those of its class, then those that `super().__init__()` passes."""
    if not isinstance(error.kind, Class) or not is_exception(error.kind):
        return
    known = not arguments.rest and not arguments.open
    given: Value = Tuple(Contents(tuple(arguments.positional))) if known else UnknownValue("is what an exception has")
    run.journal.write(error.table, "args", given)


def _python_exception(name: str) -> bool:
    found = getattr(builtins, name.removeprefix("builtins."), None)
    return name.startswith("builtins.") and isinstance(found, type) and issubclass(found, BaseException)


def is_kind_of(name: str, base: str) -> bool | None:
    """Return whether one exception of Python is of the class of another; None where that is none of Python's."""
    wanted = getattr(builtins, base, None)
    return issubclass(getattr(builtins, name), wanted) if isinstance(wanted, type) else None


def taken(run: Interpreter, name: str) -> bool | None:
    """Return whether something around the present line takes an exception of Python; None where that is not known."""
    answers = [guard.takes(name) for guard in run.guards if guard.takes is not None]
    return True if True in answers else None if None in answers else False


def instance_of(run: Interpreter, raised: Value, origin: Origin) -> Value:
    """Return what `raise X` raises: an object, made where X is a class."""
    if isinstance(raised, (Class, Library)):
        return run.call(raised, Arguments(), origin)
    return raised


def matches(run: Interpreter, error: Value, wanted: Value | None) -> bool | None:
    """Return whether `except wanted` takes an exception; None where that is not known."""
    if wanted is None:
        return True
    if isinstance(error, Either):
        answers = {matches(run, option, wanted) for option in error.options}
        return answers.pop() if len(answers) == 1 else None
    if isinstance(wanted, (Either, UnknownValue)) or isinstance(error, UnknownValue):
        return None
    known = wanted.contents.items if isinstance(wanted, Tuple) and wanted.contents.certain else (wanted,)
    answers = {_is(run, error, one) for one in known}
    return True if True in answers else None if None in answers else False


def _is(run: Interpreter, error: Value, wanted: Value) -> bool | None:
    answer = kinds.is_a(run, error, wanted)
    if answer is None and isinstance(error, Instance) and isinstance(wanted, Library):
        ours = [kind for kind in _kinds(error) if isinstance(kind, Library)]
        plain = all(_python_exception(kind.name) for kind in ours) and bool(ours)
        foreign = not _python_exception(wanted.name)
        return False if plain and foreign and wanted.name.rsplit(".", 1)[-1] != ours[0].name else None
    return answer


def _kinds(error: Instance) -> list[Value]:
    return classes.lineage(error.kind) if isinstance(error.kind, Class) else [error.kind]


def guarded(
    run: Interpreter, work: Callable[[], T], takes: Callable[[str], bool | None] | None = None
) -> tuple[T | None, Guard]:
    """Do work behind a guard; return its result (None where it ends by an exception), and what it raised.

    The guard's point remains open: the caller closes or abandons it.
    """
    guard, marks = Guard(run.journal.open(), takes), run.mark()
    run.guards.append(guard)
    try:
        return work(), guard
    except Raised:
        run.back_to(marks)
        return None, guard
    finally:
        run.guards.remove(guard)


def stopped(run: Interpreter, work: Callable[[], T]) -> tuple[T | None, bool]:
    """Do work that may end by an exception; return its result, and whether it raised on the way."""
    marks = run.mark()
    try:
        return work(), False
    except Raised:
        run.back_to(marks)
        return None, True


def pass_on(run: Interpreter, error: Value) -> None:
    """Hand an exception on to the guard outside, in the present state; the path goes on here to its end."""
    if run.guards:
        guard = run.guards[-1]
        guard.ends.append((error, run.journal.since(guard.point)))


def caught(run: Interpreter, work: Callable[[], T], names: tuple[str, ...]) -> tuple[T | None, bool]:
    """Do work; return its result, or whether it certainly ended by an exception of one of these names.

    Raise LookupError where neither is certain.
    """
    result, guard = guarded(run, work)
    alive = result is not None and not guard.ends
    only = guard.ends[0] if len(guard.ends) == 1 and result is None else None
    wanted = Tuple(Contents(tuple(Library(f"builtins.{name}") for name in names)))
    if alive:
        run.journal.leave(guard.point)
        run.journal.close(guard.point)
        return result, False
    run.journal.abandon(guard.point)
    if only is None or matches(run, only[0], wanted) is not True:
        for error, state in guard.ends:
            if run.guards:
                run.guards[-1].ends.append((error, state))
        raise LookupError
    run.journal.restore(only[1])
    return None, True


def cleaned(run: Interpreter, work: Callable[[], bool], cleanup: Callable[[], bool]) -> bool:
    """Do work, and then the clean-up, also on the paths that end by an exception. Return whether a path goes on."""
    if not run.guards:
        return work() and cleanup()
    reached, guard = guarded(run, work)
    point = guard.point
    if reached:
        reached = stopped(run, cleanup)[0]
    if reached:
        run.journal.leave(point)
    after = list(point.ends)
    run.journal.abandon(point)
    for error, state in guard.ends:
        path = run.journal.open()
        run.journal.restore(state)
        if stopped(run, cleanup)[0]:
            pass_on(run, error)
        run.journal.abandon(path)
    for state in after:
        run.journal.restore(state)
    return bool(after)


def description(error: Value) -> str:
    """Return the class of an exception by its name."""
    for option in options(error):
        if isinstance(option, Instance):
            return option.kind.name.rsplit(".", 1)[-1]
    return "an exception"


def text(error: Instance) -> Value | None:
    """Return `str(exception)` of one whose arguments are constants; None for others."""
    given = error.table.get("args")
    if not isinstance(given, Tuple) or not given.contents.certain:
        return None
    values = [one.value for one in given.contents.items if isinstance(one, Const)]
    if len(values) != len(given.contents.items):
        return None
    if isinstance(error.kind, Library) and error.kind.name == "builtins.KeyError" and len(values) == 1:
        return Const(repr(values[0]))
    return Const("" if not values else str(values[0]) if len(values) == 1 else str(tuple(values)))
