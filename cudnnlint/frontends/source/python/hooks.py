"""Special methods by which a class takes part in what Python does by itself: attributes, truth, text, construction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import abstract_classes, attributes, classes, escape, storing
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    NONE,
    UNBOUND,
    Bound,
    Class,
    Const,
    Either,
    Function,
    Instance,
    Library,
    Mapping,
    Partial,
    UnknownValue,
    Value,
    assumption,
    join,
    may_be_missing,
    options,
    words,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Methods of `object` and `type` that a class can call behind its own.
RAW = words("__getattribute__ __setattr__ __delattr__")
#: What `functools.partialmethod` makes of a function of a class body.
PARTIAL_METHOD = "functools.·method"
#: A function of a class body that chooses by the class of its second argument, and what calls it on an object.
DISPATCHED_METHOD, DISPATCHED_ON = "functools.singledispatchmethod", "functools.·dispatched"


def raw(run: Interpreter, receiver: Value, name: str, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `object.__setattr__(receiver, ...)` and the like; None for any other method, or an unknown attribute."""
    if name not in RAW or not isinstance(receiver, (Instance, Mapping)) or not arguments.positional:
        return None
    attribute = arguments.positional[0]
    value = UNBOUND if name == "__delattr__" else arguments.get(1, "value") or NONE
    if not isinstance(attribute, Const) or not isinstance(attribute.value, str):
        if name == "__setattr__" and isinstance(receiver, Instance):
            storing.store_somewhere(run, receiver, value)
        return None
    if name == "__getattribute__":
        return attributes.plainly(run, receiver, attribute.value, origin)
    storing.store(run, receiver, attribute.value, value)
    return NONE


def intercepted(run: Interpreter, value: Value, name: str, origin: Origin) -> Value | None:
    """Return what the class's own `__getattribute__` returns; None where it has none."""
    kind = classes.kind_of(value)
    if name in RAW or not isinstance(kind, Class):
        return None
    found = classes.search(kind, "__getattribute__")
    if found is None or not isinstance(found[0], Function) or not isinstance(found[1], Class):
        return None
    return run.call(classes.method_of(found[0], found[1]), Arguments([value, Const(name)]), origin)


def described(run: Interpreter, value: Value, receiver: Value, origin: Origin) -> Value:
    """Return a class attribute as its own `__get__` gives it; any other as it is."""
    if isinstance(value, Partial) and isinstance(value.function, Library) and value.function.name == PARTIAL_METHOD:
        function, *given = value.positional
        first = [] if isinstance(receiver, Class) else [receiver]
        return Partial(function, (*first, *given), value.keywords, value.open)
    if isinstance(value, Instance) and isinstance(value.kind, Library) and value.kind.name == DISPATCHED_METHOD:
        return Partial(Library(DISPATCHED_ON), (value, receiver), {})
    if not isinstance(value, Instance) or not isinstance(value.kind, Class):
        return value
    owner = receiver if isinstance(receiver, Class) else classes.kind_of(receiver) or NONE
    passed = NONE if isinstance(receiver, Class) else receiver
    found = classes.operator(run, value, "__get__", [passed, owner], origin)
    return value if found is None else found


def given_init(run: Interpreter, found: Value, owner: Value, made: Instance, origin: Origin) -> Value | None:
    """Return an `__init__` that is no function of the source, as the method of a new object.

    That is a partialmethod, or what took a library's place.
    """
    if found is not owner:
        return as_init(run, found, made, origin)
    patched = run.patched.get(f"{found.name}.__init__") if isinstance(found, Library) else None
    return None if patched is None or may_be_missing(patched) else as_init(run, patched, made, origin)


def as_init(run: Interpreter, init: Value, made: Instance, origin: Origin) -> Value:
    """Return an `__init__` as the method of a new object."""
    if isinstance(init, Function):
        return Bound(made, "__init__", init)
    bound = described(run, init, made, origin)
    return Partial(init, (made,), {}) if bound is init else bound


def is_data_descriptor(value: Value) -> bool:
    """Return whether a class attribute also decides what setting it does."""
    kind = value.kind if isinstance(value, Instance) else None
    return isinstance(kind, Class) and classes.search(kind, "__set__") is not None


def name_attributes(run: Interpreter, made: Class, origin: Origin) -> None:
    """Run the `__set_name__` of what stands in a class body."""
    for name, value in made.table.items():
        if isinstance(value, Instance) and isinstance(value.kind, Class) and isinstance(name, str):
            classes.operator(run, value, "__set_name__", [made, Const(name)], origin)


def called_by_metaclass(run: Interpreter, kind: Class, arguments: Arguments, origin: Origin) -> Value | None:
    """Return what the `__call__` of a class's metaclass returns; None where it has none.

    An abstract class is refused.
    """
    found = classes.search(kind.meta, "__call__") if kind.meta is not None else None
    if found is None or not isinstance(found[0], Function) or not isinstance(found[1], Class):
        abstract_classes.refuse(run, kind)
        return None
    run.called.add(id(kind.node))
    return run.call(classes.method_of(found[0], found[1]), arguments.with_first(kind), origin)


def finalised(run: Interpreter, made: Value, origin: Origin) -> Value:
    """Return a new object; the `__del__` of its class may run at any time from now on."""
    kind = made.kind if isinstance(made, Instance) else None
    found = classes.search(kind, "__del__") if isinstance(kind, Class) else None
    if found is not None and isinstance(found[0], Function):
        escape.of_value(run, Bound(made, "__del__", found[0]), escape.why_of(origin))
    return made


def meant(run: Interpreter, value: Value, origin: Origin) -> Value:
    """Return a value that is as true as an object's class says by `__bool__` or `__len__`; any other as it is."""
    if isinstance(value, Either):
        found = [meant(run, option, origin) for option in value.options]
        return value if all(map(_is, found, value.options)) else join(found, value.because)
    if not isinstance(value, (Instance, Mapping, Class)) or (
        truth(value) is not None and not isinstance(value, Mapping)
    ):
        return value
    for name in ("__bool__", "__len__"):
        found_ = classes.operator(run, value, name, [], origin)
        if found_ is not None:
            answers = {truth(option) for option in options(found_)}
            answer = answers.pop() if len(answers) == 1 else None
            if answer is None:
                unknown = next((one for one in options(found_) if isinstance(one, UnknownValue)), None)
                return unknown or UnknownValue("is true or not as its class decides", origin, at=origin)
            return Const(answer, assumed=assumption(value, found_))
    return value


def _is(left: Value, right: Value) -> bool:
    return left is right


def as_text(run: Interpreter, value: Value, names: tuple[str, ...], origin: Origin) -> Value | None:
    """Return the text that an object's class gives it by the first of these methods; None where it has none."""
    for name in names:
        arguments: list[Value] = [Const("")] if name == "__format__" else []
        found = classes.operator(run, value, name, arguments, origin)
        if found is not None:
            return found
    return None
