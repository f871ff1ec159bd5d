"""Calls: what calling a value gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.context import gradients
from cudnnlint.frontends.source.keras import layers, padding
from cudnnlint.frontends.source.keras.tensors import Source, computed, operation
from cudnnlint.frontends.source.python import classes, functions, methods
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.values import (
    Bound,
    Class,
    Const,
    Function,
    Imported,
    Instance,
    Library,
    Missing,
    OneOf,
    Partial,
    Tensor,
    Unfollowed,
    Value,
    join,
)
from cudnnlint.frontends.source.stdlib import library
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def call(run: Interpreter, callee: Value, arguments: Arguments, origin: Origin) -> Value:
    """`callee(arguments)`: where the callee is one of several, each is called from the same state."""
    if not isinstance(callee, OneOf):
        return _single(run, callee, arguments, origin)
    alternatives = [option for option in callee.options if not isinstance(option, (Const, Missing))]
    if _one_class(run, alternatives):
        return _single(run, alternatives[0], arguments, origin)
    results: list[Value] = []

    def arm(option: Value) -> bool:
        results.append(_single(run, option, arguments, origin))
        return True

    run.journal.fork([lambda option=option: arm(option) for option in alternatives], callee.because)  # type: ignore[misc]
    return join(results, callee.because)


def _one_class(run: Interpreter, alternatives: list[Value]) -> bool:
    """Are they one class of Keras, from several packages (`try: import tf_keras`)? The recurrent ones are kept apart:
    releases differ in which of them they have."""
    names = [option.name if isinstance(option, Library) else "" for option in alternatives]
    found = {run.names.keras_class(name) for name in names}
    return len(found) == 1 and None not in found and not any(map(run.names.recurrent_class, names))


def _single(run: Interpreter, callee: Value, arguments: Arguments, origin: Origin) -> Value:
    if isinstance(callee, Imported):
        return call(run, run.modules.resolve(callee), arguments, origin)
    if isinstance(callee, Library):
        return library.call(run, callee, arguments, origin)
    if isinstance(callee, Function):
        return functions.invoke(run, callee, arguments, origin)
    if isinstance(callee, Class):
        return classes.instantiate(run, callee, arguments, origin)
    if isinstance(callee, Bound):
        return _method(run, callee, arguments, origin)
    if isinstance(callee, Partial):
        return call(run, callee.function, completed(callee, arguments), origin)
    if isinstance(callee, Instance):
        return layers.call(run, callee, arguments, origin)
    if isinstance(callee, Unfollowed):
        return _unknown(callee, arguments, origin)
    if isinstance(callee, Tensor) or any(isinstance(value, Tensor) for value in arguments.every()):
        return operation(*arguments.every())
    return run.unfollowed("is not followed", origin.node, origin.unit)


def _unknown(callee: Unfollowed, arguments: Arguments, origin: Origin) -> Value:
    """Something that is not followed is called: on tensors it may be a layer that makes a mask or keeps one."""
    tensors = tuple(value for value in arguments.every() if isinstance(value, Tensor))
    if not tensors or callee.mask == "none":
        return operation(*tensors) if tensors else Unfollowed(callee.why, origin, callee.mask, at=origin)
    mask = Unfollowed(Sentence("the mask of what `", origin, "` gives is not known"), None, callee.mask)
    return Tensor(mask, Source(None, tensors), at=origin)


def completed(part: Partial, arguments: Arguments) -> Arguments:
    """The arguments of a call of a partial: those that were given before come first and can be overridden."""
    keywords = {name: value for name, value in part.keywords.items() if name not in arguments.keywords}
    for name, value in arguments.keywords.items():
        before = part.keywords.get(name)
        missing = isinstance(value, OneOf) and any(isinstance(option, Missing) for option in value.options)
        keywords[name] = join([*value.options, before]) if missing and before and isinstance(value, OneOf) else value
    return Arguments([*part.positional, *arguments.positional], keywords, arguments.rest, arguments.open or part.open)


def _method(run: Interpreter, method: Bound, arguments: Arguments, origin: Origin) -> Value:
    if isinstance(method.function, Function):
        return functions.invoke(run, method.function, arguments.with_first(method.receiver), origin)
    if isinstance(method.receiver, (Instance, Class)):
        return layers.method(run, method, arguments, origin)
    if isinstance(method.receiver, Tensor):
        if method.name in padding.SAME_ROWS and method.receiver.padding is not None:
            return method.receiver
        cut = method.name in gradients.CUTS
        if cut:
            return gradients.detached(run, method.receiver)
        asked = arguments.get(0, "dtype") if method.name in ("astype", "to", "type") else None
        return computed(run.names.masks, method.name, [method.receiver, *arguments.every()], asked)
    return methods.call(run, method.receiver, method.name, arguments, origin)
