"""What an argument parser of a program returns: the calls that made it are made again on one of Python's own."""

from __future__ import annotations

import argparse
import contextlib
import io
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from cudnnlint.frontends.source.python import containers, plain, raising
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import (
    MOST_OPTIONS,
    UNBOUND,
    Const,
    Contents,
    Instance,
    Library,
    Mapping,
    Tuple,
    UnknownValue,
    Value,
    identity,
    join,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

COMMAND_LINE = "comes from the command line"
#: The cell of a parser with the calls that made it: for each the number of the object, the method, and the arguments.
#: The parser has number 0, and what the first call returns (a group, say) number 1.
CALLS = "·calls"
_TYPES: dict[str, type] = {f"builtins.{kind.__name__}": kind for kind in (int, float, str, bool)}
#: What a parser is made with that decides what it returns.
_OF_PARSER = frozenset({"parents", "argument_default", "prefix_chars", "conflict_handler", "allow_abbrev"})
#: Keywords of other calls that decide nothing but what is printed.
_PRINTED = frozenset(
    {"add_help", "help", "metavar", "version", "title", "description", "epilog", "usage", "prog", "formatter_class"}
)
#: Keywords whose value is handed on to the program as it is, if it is no text that is converted.
_HANDED_ON = frozenset({"default", "const", "argument_default"})


class _Refused(Exception):
    """The arguments are not what the parser accepts."""


class Parser(argparse.ArgumentParser):
    """Python's parser, which neither prints nor ends the process."""

    def error(self, message: str) -> Any:
        raise _Refused(message)

    def exit(self, status: int = 0, message: str | None = None) -> Any:
        raise _Refused(message)


class _Held:
    """A value that a parser only hands on: a class, a function, or what is not known."""

    def __init__(self, value: Value) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held) and identity(self.value) == identity(other.value)

    def __hash__(self) -> int:
        return hash(identity(self.value))


def given(
    run: Interpreter, made: Instance, texts: Value, start: Value | None, origin: Origin, others: bool = False
) -> dict[str, Value]:
    """Return the attributes that a parser makes of arguments that the source writes; `start` has some already.

    `others`: arguments that it does not know are left alone. Raises NotPlain where the arguments are not known, or
    where the parser does not accept them.
    """
    words = plain.plain(run, texts)
    if words is None or made.table.get("fromfile_prefix_chars") is not None:
        raise plain.NotPlain(UnknownValue(COMMAND_LINE))
    namespace = argparse.Namespace()
    for key, value in start.table.items() if isinstance(start, Instance) else ():
        setattr(namespace, str(key), _held(run, value))
    parser = _made_again(run, made, origin)
    with contextlib.redirect_stderr(io.StringIO()):
        read = _attempt(parser.parse_known_args if others else parser.parse_args, words, namespace)
    found = vars(read[0] if others else read)
    return {name: _abstract(run, value) for name, value in found.items()}


def _attempt(function: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """Call a method of Python's own parser; raise NotPlain where it refuses that."""
    try:
        return plain.attempt(function, *given, **named)
    except (_Refused, argparse.ArgumentError, argparse.ArgumentTypeError, AssertionError) as error:
        raise plain.NotPlain(UnknownValue(COMMAND_LINE), error) from error


def asked(run: Interpreter, made: Instance, origin: Origin) -> dict[str, Value]:
    """Return what each attribute may be where the user gives the arguments; raises NotPlain where that is not known."""
    return _from_user(run, _made_again(run, made, origin))


def _from_user(run: Interpreter, parser: argparse.ArgumentParser) -> dict[str, Value]:
    found: dict[str, Value] = {name: _abstract(run, value) for name, value in parser._defaults.items()}
    asked: dict[str, list[Value]] = {}
    for action in parser._actions:
        if action.dest != argparse.SUPPRESS and not isinstance(action, argparse._SubParsersAction):
            asked.setdefault(action.dest, []).append(_any_of(run, parser, action))
    found.update((name, join(values)) for name, values in asked.items())
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            ways: list[tuple[str | None, dict[str, Value]]] = [] if action.required else [(None, found)]
            ways += [(name, {**found, **_from_user(run, one)}) for name, one in action.choices.items()]
            found = _one_of(action, ways) if ways else found
    return found


def _one_of(action: argparse.Action, ways: list[tuple[str | None, dict[str, Value]]]) -> dict[str, Value]:
    """Return what each attribute may be where the user chooses one of several subcommands."""
    why = f"`{action.dest}` {COMMAND_LINE}" if action.dest != argparse.SUPPRESS else f"a subcommand {COMMAND_LINE}"
    names = dict.fromkeys(name for _, found in ways for name in found)
    joined = {name: join([found.get(name, UNBOUND) for _, found in ways], why) for name in names}
    chosen = {} if action.dest == argparse.SUPPRESS else {action.dest: join([Const(name) for name, _ in ways], why)}
    return {**joined, **chosen}


def _any_of(run: Interpreter, parser: argparse.ArgumentParser, action: argparse.Action) -> Value:
    """Return what one argument may be: one of its choices, or whatever the user writes."""
    name = max(action.option_strings, key=len, default=action.dest)
    unknown = UnknownValue(COMMAND_LINE, name)
    default = action.default
    if isinstance(default, str) and default != argparse.SUPPRESS:
        default = _attempt(parser._get_value, action, default)
    if isinstance(action, argparse.BooleanOptionalAction):
        values = [default, True, False]
    elif isinstance(action, argparse._StoreConstAction):
        values = [default, action.const]
    elif isinstance(action, argparse._StoreAction) and action.choices is not None and action.nargs in (None, "?"):
        values = [*([] if action.required else [default]), *([action.const] if action.nargs else []), *action.choices]
    else:
        return unknown if default != argparse.SUPPRESS else join([unknown, UNBOUND])
    several = [UNBOUND if value == argparse.SUPPRESS else _abstract(run, value) for value in values]
    return unknown if len(several) > MOST_OPTIONS else join(several, f"`{name}` {COMMAND_LINE}")


# ---------------------------------------------------------------- making a parser again


def _made_again(run: Interpreter, made: Instance, origin: Origin) -> Parser:
    """Return Python's own parser, made as the program makes its parser."""
    given = [(name, value) for name, value in made.table.items() if name in _OF_PARSER]
    parser: Parser = _attempt(Parser, prog="program", add_help=False, **_keywords(run, given, origin))
    calls = made.table.get(CALLS)
    if not isinstance(calls, (Tuple, type(None))):
        raise plain.NotPlain(calls)
    objects: list[Any] = [parser]
    for call in calls.contents.items if isinstance(calls, Tuple) else ():
        receiver, name, positional, keywords = containers.elements(run, call).items
        assert isinstance(keywords, Mapping)
        method = getattr(objects[plain.plain(run, receiver)], plain.plain(run, name))
        if method.__name__ == "set_defaults":
            passed = {str(name): _held(run, value) for name, value in keywords.table.items()}
        else:
            passed = _keywords(run, keywords.table.items(), origin)
        if method.__name__ == "add_parser":
            passed["add_help"] = False
        objects.append(_attempt(method, *plain.plain(run, positional), **passed))
    return parser


def _keywords(run: Interpreter, given: Iterable[tuple[Any, Value]], origin: Origin) -> dict[str, Any]:
    """Return the keywords of a call, as Python's own parser takes them."""
    passed: dict[str, Any] = {}
    for key, value in given:
        if key in _HANDED_ON:
            passed[key] = _held(run, value)
        elif key == "type":
            passed[key] = _TYPES.get(value.name) if isinstance(value, Library) else None
            passed[key] = passed[key] or _converting(run, value, origin)
        elif key == "action" and isinstance(value, Library) and value.name == "argparse.BooleanOptionalAction":
            passed[key] = argparse.BooleanOptionalAction
        elif key == "choices":
            contents = containers.elements(run, value)
            passed[key] = [_held(run, one) for one in contents.items] if contents.certain else None
        elif key == "parents":
            passed[key] = list(_parents(run, value, origin))
        elif key not in _PRINTED:
            passed[str(key)] = plain.plain(run, value)
            plain.check_size([passed[str(key)]], grows=True)
    return passed


def _parents(run: Interpreter, value: Value, origin: Origin) -> Iterator[Parser]:
    contents = containers.elements(run, value)
    for one in contents.items:
        if not contents.certain or not isinstance(one, Instance):
            raise plain.NotPlain(one)
        yield _made_again(run, one, origin)


def _held(run: Interpreter, value: Value) -> Any:
    """Return a value as Python's own; held as it is where it is none."""
    try:
        return plain.plain(run, value)
    except plain.NotPlain:
        return _Held(value)


def _abstract(run: Interpreter, value: Any) -> Value:
    """Return what a parser hands on as an abstract value."""
    if isinstance(value, _Held):
        return value.value
    if isinstance(value, list) and any(isinstance(one, _Held) for one in value):
        return containers.new_list(run, [_abstract(run, one) for one in value])
    return plain.abstract(run, value)


def _converting(run: Interpreter, function: Value, origin: Origin) -> Callable[[str], Any]:
    """Return a function of the program as Python's own: what it makes of the text of an argument."""

    def convert(text: str) -> Any:
        made, guard = raising.guarded(run, lambda: run.call(function, Arguments([Const(text)]), origin))
        if made is None or guard.ends:
            run.journal.abandon(guard.point)
            raise plain.NotPlain(UnknownValue(COMMAND_LINE))
        run.journal.leave(guard.point)
        run.journal.close(guard.point)
        return _held(run, made)

    return convert


def row(run: Interpreter, number: Value, name: str, arguments: Arguments) -> Value:
    """Return a call of a method of a parser, or of what has `number`, as it is kept in the cell CALLS."""
    keywords = containers.new_dict(run, ((Const(key), value) for key, value in arguments.keywords.items()))
    return Tuple(Contents((number, Const(name), Tuple(Contents(tuple(arguments.positional))), keywords)))
