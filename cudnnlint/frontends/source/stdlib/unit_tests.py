"""`unittest.TestCase`: a test that the program runs itself, by `debug()` or `run()`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import classes
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import NONE, Bound, Class, Const, Function, Instance, Library, Value
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

CASES = frozenset({"unittest.TestCase", "unittest.case.TestCase"})
_TEST = "·test"


def prepare(run: Interpreter, case: Instance, arguments: Arguments) -> None:
    """Note which test an object is to run."""
    name = arguments.get(0, "methodName")
    if name is not None:
        run.journal.write(case.table, _TEST, name)


def method(run: Interpreter, bound: Bound, arguments: Arguments, origin: Origin) -> Value | None:
    """Run a test with what is around it; None for any other method."""
    case, owner = bound.receiver, bound.function
    if not isinstance(case, Instance) or not isinstance(owner, Library) or owner.name not in CASES:
        return None
    if bound.name not in ("debug", "run") or not isinstance(case.kind, Class):
        return None
    test = case.table.get(_TEST) or Const("runTest")
    for name in ("setUp", test.value, "tearDown") if isinstance(test, Const) else ():
        found = classes.search(case.kind, str(name))
        if found is not None and isinstance(found[0], Function):
            run.call(run.attribute(case, str(name), origin), Arguments(), origin)
    return NONE if isinstance(test, Const) else None
