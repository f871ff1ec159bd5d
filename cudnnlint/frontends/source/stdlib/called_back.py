"""Functions that call what they are given: `json.loads` and `re.sub` for parts of a text, `app.run` for a program."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from cudnnlint.frontends.source.python import absent, containers, escape, plain
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.call_path import Step
from cudnnlint.frontends.source.python.plain import Computed, NotPlain
from cudnnlint.frontends.source.python.values import Const, Contents, Tuple, UnknownValue, Value, assumption
from cudnnlint.frontends.source.stdlib import texts
from cudnnlint.frontends.source.stdlib.arguments_given import COMMAND_LINE
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

_PROGRAMS = ("absl.app.run", "tensorflow.app.run", "tensorflow.compat.v1.app.run")
_HOOKS = frozenset({"object_hook", "object_pairs_hook", "parse_float", "parse_int"})


class _Written:
    """A number as it is written in a text."""

    def __init__(self, hook: str, text: str) -> None:
        self.hook = hook
        self.text = text


class _Pairs(list[Any]):
    """The entries of an object in a text, in their order."""


def _loads(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `json.loads(text, object_hook=..., parse_float=...)`: innermost first, in the order of the text."""
    hooks = {key: value for key, value in arguments.keywords.items() if key in _HOOKS}
    if not hooks:
        absent.check_call(run, json.loads, arguments)
        return plain.evaluate(run, json.loads, arguments, origin)
    if len(hooks) < len(arguments.keywords) or len(arguments.positional) != 1 or arguments.open:
        return None
    reading: dict[str, Any] = {"object_pairs_hook": _Pairs}
    for name in ("parse_float", "parse_int"):
        if name in hooks:
            reading[name] = lambda text, name=name: _Written(name, text)
    try:
        text = plain.plain(run, arguments.positional[0])
        plain.check_size([text])
        return _built(run, plain.attempt(json.loads, text, **reading), hooks, origin)
    except NotPlain as error:
        return plain.unknown_of(error.value, origin)


def _built(run: Interpreter, value: Any, hooks: dict[str, Value], origin: Origin) -> Value:
    """Return a part of what was read, with the hooks called on it."""
    if isinstance(value, _Written):
        return run.call(hooks[value.hook], Arguments([Const(value.text)]), origin)
    if isinstance(value, _Pairs):
        entries = [(Const(key), _built(run, inner, hooks, origin)) for key, inner in value]
        if "object_pairs_hook" in hooks:
            pairs = containers.new_list(run, [Tuple(Contents(entry)) for entry in entries])
            return run.call(hooks["object_pairs_hook"], Arguments([pairs]), origin)
        made = containers.new_dict(run, entries)
        return run.call(hooks["object_hook"], Arguments([made]), origin) if "object_hook" in hooks else made
    if isinstance(value, list):
        return containers.new_list(run, [_built(run, inner, hooks, origin) for inner in value])
    return Const(value)


def _sub(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `re.sub(pattern, replacement, text)`, also where the replacement is a function."""
    function = arguments.get(1, "repl")
    if function is None or isinstance(function, Const) or len(arguments.positional) != 3 or arguments.keywords:
        return plain.evaluate(run, _plain_sub, arguments, origin)
    pattern, _, text = arguments.positional
    try:
        known, searched = plain.plain(run, pattern), plain.plain(run, text)
        plain.check_size([searched])
        plain.attempt(texts.check_pattern, known, [searched])
        matches = plain.attempt(lambda: list(re.finditer(known, searched)))
    except NotPlain as error:
        return plain.unknown_of(error.value, origin)
    parts: list[str] = []
    place = 0
    for number, match in enumerate(matches):
        with run.step(Step(origin, number)):
            made = run.call(function, Arguments([Const(match)]), origin)
        if not isinstance(made, Const) or not isinstance(made.value, str):
            return run.unfollowed("is not evaluated", origin.node, origin.unit)
        parts += [searched[place : match.start()], made.value]
        place = match.end()
    return Const("".join([*parts, searched[place:]]), assumed=assumption(pattern, text))


def _plain_sub(pattern: Any, replacement: Any, text: Any, count: int = 0, flags: int = 0) -> Any:
    texts.check_pattern(pattern, [replacement, text])
    return re.sub(pattern, replacement, text, count=count, flags=flags)


def _program(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `app.run(main)`, which calls the function with what the flags leave of the command line."""
    main = arguments.get(0, "main")
    if main is None:
        return None
    return run.call(main, Arguments([UnknownValue(COMMAND_LINE, at=origin)]), origin)


def _followed(function: Computed) -> Computed:
    """Return a function that calls what it is given: where that is not followed, it may have done anything."""

    def compute(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        found = function(run, arguments, origin)
        if found is None or isinstance(found, UnknownValue):
            escape.from_known(run, arguments, origin)
        return found

    return compute


CALLING = {"json.loads": _followed(_loads), "re.sub": _followed(_sub)}


def table() -> dict[str, Computed]:
    """Return the functions by their dotted names."""
    return {**CALLING, **dict.fromkeys(_PROGRAMS, _program)}
