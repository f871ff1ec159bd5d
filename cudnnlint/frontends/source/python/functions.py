"""Functions of the linted source: made, bound to arguments, run."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.python import (
    binding,
    calls_not_followed,
    containers,
    contexts,
    decorators,
    generators,
    local_names,
    remembering,
    signatures,
    spreading,
)
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.budget import GivenUp
from cudnnlint.frontends.source.python.call_path import Step
from cudnnlint.frontends.source.python.scopes import Frame, Scope
from cudnnlint.frontends.source.python.state import Raised
from cudnnlint.frontends.source.python.values import (
    NONE,
    Class,
    Const,
    Function,
    Instance,
    Library,
    Managed,
    Mapping,
    Partial,
    Super,
    UnknownValue,
    Value,
    join,
    options,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def define(run: Interpreter, node: cst.FunctionDef, frame: Frame) -> bool:
    """Run `def name(...)`: bind the name to the function that its decorators leave."""
    function = make(run, node, frame, node.name.value)
    frame.scope.bind(run.journal, node.name.value, decorators.decorate(run, function, node.decorators, frame))
    return True


def make(run: Interpreter, node: cst.FunctionDef | cst.Lambda, frame: Frame, name: str) -> Function:
    """Return a function value, with its defaults evaluated where it is defined."""
    function = Function(node, name, frame.unit, frame.scope, {}, owner=None, path=run.path, at=Origin(frame.unit, node))
    for parameter in signatures.every_parameter(node.params):
        if parameter.default is not None:
            value = run.evaluate(parameter.default, frame)
            function.defaults[parameter.name.value] = value
    run.functions.append(function)
    return function


def invoke(run: Interpreter, function: Function, arguments: Arguments, origin: Origin) -> Value:
    """Run a function with these arguments, called at `origin`, and return its result."""
    run.called.add(id(function.node))
    kept = remembering.key(function, arguments)
    known = None if kept is None else run.attached(function).get(kept)
    if known is not None:
        return known
    here = run.here
    result = _invoked(run, function, arguments, origin)
    run.here = here
    if kept is not None:
        run.journal.write(run.attached(function), kept, result)
    return result


def _invoked(run: Interpreter, function: Function, arguments: Arguments, origin: Origin) -> Value:
    counts_down = calls_not_followed.counts_down(run, function, arguments)
    if run.too_deep(function.node, counts_down):
        run.unended += [function] if counts_down else []
        return calls_not_followed.not_entered(run, function, arguments)
    if id(function.node) in run.abandoned:
        return calls_not_followed.give_up(run, function, arguments)
    if any(mark.name == "contextlib.contextmanager" for mark in function.marks):
        return Managed(function, binding.bind(run, function, arguments), origin)
    if _makes_generator(run, function):
        return generators.start(run, function, binding.bind(run, function, arguments), origin)
    marks, budget, outermost = run.mark(), run.budget, id(function.node) not in run.active
    since = budget.left
    budget.enter()
    try:
        with run.step(Step(origin)):
            bound = binding.bind(run, function, arguments)
            result = contexts.enclosed(run, function.contexts, lambda: run_body(run, function, bound), origin)
            run.library.leaving(run, function, [result])
            if outermost and budget.drains(id(function.node), since):
                run.abandoned.add(id(function.node))
            return result
    except GivenUp as error:
        run.back_to(marks)
        if error.depth < len(budget.calls) - 1:
            raise
        run.abandoned.add(id(function.node))
        return calls_not_followed.give_up(run, function, arguments)
    finally:
        budget.leave()


def _makes_generator(run: Interpreter, function: Function) -> bool:
    if id(function.node) not in run.generators:
        run.generators[id(function.node)] = generators.is_generator(function)
    return run.generators[id(function.node)]


def run_body(
    run: Interpreter, function: Function, bound: dict[str, Value], at_yield: Callable[[Value], None] | None = None
) -> Value:
    """Run the body of a function whose parameters are bound, and return its result."""
    table = run.journal.table()
    scope = Scope(table, function.scope, "function", local=local_names.of(function.node))
    frame = Frame(function.unit, scope, containers.new_list(run, ()), function, owner=function.owner, at_yield=at_yield)
    for name, value in bound.items():
        run.journal.write(table, name, value)
    first = first_parameter(function)
    frame.receiver = bound.get(first) if first and function.kind in ("method", "classmethod") else None
    raised = len(run.guards[-1].ends) if run.guards else 0
    _run(run, function, frame)
    if containers.contents_of(frame.yielded).items or containers.contents_of(frame.yielded).rest:
        return frame.yielded
    aside = [value for value in frame.returned_aside if not frame.returned or _is_made(value)]
    if not frame.returned and not aside and run.guards and len(run.guards[-1].ends) > raised:
        raise Raised
    if not frame.returned and not aside:
        return UnknownValue(f"comes from {function.name}(), which never returns")
    return join([*frame.returned, *aside], f"it depends on which branch {function.name}() takes")


def _run(run: Interpreter, function: Function, frame: Frame) -> None:
    """Run a body; what it returns is in the frame then."""
    run.active.append(id(function.node))
    walked = frame.receiver.table if isinstance(frame.receiver, Instance) else None
    run.walked.append((id(function.node), id(walked)))
    frame.exit = run.journal.open()
    try:
        with run.library.inside(run, function):
            if isinstance(function.node, cst.Lambda):
                frame.returned.append(run.evaluate(function.node.body, frame))
                run.journal.leave(frame.exit)
            elif run.execute(function.node.body, frame):
                frame.returned.append(NONE)
                run.journal.leave(frame.exit)
        run.journal.close(frame.exit, f"it depends on which branch {function.name}() takes")
    finally:
        run.active.pop()
        run.walked.pop()


def _is_made(value: Value) -> bool:
    """Return whether a value is an object, which may be called later, and not just a way to make one."""
    return not all(isinstance(option, (Const, Library, Class, Function, Partial)) for option in options(value))


def first_parameter(function: Function) -> str | None:
    """Return the name of a function's first positional parameter."""
    parameters = function.node.params
    first = [*parameters.posonly_params, *parameters.params][:1]
    return first[0].name.value if first else None


def zero_argument_super(run: Interpreter, node: cst.Call, frame: Frame) -> Value:
    """Return the value of `super()`, or `super(Class, self)`, inside a method."""
    given = spreading.gather(run, node.args, frame)
    after: Value | None = frame.owner
    receiver = frame.receiver
    if len(given.positional) == 2:
        after, receiver = given.positional
    if isinstance(after, Class) and receiver is not None:
        found = [Super(option, after) for option in options(receiver) if isinstance(option, (Instance, Class, Mapping))]
        if found:
            return join(found)
    return run.unfollowed("is not followed", node, frame.unit)


def attribute(run: Interpreter, function: Function, name: str, origin: Origin) -> Value:
    """Return `function.name`: what was set on it, or what every function has."""
    own = run.attached(function).get(name)
    if own is not None:
        return own
    if name == "cache_clear":
        remembering.forget(run, function)
    found = signatures.attribute(run, function, name)
    return found or run.unfollowed("is not followed", origin.node, origin.unit)


def as_method(function: Value, owner: Class) -> Value:
    """Return a function of a class body as a method that knows its class, for super()."""
    if isinstance(function, Function) and function.owner is None:
        kind = "method" if function.kind == "function" else function.kind
        return replace(function, owner=owner, kind=kind)
    return function
