"""Calls: what calling a value returns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.python import (
    absent,
    builtins,
    change_through,
    classes,
    escape,
    functions,
    hooks,
    methods,
    raising,
    spreading,
    unmade,
)
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.readers import makes_masks
from cudnnlint.frontends.source.python.values import (
    NONE,
    Bound,
    Class,
    Const,
    Either,
    Foreign,
    Function,
    Imported,
    Instance,
    Library,
    Listing,
    Mapping,
    Partial,
    Tuple,
    Unbound,
    UnknownValue,
    Value,
    join,
    may_be_missing,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def call(run: Interpreter, callee: Value, arguments: Arguments, origin: Origin) -> Value:
    """Return the result of `callee(arguments)`.

    A callee that is one of several is called from the same state for each, and the results are joined.
    """
    if not isinstance(callee, Either):
        return _single(run, callee, arguments, origin)
    alternatives = [option for option in callee.options if not isinstance(option, (Const, Unbound))]
    if _one_class(run, alternatives):
        return _single(run, alternatives[0], arguments, origin)
    results: list[Value] = []

    def arm(option: Value) -> bool:
        results.append(_single(run, option, arguments, origin))
        return True

    before, run.chosen = run.chosen, callee.because
    run.journal.fork([lambda option=option: arm(option) for option in alternatives], callee.because)  # type: ignore[misc]
    run.chosen = before
    return join(results, callee.because)


def _one_class(run: Interpreter, alternatives: list[Value]) -> bool:
    """Return whether the alternatives are one class of a library, from several packages."""
    names = [option.name for option in alternatives if isinstance(option, Library)]
    return len(names) == len(alternatives) > 0 and run.library.one_class(names)


def _single(run: Interpreter, callee: Value, arguments: Arguments, origin: Origin) -> Value:
    if isinstance(callee, Imported):
        return call(run, run.modules.resolve(callee), arguments, origin)
    if isinstance(callee, Library):
        return _library(run, callee, arguments, origin)
    if isinstance(callee, Function):
        return functions.invoke(run, callee, arguments, origin)
    if isinstance(callee, Class):
        return classes.instantiate(run, callee, arguments, origin)
    if isinstance(callee, Bound):
        return _method(run, callee, arguments, origin)
    if isinstance(callee, Partial):
        return call(run, callee.function, completed(callee, arguments), origin)
    if isinstance(callee, (Instance, Mapping, Tuple)) and classes.kind_of(callee) is not None:
        return _object(run, callee, arguments, origin)
    if isinstance(callee, UnknownValue):
        escape.from_unknown(run, arguments, origin)
        given = run.library.call_unknown(run, callee, arguments, origin)
        return given or UnknownValue(callee.why, origin, callee.mask, at=origin)
    computed = run.library.operation(callee, *arguments.every())
    return computed or run.unfollowed("is not followed", origin.node, origin.unit)


def _library(run: Interpreter, callee: Library, arguments: Arguments, origin: Origin) -> Value:
    """Call a function or class of a library."""
    name = callee.name
    if name.startswith("builtins."):
        of_type = _by_type(run, name, arguments, origin)
        return of_type if of_type is not None else builtins.call(run, name.removeprefix("builtins."), arguments, origin)
    patched = run.patched.get(f"{name}.__init__")
    if patched is not None and not may_be_missing(patched):
        made = Instance(callee, run.journal.table(), at=origin)  # of a class whose `__init__` the program has replaced
        run.call(hooks.as_init(run, patched, made, origin), arguments, origin)
        return made
    if patched is not None:
        arguments = replace(arguments, open=f"`{name}.__init__` may have been replaced")
    if not run.library.runs(name):
        escape.from_known(run, arguments, origin)
    result = run.library.call(run, callee, arguments, origin)
    run.doubts += result is None or name not in absent.CHECKED
    return _unknown(run, callee, arguments, origin) if result is None else result


#: What is called on a class and gets no object of it.
_OF_CLASS = frozenset({"fromkeys", "maketrans", "fromhex", "from_bytes", "__new__", "__init__"})


def _by_type(run: Interpreter, name: str, arguments: Arguments, origin: Origin) -> Value | None:
    """Call a method by its built-in class, as in `list.append(xs, 1)`; None for any other function."""
    _, kind, *method = name.split(".")
    if len(method) != 1 or not arguments.positional or method[0] in _OF_CLASS:
        return None
    receiver, rest = arguments.positional[0], replace(arguments, positional=arguments.positional[1:])
    if kind == "object":
        return hooks.raw(run, receiver, method[0], rest, origin)
    if isinstance(receiver, (Const, Tuple, Listing, Mapping)) and kind != "type":
        return methods.call(run, receiver, method[0], rest, origin)
    return None


def _unknown(run: Interpreter, callee: Library, arguments: Arguments, origin: Origin) -> Value:
    """Return the result of an unknown library function or class; an object of a class has what it is given."""
    escape.from_library(run, callee.name, arguments, origin)
    last, outside = callee.name.rsplit(".", 1)[-1], run.library.outside(callee.name)
    if outside is None and last[:1].isupper() and not last.isupper():
        instance = Instance(Library(callee.name), run.journal.table(), at=origin)
        change_through.hold(run, instance, arguments)
        for key, value in arguments.keywords.items():
            run.journal.write(instance.table, key, value)
        return instance
    mask = "open" if makes_masks(callee) else "none"
    if outside is not None:
        return UnknownValue(outside, origin, mask, at=origin)
    return UnknownValue(Sentence("is the result of `", origin, "`, which is not followed"), mask=mask, at=origin)


def _object(run: Interpreter, called: Instance | Mapping | Tuple, arguments: Arguments, origin: Origin) -> Value:
    """Call an object: by the `__call__` of its class, else as its library class does."""
    kind = classes.kind_of(called)
    own = classes.search(kind, "__call__") if isinstance(kind, Class) else None
    if own is not None and isinstance(own[0], Function) and isinstance(own[1], Class):
        return run.call(functions.as_method(own[0], own[1]), arguments.with_first(called), origin)
    run.doubts += 1
    if not isinstance(called, Instance):
        return run.unfollowed("is not followed", origin.node, origin.unit)
    return run.library.call_object(run, called, arguments, origin)


def completed(part: Partial, arguments: Arguments) -> Arguments:
    """Return the arguments of a call of a partial; those given before come first and can be overridden."""
    held = spreading.of_partial(part)
    keywords = {name: value for name, value in held.keywords.items() if name not in arguments.keywords}
    for name, value in arguments.keywords.items():
        before = held.keywords.get(name)
        missing = isinstance(value, Either) and any(isinstance(option, Unbound) for option in value.options)
        keywords[name] = join([*value.options, before]) if missing and before and isinstance(value, Either) else value
    return Arguments([*part.positional, *arguments.positional], keywords, arguments.rest, arguments.open or held.open)


def _method(run: Interpreter, method: Bound, arguments: Arguments, origin: Origin) -> Value:
    if isinstance(method.function, Function):
        return functions.invoke(run, method.function, arguments.with_first(method.receiver), origin)
    if isinstance(method.function, Library) and isinstance(method.receiver, Class) and method.name == "__init__":
        made, *rest = arguments.positional or [NONE]
        if isinstance(made, Instance):  # `Class.__init__(self, ...)`, of a base that is a library's
            return _method(run, replace(method, receiver=made), replace(arguments, positional=rest), origin)
    known = run.library.method(run, method, arguments, origin)
    if known is not None:
        run.doubts += not isinstance(method.receiver, (Const, Tuple, Listing, Mapping))
        return known
    if not isinstance(method.receiver, (Instance, Class, Foreign)):
        return methods.call(run, method.receiver, method.name, arguments, origin)
    if method.name == "__new__" and (empty := unmade.made(run, arguments, origin)) is not None:
        return empty
    own = hooks.raw(run, method.receiver, method.name, arguments, origin)
    if own is not None:
        return own
    if method.name == "__call__" and isinstance(method.receiver, Class):
        return classes.construct(run, method.receiver, arguments, origin)
    kind = method.receiver.kind if isinstance(method.receiver, Instance) else None
    if isinstance(kind, Library):
        escape.from_library(run, kind.name, arguments, origin)
    else:
        escape.from_method(run, method, arguments, origin)
    if not isinstance(method.receiver, Instance):
        return UnknownValue("is not followed", origin, at=origin)
    if method.name == "__init__":
        raising.initialize(run, method.receiver, arguments)
        if isinstance(method.function, Library):
            run.library.construct(run, method.receiver, method.function.name, arguments, origin)
        return NONE
    return UnknownValue(Sentence("is the result of `", origin, "`, which is not followed"), at=origin)
