"""The execution context of a layer where it is made and where it is called: devices, eager mode, XLA, the dtype policy.

Two kinds of thing change it. A switch (`disable_eager_execution()`) holds from then on: it is a cell of the
interpreter's world, so that paths that meet join it as they join anything else. A scope (`with tf.device(...)`, the
inside of a jitted function, a model that was compiled with `run_eagerly=True`) holds while it is open: it is kept
beside the path. What can be entered has cells of its own for what it changes, named like the entries of the context;
`switches` makes such objects, and this module enters them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.context import gradients, late_weights, refused_imports, switches, transforms
from cudnnlint.frontends.source.context.context_state import context_of
from cudnnlint.frontends.source.context.scoped import (
    AT_CALL,
    COMPILED_AS,
    MADE_IN,
    NAMED,
    STRATEGY,
    cell,
    is_quiet,
    switch,
)
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import UNBOUND, Function, Instance, Library, Value, choice, join, options
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def now(run: Interpreter, name: str) -> Value | None:
    """Return an entry of the execution context: as the innermost scope sets it, else as the program switched it."""
    scoped = context_of(run).scope.get(name)
    found = scoped if scoped is not None else state_of(run).world.get(name)
    return None if found is None or is_quiet(found) else found


@contextmanager
def entered(run: Interpreter, context: Value, more: Mapping[str, Value] | None = None) -> Iterator[None]:
    """Run a block inside `with context:`, in a function that has a scope, or while a model runs; `more` holds, too."""
    before = context_of(run).scope
    context_of(run).scope = {**before, **_changes(run, context), **(more or {})}
    try:
        yield
    finally:
        context_of(run).scope = before


def _changes(run: Interpreter, context: Value) -> dict[str, Value]:
    """Return what a scope changes. Where it is one of several, each of them may hold."""
    found = [_said(run, option) for option in options(context)]
    because = choice(context)
    names = dict.fromkeys(name for said in found for name in said)
    return {
        name: join([said.get(name) or context_of(run).scope.get(name) or UNBOUND for said in found], because)
        for name in names
    }


def _said(run: Interpreter, context: Value) -> dict[str, Value]:
    if not isinstance(context, Instance):
        return switches.unknown_scope(context)
    every = (*AT_CALL, "eager_disabled", STRATEGY, *NAMED, late_weights.LATE)
    said = {name: context.table.get(cell(name)) for name in every}
    said |= {name: context.table.get(attribute) for name, attribute in COMPILED_AS.items() if said[name] is None}
    return {**{name: value for name, value in said.items() if value is not None}, **gradients.opened(run, context)}


@contextmanager
def marked(run: Interpreter, function: Function) -> Iterator[None]:
    """Run a block as the body of a function whose decorators run it in a scope."""
    with ExitStack() as stack:
        for scope in context_of(run).functions.get(id(function.node), ()):
            stack.enter_context(entered(run, scope))
        yield


def is_traced(run: Interpreter, function: Function) -> bool:
    """Return whether `tf.function` decorates a function."""
    kinds = (scope.kind for scope in context_of(run).functions.get(id(function.node), ()))
    return any(isinstance(kind, Library) and kind.name == "tensorflow.function" for kind in kinds)


@contextmanager
def elsewhere(run: Interpreter) -> Iterator[None]:
    """Run another file: the scopes that are open here do not matter to it."""
    before, guard = context_of(run).scope, context_of(run).guard
    context_of(run).scope, context_of(run).guard = {}, None
    context_of(run).loading += 1
    try:
        yield
    finally:
        context_of(run).loading -= 1
        context_of(run).scope, context_of(run).guard = before, guard


@contextmanager
def unasked(run: Interpreter, function: Function, receiver: Value | None) -> Iterator[None]:
    """Enter a function that no code here calls.

    What it switches holds for no other function, and an object that was made in a device scope may run there. Only an
    import that stops a file which is read meanwhile does: the program reads that file before it calls any function.
    """
    refused = len(context_of(run).refused)
    before = dict(state_of(run).world.items())
    made_in = receiver.table.get(MADE_IN) if isinstance(receiver, Instance) else None
    context_of(run).scope = late_weights.of_entry(run, function, receiver)
    if made_in is not None:
        context_of(run).scope["device"] = made_in
    offered = context_of(run).offered.get(id(function.node))
    try:
        with entered(run, offered) if offered is not None else nullcontext():
            yield
    finally:
        context_of(run).scope = {}
        for name in [name for name, _ in state_of(run).world.items()]:
            run.journal.write(state_of(run).world, name, before.get(name, UNBOUND))
        for dotted, place in context_of(run).refused[refused:]:
            refused_imports.add(run, dotted, place)


def decorate(run: Interpreter, function: Function, name: str, arguments: Arguments, origin: Origin) -> None:
    """Record the scope in which a library's decorator runs a function, if it does."""
    scope = transforms.scope_of(run, switches.canonical(name), arguments, origin)
    if scope is not None:
        context_of(run).functions.setdefault(id(function.node), []).append(scope)


def method(run: Interpreter, receiver: Instance, name: str, arguments: Arguments, origin: Origin) -> Value | None:
    """Return a method of something that can be entered; None if it is not one."""
    if name == "enter_context" and arguments.positional:
        context_of(run).scope = {**context_of(run).scope, **_changes(run, arguments.positional[0])}
        return None
    said = _said(run, receiver) if name in ("__enter__", "__exit__") else {}
    if said:
        _by_hand(run, receiver, said, name == "__enter__")
        return receiver
    found = gradients.method(run, receiver, name, arguments, origin)
    return switches.method(run, receiver, name, arguments, origin) if found is None else found


def _by_hand(run: Interpreter, context: Instance, said: dict[str, Value], enter: bool) -> None:
    """Evaluate `scope.__enter__()` or `scope.__exit__()`, which brings back what was before."""
    for name, value in said.items():
        kept = f"{cell(name)} before"
        if enter:
            run.journal.write(context.table, kept, state_of(run).world.get(name) or UNBOUND)
        switch(run, name, value if enter else context.table.get(kept) or UNBOUND)


@contextmanager
def somewhere(run: Interpreter, model: Instance) -> Iterator[None]:
    """Run a model that no code here runs as compile() says, perhaps in the scope that it was made in."""
    device = model.table.get(MADE_IN)
    before, context_of(run).scope = context_of(run).scope, {} if device is None else {"device": device}
    try:
        with entered(run, model, late_weights.of_run(model)):
            yield
    finally:
        context_of(run).scope = before


def compiled(run: Interpreter, model: Instance, arguments: Arguments) -> None:
    """Record how `model.compile(...)` lets fit(), evaluate() and predict() run the model."""
    for attribute in COMPILED_AS.values():
        value = arguments.keywords.get(attribute)
        if value is not None:
            run.journal.write(model.table, attribute, value)


def is_configured(model: Instance) -> bool:
    """Return whether the program says how or where the model is to be run."""
    cells = (*(cell(name) for name in AT_CALL), *COMPILED_AS.values(), MADE_IN)
    return any(model.table.get(name) is not None for name in cells)
