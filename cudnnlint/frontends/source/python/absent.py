"""What Python raises for what is not there: keys, places in a sequence, arguments that a function needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import libcst as cst

from cudnnlint.frontends.source.python import containers, plain, raising, signatures, views
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.scopes import Frame
from cudnnlint.frontends.source.python.values import (
    ANY,
    Const,
    Function,
    Library,
    Listing,
    Mapping,
    Tuple,
    UnknownValue,
    Value,
    words,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def check_key(run: Interpreter, mapping: Mapping, index: Value) -> None:
    """Raise what `mapping[index]` raises where there is certainly no such key."""
    key = containers.key_of(index)
    nothing = key is not None and not (mapping.table.get(key) or mapping.table.get(ANY))
    if nothing and (mapping.body is None or views.is_ordered(mapping)):
        raising.throw_python(run, "KeyError", index)


def check_place(run: Interpreter, value: Value, index: Value) -> None:
    """Raise what Python raises for an index behind the end of a list, tuple or text."""
    text = isinstance(value, Const) and isinstance(value.value, (str, bytes, range))
    place = isinstance(index, Const) and isinstance(index.value, int)
    if not (place and isinstance(index, Const)) or not (text or isinstance(value, (Tuple, Listing))):
        return
    contents = containers.elements(run, value)
    if contents.certain and not -len(contents.items) <= index.value < len(contents.items):
        raising.throw_python(run, "IndexError", Const("index out of range"))


def check_arguments(run: Interpreter, function: Function, arguments: Arguments, bound: dict[str, Value]) -> None:
    """Raise what a call raises that passes too few arguments, or more than the function takes."""
    if arguments.rest or arguments.open or not run.guards:
        return
    parameters = function.node.params
    named = {parameter.name.value for parameter in signatures.every_parameter(parameters)}
    positional = len(parameters.posonly_params) + len(parameters.params)
    too_many = len(arguments.positional) > positional and not isinstance(parameters.star_arg, cst.Param)
    strange = parameters.star_kwarg is None and any(name not in named for name in arguments.keywords)
    missing = any(name not in bound and signatures.default_of(run, function, name) is None for name in named)
    if too_many or strange or missing:
        raising.throw_python(run, "TypeError", Const(f"{function.name}() is called with other arguments"))


#: Functions of libraries that fail for no reason but their arguments, and of which that is seen.
CHECKED = words("ast.literal_eval json.loads tomllib.loads tomli.loads")


def check_call(run: Interpreter, function: Callable[..., Any], given: Arguments) -> None:
    """Raise what a function of Python raises for these arguments, where all of them are constants."""
    if not run.guards or given.keywords or not all(isinstance(value, Const) for value in given.positional):
        return
    try:
        plain.attempt(function, *(plain.plain(run, value) for value in given.positional))
    except plain.NotPlain as failed:
        if failed.error is not None and run.guards:
            kind = type(failed.error)
            name = f"{kind.__module__.split('.')[0]}.{kind.__name__}"  # `json.decoder.JSONDecodeError` is one of json
            raising.throw(run, raising.made(run, Library(name), (Const(str(failed.error)),)))


def base(run: Interpreter, node: cst.BaseExpression, frame: Frame) -> Value:
    """Return a base class; one that is written as an attribute is noted, as a library may lack it."""
    value = run.evaluate(node, frame)
    if isinstance(node, cst.Attribute) and isinstance(value, Library):
        run.library.imported(run, value.name, Origin(frame.unit, node))
    return value


#: Names that Python 2 had, which programs look for in a `try`.
_OF_PYTHON_2 = words("basestring cmp execfile file long raw_input reduce reload unichr unicode xrange")


def undefined(run: Interpreter, name: str, origin: Origin, starred: bool) -> UnknownValue:
    """Return the unknown value of a name that nothing binds; raise NameError for one that Python 3 has no more.

    `starred`: a star import of something that is not read may bind it.
    """
    if name in _OF_PYTHON_2 and not starred:
        raising.throw_python(run, "NameError", Const(f"name {name!r} is not defined"))
    return UnknownValue("is not defined in the code that was read", name, at=origin)


def unbound(run: Interpreter, name: str, origin: Origin) -> Value:
    """Raise what the name of a local raises before it gets a value; return it where nothing takes the exception."""
    raising.throw_python(run, "UnboundLocalError", Const(f"{name!r} has no value yet"))
    return UnknownValue("is read before it gets a value, where Python stops", name, at=origin)
