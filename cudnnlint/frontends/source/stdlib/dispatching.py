"""`functools.singledispatch` and `singledispatchmethod`: what is called is chosen by the class of an argument."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.python import builtins, classes, containers, escape, functions, hooks, kinds
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.class_escape import DISPATCHED
from cudnnlint.frontends.source.python.plain import Computed
from cudnnlint.frontends.source.python.values import (
    NONE,
    Bound,
    Class,
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
    options,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

DISPATCH = "functools.singledispatch"
REGISTER = "functools.·register"
_DEFAULT = "·default"


def _making(name: str) -> Computed:
    def made(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        return _made(run, Library(name), arguments, origin)

    return made


def _made(run: Interpreter, kind: Library, arguments: Arguments, origin: Origin) -> Value | None:
    if not arguments.positional:
        return None
    dispatch = Instance(kind, run.journal.table(), at=origin)
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
        return _register(run, Arguments([receiver, _annotated(run, receiver, first), first]), origin)
    return Partial(Library(REGISTER), (receiver, first), {})


def _annotated(run: Interpreter, dispatch: Value, function: Function) -> Value:
    """Return the class that the first parameter of a function, behind `self`, is annotated with."""
    parameters, place = function.node.params, int(_is_method(dispatch))
    first = [*parameters.posonly_params, *parameters.params][place : place + 1]
    written = first[0].annotation.annotation if first and first[0].annotation is not None else None
    if not isinstance(written, cst.Name):
        return UnknownValue("is an annotation that is not followed")
    found = function.scope.find(written.value) or builtins.find(written.value)
    return found or UnknownValue("is an annotation that is not followed")


def _is_method(dispatch: Value) -> bool:
    kind = dispatch.kind if isinstance(dispatch, Instance) else None
    return isinstance(kind, Library) and kind.name == hooks.DISPATCHED_METHOD


def _register(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    dispatch, kind, function = arguments.positional
    known = dispatch.table.get(DISPATCHED) if isinstance(dispatch, Instance) else None
    if isinstance(known, Listing):
        run.call(run.attribute(known, "append", origin), Arguments([Tuple(Contents((kind, function)))]), origin)
    return function


def call(run: Interpreter, dispatch: Instance, arguments: Arguments, origin: Origin) -> Value | None:
    """Call the function that is registered for the class of the first argument."""
    chosen = _chosen(run, dispatch, arguments.positional[:1], origin)
    return None if chosen is None else run.call(chosen, arguments, origin)


def _on_object(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Call a `singledispatchmethod` on an object; through its class the object itself is the first argument."""
    dispatch, receiver, *given = arguments.positional
    owner = _owner(receiver, dispatch) if isinstance(dispatch, Instance) else None
    if owner is None or not isinstance(dispatch, Instance):
        return None
    chosen, passed = _chosen(run, dispatch, given[:1], origin), [] if isinstance(receiver, Class) else [receiver]
    methods = [functions.as_method(option, owner) for option in options(chosen or NONE)]
    arguments = replace(arguments, positional=[*passed, *given])
    return None if chosen is None else run.call(join(methods), arguments, origin)


def _owner(receiver: Value, dispatch: Instance) -> Class | None:
    """Return the class of an object in whose body a `singledispatchmethod` is."""
    kind = receiver if isinstance(receiver, Class) else classes.kind_of(receiver)
    lineage = classes.lineage(kind) if isinstance(kind, Class) else []
    holding = (one for one in lineage if isinstance(one, Class) and any(v is dispatch for _, v in one.table.items()))
    return next(holding, None)


def _chosen(run: Interpreter, dispatch: Instance, first: list[Value], origin: Origin) -> Value | None:
    """Return the function for the class of an argument, or those that may be it."""
    known, default = dispatch.table.get(DISPATCHED), dispatch.table.get(_DEFAULT)
    if not isinstance(known, Listing) or default is None or not first:
        return None
    contents = containers.contents_of(known)
    if not contents.certain:
        return None
    rows = [one.contents.items for one in contents.items if isinstance(one, Tuple)]
    answers = [(kinds.is_a(run, first[0], kind), kind, function) for kind, function in rows]
    fitting = [(kind, function) for answer, kind, function in answers if answer]
    if all(answer is not None for answer, _, _ in answers) and len(fitting) < 2:
        return fitting[0][1] if fitting else default
    own = builtins.call(run, "type", Arguments(first), origin)
    exact = [function for kind, function in fitting if containers.key_of(kind) == containers.key_of(own)]
    return exact[-1] if exact else join([default, *(function for _, function in rows)])


def table() -> dict[str, Computed]:
    """Return the functions by their dotted names."""
    made = {name: _making(name) for name in (DISPATCH, hooks.DISPATCHED_METHOD)} | {hooks.DISPATCHED_ON: _on_object}
    return made | {REGISTER: _register, "weakref.ref": _reference, "functools.·given": _given}


def _reference(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `weakref.ref(object, callback)`: a function that returns the object, or None once it is gone."""
    if not arguments.positional:
        return None
    escape.from_known(run, arguments, origin)
    return Partial(Library("functools.·given"), (join([arguments.positional[0], NONE]),), {})


def _given(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    return arguments.positional[0] if arguments.positional else NONE
