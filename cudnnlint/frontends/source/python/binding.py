"""The parameters of a function, bound to the arguments of a call."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python import absent, containers, signatures
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import (
    ANY,
    Contents,
    Function,
    Tuple,
    UnknownValue,
    Value,
    join,
    may_be_missing,
    present,
)

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def bind(run: Interpreter, function: Function, arguments: Arguments) -> dict[str, Value]:
    """Return what each parameter of a function holds when it is called with these arguments."""
    parameters = function.node.params
    positional = [parameter.name.value for parameter in (*parameters.posonly_params, *parameters.params)]
    bound: dict[str, Value] = dict(zip(positional, arguments.positional, strict=False))
    left = dict(arguments.keywords)
    for name in [*positional, *(parameter.name.value for parameter in parameters.kwonly_params)]:
        if name in left and name not in bound:
            bound[name] = left.pop(name)
    absent.check_arguments(run, function, arguments, bound)
    for parameter in signatures.every_parameter(parameters):
        name = parameter.name.value
        if name not in bound or may_be_missing(bound[name]):
            bound[name] = _not_given(run, function, arguments, name, bound.get(name))
    if isinstance(parameters.star_arg, cst.Param):
        more = arguments.positional[len(positional) :]
        rest = UnknownValue(arguments.rest, None) if arguments.rest else None
        bound[parameters.star_arg.name.value] = Tuple(Contents(tuple(more), rest))
    if parameters.star_kwarg is not None:
        bound[parameters.star_kwarg.name.value] = _rest_of_keywords(run, left, arguments)
    return bound


def _not_given(run: Interpreter, function: Function, arguments: Arguments, name: str, given: Value | None) -> Value:
    """Return the value of a parameter that may not be passed: its default, or an argument that is not seen."""
    default = signatures.default_of(run, function, name)
    found = [] if given is None else [present(given)]
    if given is not None or default is not None:
        found += [] if default is None else [default]
    hidden = arguments.open or arguments.rest
    if hidden:
        found.append(UnknownValue(hidden, None, "hidden"))
    return join(found) if found else UnknownValue(f"is not passed to {function.name}()", name)


def _rest_of_keywords(run: Interpreter, left: dict[str, Value], arguments: Arguments) -> Value:
    mapping = containers.new_dict(run)
    for name, value in left.items():
        run.journal.write(mapping.table, name, value)
    if arguments.open:
        run.journal.write(mapping.table, ANY, UnknownValue(arguments.open, None))
    return mapping
