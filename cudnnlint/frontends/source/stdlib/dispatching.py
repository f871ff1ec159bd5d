"""`functools.singledispatch`: a function that chooses what to call by the class of its first argument."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python import builtins, containers, kinds
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.class_escape import DISPATCHED
from cudnnlint.frontends.source.python.plain import Computed
from cudnnlint.frontends.source.python.values import (
    NONE,
    Bound,
    Contents,
    Function,
    Instance,
    Library,
    Listing,
    Partial,
    Tuple,
    UnknownValue,
    Value,
    join,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

DISPATCH = "functools.singledispatch"
REGISTER = "functools.·register"
_DEFAULT = "·default"


def _made(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    if not arguments.positional:
        return None
    dispatch = Instance(Library(DISPATCH), run.journal.table(), at=origin)
    run.journal.write(dispatch.table, _DEFAULT, arguments.positional[0])
    run.journal.write(dispatch.table, DISPATCHED, containers.new_list(run, ()))
    return dispatch


def method(run: Interpreter, bound: Bound, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `dispatch.register(kind)`, `dispatch.register(kind, function)` or `@dispatch.register`."""
    receiver = bound.receiver
    known = receiver.table.get(DISPATCHED) if isinstance(receiver, Instance) else None
    if bound.name != "register" or not isinstance(known, Listing) or not arguments.positional:
        return None
    first, *rest = arguments.positional
    if rest:
        return _register(run, Arguments([receiver, first, rest[0]]), origin)
    if isinstance(first, Function):
        return _register(run, Arguments([receiver, _annotated(run, first), first]), origin)
    return Partial(Library(REGISTER), (receiver, first), {})


def _annotated(run: Interpreter, function: Function) -> Value:
    """Return the class that the first parameter of a function is annotated with."""
    parameters = function.node.params
    first = [*parameters.posonly_params, *parameters.params][:1]
    written = first[0].annotation.annotation if first and first[0].annotation is not None else None
    if not isinstance(written, cst.Name):
        return UnknownValue("is an annotation that is not followed")
    found = function.scope.find(written.value) or builtins.find(written.value)
    return found or UnknownValue("is an annotation that is not followed")


def _register(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    dispatch, kind, function = arguments.positional
    known = dispatch.table.get(DISPATCHED) if isinstance(dispatch, Instance) else None
    if isinstance(known, Listing):
        run.call(run.attribute(known, "append", origin), Arguments([Tuple(Contents((kind, function)))]), origin)
    return function


def call(run: Interpreter, dispatch: Instance, arguments: Arguments, origin: Origin) -> Value | None:
    """Call the function that is registered for the class of the first argument."""
    known, default = dispatch.table.get(DISPATCHED), dispatch.table.get(_DEFAULT)
    if not isinstance(known, Listing) or default is None or not arguments.positional:
        return None
    contents = containers.contents_of(known)
    if not contents.certain:
        return None
    rows = [one.contents.items for one in contents.items if isinstance(one, Tuple)]
    answers = [(kinds.is_a(run, arguments.positional[0], kind), kind, function) for kind, function in rows]
    fitting = [(kind, function) for answer, kind, function in answers if answer]
    if all(answer is not None for answer, _, _ in answers) and len(fitting) < 2:
        return run.call(fitting[0][1] if fitting else default, arguments, origin)
    own = builtins.call(run, "type", Arguments(arguments.positional[:1]), origin)
    exact = [function for kind, function in fitting if containers.key_of(kind) == containers.key_of(own)]
    if exact:
        return run.call(exact[-1], arguments, origin)
    return run.call(join([default, *(function for _, function in rows)]), arguments, origin)


def table() -> dict[str, Computed]:
    """Return the functions by their dotted names."""
    return {DISPATCH: _made, REGISTER: _register, "weakref.ref": _reference, "functools.·given": _given}


def _reference(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `weakref.ref(object)`: a function that returns the object."""
    return Partial(Library("functools.·given"), tuple(arguments.positional[:1]), {}) if arguments.positional else None


def _given(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    return arguments.positional[0] if arguments.positional else NONE
