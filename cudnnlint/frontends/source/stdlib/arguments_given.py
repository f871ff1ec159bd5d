"""`argparse`: a parser that is given its arguments in the source is asked for real; others read the command line."""

from __future__ import annotations

import argparse
import contextlib
import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cudnnlint.frontends.source.python import containers, escape, plain, raising
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import (
    NONE,
    Bound,
    Const,
    Contents,
    Function,
    Instance,
    Library,
    Mapping,
    Tuple,
    UnknownValue,
    Value,
    words,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

COMMAND_LINE = "comes from the command line"
#: What holds the command line by itself: the words of it, and the flags of absl, which TensorFlow has too.
_FLAGS = words(
    "absl.flags tensorflow.flags tensorflow.app.flags tensorflow.compat.v1.flags tensorflow.compat.v1.app.flags "
    "tensorflow.python.platform.flags"
)
GIVEN = frozenset({"sys.argv", *(f"{module}.FLAGS" for module in _FLAGS)})
_ADDED = "·added"
_TYPES: dict[str, type] = {f"builtins.{kind.__name__}": kind for kind in (int, float, str, bool)}


def defines(name: str) -> bool:
    """Return whether a function, by its dotted name, defines a flag and returns what holds its value."""
    module, _, function = name.rpartition(".")
    return function.startswith("DEFINE_") and module in _FLAGS


class _Refused(Exception):
    """The arguments are not what the parser accepts."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise _Refused(message)

    def exit(self, status: int = 0, message: str | None = None) -> Any:
        raise _Refused(message)


def method(run: Interpreter, bound: Bound, arguments: Arguments, origin: Origin) -> Value | None:
    """Call a method of an argument parser; None for anything else."""
    receiver = bound.receiver
    kind = receiver.kind if isinstance(receiver, Instance) else None
    if not isinstance(kind, Library) or not kind.name.endswith("ArgumentParser") or not isinstance(receiver, Instance):
        return None
    if bound.name == "add_argument":
        added = receiver.table.get(_ADDED)
        before = added.contents.items if isinstance(added, Tuple) else ()
        named = containers.new_dict(run, ((Const(key), value) for key, value in arguments.keywords.items()))
        row = Tuple(Contents((Tuple(Contents(tuple(arguments.positional))), named)))
        run.journal.write(receiver.table, _ADDED, Tuple(Contents((*before, row))))
        return NONE
    if "parse" not in bound.name:
        return None
    target = arguments.get(1, "namespace")
    found = _parsed(run, receiver, arguments, origin) if bound.name == "parse_args" else None
    if isinstance(target, Instance):
        for key, _ in target.table.items() if found is None else ():
            run.journal.write(target.table, key, UnknownValue(COMMAND_LINE))
        for name, value in (found or {}).items():
            run.journal.write(target.table, name, value)
        return target if bound.name == "parse_args" else Tuple(Contents((target, UnknownValue(COMMAND_LINE))))
    if target is not None:
        escape.of_value(run, target, COMMAND_LINE)
    if found is None:
        return UnknownValue(COMMAND_LINE, at=origin)
    made = Instance(Library("argparse.Namespace"), run.journal.table(), at=origin)
    for name, value in found.items():
        run.journal.write(made.table, name, value)
    return made


def _parsed(run: Interpreter, receiver: Instance, arguments: Arguments, origin: Origin) -> dict[str, Value] | None:
    """Return what the parser makes of arguments that are written in the source; None where that is not known."""
    given, target, added = arguments.get(0, "args"), arguments.get(1, "namespace"), receiver.table.get(_ADDED)
    if given is None or not isinstance(added, (Tuple, type(None))):
        return None
    parser = _Parser(add_help=False)
    try:
        texts = plain.plain(run, given)
        for row in added.contents.items if isinstance(added, Tuple) else ():
            _add(run, parser, row, origin)
        start = argparse.Namespace()
        if isinstance(target, Instance):
            for key, value in target.table.items():
                setattr(start, str(key), plain.plain(run, value))
        with contextlib.redirect_stderr(io.StringIO()):
            parsed = parser.parse_args(texts, start)
        return {name: plain.abstract(run, value) for name, value in vars(parsed).items()}
    except (plain.NotPlain, _Refused, *plain.ERRORS):
        return None


def _converting(run: Interpreter, function: Function, origin: Origin) -> Callable[[str], Any]:
    """Return a function of the program as Python's own: what it makes of the text of an argument."""

    def convert(text: str) -> Any:
        made, guard = raising.guarded(run, lambda: run.call(function, Arguments([Const(text)]), origin))
        if made is None or guard.ends:
            run.journal.abandon(guard.point)
            raise plain.NotPlain(UnknownValue(COMMAND_LINE))
        run.journal.leave(guard.point)
        run.journal.close(guard.point)
        return plain.plain(run, made)

    return convert


def _add(run: Interpreter, parser: _Parser, row: Value, origin: Origin) -> None:
    names, named = containers.elements(run, row).items
    passed: dict[str, Any] = {}
    for key, value in named.table.items() if isinstance(named, Mapping) else ():
        if key == "type" and isinstance(value, Library) and value.name in _TYPES:
            passed["type"] = _TYPES[value.name]
        elif key == "type" and isinstance(value, Function):
            passed["type"] = _converting(run, value, origin)
        elif key != "help":
            passed[str(key)] = plain.plain(run, value)
    parser.add_argument(*plain.plain(run, names), **passed)
