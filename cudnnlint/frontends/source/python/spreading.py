"""The arguments that a call passes, evaluated and spread: `f(a, *more, key=value, **options)`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python import containers, mappings
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.scopes import Frame
from cudnnlint.frontends.source.python.values import (
    ANY,
    UNBOUND,
    Mapping,
    Partial,
    UnknownValue,
    Value,
    assume,
    choice,
    join,
    may_be_missing,
    options,
    placed,
    present,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def gather(run: Interpreter, nodes: Sequence[cst.Arg], frame: Frame) -> Arguments:
    """Return the arguments of a call, evaluated."""
    arguments = Arguments()
    for node in nodes:
        value = run.evaluate(node.value, frame)
        if node.star == "*":
            _spread_sequence(run, arguments, value)
        elif node.star == "**":
            spread_mapping(arguments, join([mappings.of_object(run, one) for one in options(value)], choice(value)))
        elif node.keyword is not None:
            arguments.keywords[node.keyword.value] = placed(value, Origin(frame.unit, node.value))
        else:
            arguments.positional.append(placed(value, Origin(frame.unit, node.value)))
    return arguments


def _spread_sequence(run: Interpreter, arguments: Arguments, value: Value) -> None:
    """Add the arguments of `*value`."""
    contents = containers.elements(run, value)
    if contents.certain:
        arguments.positional.extend(contents.items)
        return
    rest = contents.rest
    arguments.rest = rest.because if isinstance(rest, UnknownValue) else "the number of arguments is not known"


def spread_mapping(arguments: Arguments, value: Value) -> None:
    """Add the arguments of `**value`: later ones win, and an Either gives each key the values of its alternatives."""
    alternatives = options(value)
    if len(alternatives) == 1:
        _spread_one(arguments, alternatives[0])
        return
    before = arguments.keywords
    spread: list[Arguments] = []
    for alternative in alternatives:
        one = Arguments(keywords=dict(before))
        _spread_one(one, alternative)
        spread.append(one)
    because = choice(value)
    names = dict.fromkeys(name for one in spread for name in one.keywords)
    arguments.keywords = {name: join([one.keywords.get(name, UNBOUND) for one in spread], because) for name in names}
    arguments.open = next((one.open for one in spread if one.open), arguments.open)


def of_partial(part: Partial) -> Arguments:
    """Return the keyword arguments that a partial gives; its dict of them may have been changed."""
    given = Arguments(keywords=dict(part.keywords), open=part.open)
    if part.held is not None:
        given = Arguments()
        _spread_one(given, part.held)
    return given


def _spread_one(arguments: Arguments, value: Value) -> None:
    if isinstance(value, Mapping):
        anything = value.table.get(ANY)
        for key, cell in value.table.items():
            if isinstance(key, str) and key != ANY:
                given = assume(join([cell, anything]) if anything is not None else cell, value.assumed)
                before = arguments.keywords.get(key, UNBOUND)
                arguments.keywords[key] = join([present(given), before]) if may_be_missing(given) else given
        if anything is not None:
            reasons = [option.because for option in options(anything) if isinstance(option, UnknownValue)]
            arguments.open = reasons[0] if reasons else "a keyword argument's name is not known"
    elif isinstance(value, UnknownValue):
        arguments.open = value.because
    elif not containers.is_nothing(value):
        arguments.open = "the arguments that `**` passes are not known"
