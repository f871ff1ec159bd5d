"""Small objects: context variables, and pickled values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import raising
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.plain import Computed
from cudnnlint.frontends.source.python.values import NONE, Bound, Const, Instance, Library, UnknownValue, Value
from cudnnlint.frontends.source.stdlib import objects
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

VARIABLE, _TOKEN = "contextvars.ContextVar", "contextvars.Token"
_DEFAULT, _NOW, _BEFORE, _HELD = "·default", "·now", "·before", "·held"
_PICKLED = "pickle.·pickled"


def _variable(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    made = Instance(Library(VARIABLE), run.journal.table(), at=origin)
    run.journal.write(made.table, "name", arguments.get(0, "name") or NONE)
    if "default" in arguments.keywords:
        run.journal.write(made.table, _DEFAULT, arguments.keywords["default"])
    return made


def method(run: Interpreter, bound: Bound, arguments: Arguments, origin: Origin) -> Value | None:
    """Call `get`, `set` or `reset` of a context variable; None for anything else."""
    variable = bound.receiver
    if not isinstance(variable, Instance) or not isinstance(variable.kind, Library) or variable.kind.name != VARIABLE:
        return None
    if bound.name == "get":
        found = variable.table.get(_NOW) or arguments.get(0, "default") or variable.table.get(_DEFAULT)
        if found is None:
            raising.throw_python(run, "LookupError")
        return found or UnknownValue("is a context variable that has no value", origin, at=origin)
    given = arguments.get(0, "value") or NONE
    if bound.name == "set":
        token = Instance(Library(_TOKEN), run.journal.table(), at=origin)
        before = variable.table.get(_NOW)
        if before is not None:
            run.journal.write(token.table, _BEFORE, before)
        run.journal.write(variable.table, _NOW, given)
        return token
    if bound.name == "reset":
        before = given.table.get(_BEFORE) if isinstance(given, Instance) else UnknownValue("is not followed")
        run.journal.write(variable.table, _NOW, before or variable.table.get(_DEFAULT) or UnknownValue("is not set"))
        return NONE
    return None


def _dumps(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `pickle.dumps(value)`: bytes of which nothing is known but what they hold."""
    copied = objects.deep_copy(run, Arguments(arguments.positional[:1]), origin, pickled=True)
    if copied is None:
        return None
    made = Instance(Library(_PICKLED), run.journal.table(), at=origin)
    run.journal.write(made.table, _HELD, copied)
    return made


def _loads(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `pickle.loads(bytes)` of what was pickled in the same program."""
    given = arguments.positional[0] if arguments.positional else NONE
    held = given.table.get(_HELD) if isinstance(given, Instance) else None
    return None if held is None else objects.deep_copy(run, Arguments([held]), origin, pickled=True)


def _lookup(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `sys.intern(text)`."""
    given = arguments.positional[0] if arguments.positional else NONE
    return given if isinstance(given, Const) else None


def table() -> dict[str, Computed]:
    """Return the functions by their dotted names."""
    return {VARIABLE: _variable, "pickle.dumps": _dumps, "pickle.loads": _loads, "sys.intern": _lookup}
