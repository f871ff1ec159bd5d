"""`argparse` and flags: the arguments of a program, which the source writes or the command line holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import escape, plain
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import (
    NONE,
    Bound,
    Const,
    Contents,
    Instance,
    Library,
    Tuple,
    UnknownValue,
    Value,
    words,
)
from cudnnlint.frontends.source.stdlib import argument_parsers
from cudnnlint.frontends.source.stdlib.argument_parsers import CALLS
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

COMMAND_LINE = argument_parsers.COMMAND_LINE
#: What holds the command line by itself: the words of it, and the flags of absl, which TensorFlow has too.
_FLAGS = words(
    "absl.flags tensorflow.flags tensorflow.app.flags tensorflow.compat.v1.flags tensorflow.compat.v1.app.flags "
    "tensorflow.python.platform.flags"
)
GIVEN = frozenset({"sys.argv", *(f"{module}.FLAGS" for module in _FLAGS)})
#: Methods that return another object to which arguments are added, and others that change a parser.
_MAKING = {
    "add_argument_group": "argparse._ArgumentGroup",
    "add_mutually_exclusive_group": "argparse._MutuallyExclusiveGroup",
    "add_subparsers": "argparse._SubParsersAction",
    "add_parser": "argparse.·ArgumentParser",
}
_CHANGING = words("add_argument set_defaults")
#: The cells of such an object: the parser that it is a part of, and its number there.
_OF, _NUMBER = "·of", "·number"


def defines(name: str) -> bool:
    """Return whether a function, by its dotted name, defines a flag and returns what holds its value."""
    module, _, function = name.rpartition(".")
    return function.startswith("DEFINE_") and module in _FLAGS


def method(run: Interpreter, bound: Bound, arguments: Arguments, origin: Origin) -> Value | None:
    """Call a method of an argument parser, or of a part of one; None for anything else."""
    receiver, kind = bound.receiver, bound.function
    if not isinstance(kind, Library) or not isinstance(receiver, Instance):
        return None
    if not kind.name.endswith("ArgumentParser") and kind.name not in _MAKING.values():
        return None
    if bound.name in _CHANGING or bound.name in _MAKING:
        return _noted(run, receiver, bound.name, arguments, origin)
    return _parsed(run, receiver, bound.name, arguments, origin) if "parse" in bound.name else None


def _noted(run: Interpreter, receiver: Instance, name: str, arguments: Arguments, origin: Origin) -> Value:
    """Note a call that changes a parser; return what the call makes."""
    of = receiver.table.get(_OF)
    parser = of if isinstance(of, Instance) else receiver
    before = parser.table.get(CALLS) or Tuple(Contents(()))
    calls = before.contents.items if isinstance(before, Tuple) else ()
    after = before
    if arguments.rest or arguments.open:
        after = UnknownValue(COMMAND_LINE)
    elif isinstance(before, Tuple):
        row = argument_parsers.row(run, receiver.table.get(_NUMBER) or Const(0), name, arguments)
        after = Tuple(Contents((*calls, row)))
    run.journal.write(parser.table, CALLS, after)
    if name not in _MAKING:
        return NONE
    made = Instance(Library(_MAKING[name]), run.journal.table(), at=origin)
    run.journal.write(made.table, _OF, parser)
    run.journal.write(made.table, _NUMBER, Const(len(calls) + 1))
    return made


def _parsed(run: Interpreter, receiver: Instance, name: str, arguments: Arguments, origin: Origin) -> Value | None:
    """Return the arguments that a parser reads, on the `namespace` that it is given or on a new one."""
    target, found = arguments.get(1, "namespace"), _attributes(run, receiver, name, arguments, origin)
    made = _namespace(run, target, found is not None, origin)
    if isinstance(made, Instance):
        unknown = {str(key): UnknownValue(COMMAND_LINE) for key, _ in made.table.items()}
        for key, value in (unknown if found is None else found).items():
            run.journal.write(made.table, key, value)
    elif target is not None:
        escape.of_value(run, target, COMMAND_LINE)
    return Tuple(Contents((made, UnknownValue(COMMAND_LINE)))) if "known" in name else made


def _namespace(run: Interpreter, target: Value | None, known: bool, origin: Origin) -> Value:
    """Return what gets the arguments: the `namespace` that is given, or a new one if they are known."""
    if isinstance(target, Instance):
        return target
    is_new = target is None or (isinstance(target, Const) and target.value is None)
    if not is_new or not known:
        return UnknownValue(COMMAND_LINE, at=origin)
    return Instance(Library("argparse.Namespace"), run.journal.table(), at=origin)


def _attributes(
    run: Interpreter, receiver: Instance, name: str, arguments: Arguments, origin: Origin
) -> dict[str, Value] | None:
    """Return what a parser makes of its arguments; None where it is not known what it takes."""
    texts, target = arguments.get(0, "args"), arguments.get(1, "namespace")
    try:
        if texts is not None and name in ("parse_args", "parse_known_args"):
            return argument_parsers.given(run, receiver, texts, target, origin, others="known" in name)
    except plain.NotPlain:
        pass  # they are not written here
    try:
        return argument_parsers.asked(run, receiver, origin)
    except plain.NotPlain:
        return None
