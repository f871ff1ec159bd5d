"""What a function says about itself: its parameters, their defaults, its name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.budget import NOT_FOLLOWED
from cudnnlint.frontends.source.python.values import (
    ANY,
    NONE,
    UNBOUND,
    Class,
    Const,
    Contents,
    Function,
    Instance,
    Library,
    Mapping,
    Tuple,
    UnknownValue,
    Value,
    assume,
    join,
    options,
)
from cudnnlint.frontends.source.syntax.unit import source_text

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

DEFAULTS = "__defaults__"
KEYWORD_DEFAULTS = "__kwdefaults__"
#: How the cells of a function begin with the values that a library calls it with, by the names of its parameters.
GIVEN = "·given "
#: Runs of a test that are followed one by one.
MOST_WAYS = 8


def every_parameter(parameters: cst.Parameters) -> list[cst.Param]:
    """Return the parameters that can have a default, in order."""
    return [*parameters.posonly_params, *parameters.params, *parameters.kwonly_params]


def positional(function: Function) -> list[str]:
    """Return the names of the parameters that can be passed by position."""
    parameters = function.node.params
    return [one.name.value for one in (*parameters.posonly_params, *parameters.params)]


def default_of(run: Interpreter, function: Function, name: str) -> Value | None:
    """Return the default of a parameter now, which may have been set later: `f.__defaults__ = (3,)`."""
    set_later = run.attached(function)
    changed = set_later.get(DEFAULTS if name in positional(function) else KEYWORD_DEFAULTS)
    if changed is None:
        return function.defaults.get(name)
    if name not in positional(function):
        found = containers.get_key(changed, Const(name)) if isinstance(changed, Mapping) else changed
        return found if isinstance(found, Value) else None
    items = containers.elements(run, changed)
    if not items.certain:
        return items.rest or changed
    place = positional(function).index(name) - len(positional(function)) + len(items.items)
    return items.items[place] if place >= 0 else None


def attribute(run: Interpreter, function: Function, name: str) -> Value | None:
    """Return an attribute that every function has; None where it is not followed."""
    if name in ("__name__", "__qualname__"):
        top = name == "__name__" or (function.scope.kind == "module" and function.owner is None)
        return Const(function.name) if top else UnknownValue("is the name of a function inside something")
    if name == DEFAULTS:
        given = [one for one in map(function.defaults.get, positional(function)) if one is not None]
        return Tuple(Contents(tuple(given))) if given else NONE
    if name == KEYWORD_DEFAULTS:
        rest = [one.name.value for one in function.node.params.kwonly_params if one.name.value in function.defaults]
        made = containers.new_dict(run, ((Const(one), function.defaults[one]) for one in rest))
        run.journal.write(run.attached(function), name, made)
        return made
    if name == "__code__":
        return _code(run, function)
    if name == "__annotations__" and isinstance(function.node, cst.FunctionDef):
        every = [one.name.value for one in _written(function.node.params) if one.annotation is not None]
        names = [*every, *(["return"] if function.node.returns is not None else [])]
        return containers.new_dict(run, ((Const(one), UnknownValue("is an annotation")) for one in names))
    if name == "__doc__":
        return NONE if isinstance(function.node, cst.Lambda) else _documentation(function.node)
    return None


def _written(parameters: cst.Parameters) -> list[cst.Param]:
    """Return all parameters in the order of their annotations."""
    stars = [one for one in (parameters.star_arg, parameters.star_kwarg) if isinstance(one, cst.Param)]
    star = [one for one in stars if one is parameters.star_arg]
    double = [one for one in stars if one is parameters.star_kwarg]
    return [*parameters.posonly_params, *parameters.params, *star, *parameters.kwonly_params, *double]


def _documentation(node: cst.FunctionDef | cst.ClassDef) -> Value | None:
    """Return a docstring; None where it is not told (an optimised program has none)."""
    return NONE if node.get_docstring(clean=False) is None else None


def annotations_of_class(run: Interpreter, kind: Class) -> Value | None:
    """Return the annotated names of a class's own body; None where they are not all seen."""
    body = kind.node.body.body if kind.node is not None else ()
    if any(not isinstance(one, (cst.SimpleStatementLine, cst.FunctionDef)) for one in body):
        return None
    lines = [small for one in body if isinstance(one, cst.SimpleStatementLine) for small in one.body]
    named = [one.target.value for one in lines if isinstance(one, cst.AnnAssign) and isinstance(one.target, cst.Name)]
    if not named:
        return None
    return containers.new_dict(run, ((Const(one), UnknownValue("is an annotation")) for one in dict.fromkeys(named)))


def _code(run: Interpreter, function: Function) -> Value:
    """Return `function.__code__`, as far as it tells the parameters."""
    code = Instance(Library("types.CodeType"), run.journal.table(), at=function.at)
    names = positional(function)
    every = [one.name.value for one in every_parameter(function.node.params)]
    open_rest = UnknownValue("is a name of a local variable")
    for key, value in (
        ("co_argcount", Const(len(names))),
        ("co_kwonlyargcount", Const(len(every) - len(names))),
        ("co_name", Const(function.name)),
        ("co_varnames", Tuple(Contents(tuple(map(Const, every)), open_rest))),
    ):
        run.journal.write(code.table, key, value)
    return code


def parameters_unknown(run: Interpreter, function: Function, receiver: Value | None) -> dict[str, Value]:
    """Return the parameters of a function that nothing here calls: given, assumed to be the default, or unknown.

    A function that only hands its arguments on to the one that it wraps gets what that one takes.
    """
    bound = _by_signature(run, function, receiver)
    star, double = function.node.params.star_arg, function.node.params.star_kwarg
    behind = _innermost(run, function)
    if behind is not function and isinstance(star, cst.Param) and double is not None:
        before = len(positional(function))
        bound[star.name.value], bound[double.name.value] = _handed_on(run, behind, receiver, before)
    return bound


def _by_signature(run: Interpreter, function: Function, receiver: Value | None) -> dict[str, Value]:
    """Return the parameters of a function as nothing but its own signature tells them."""
    bound: dict[str, Value] = {}
    first = next(iter(positional(function)), None) if receiver is not None else None
    beyond = _called_beyond(run, function)
    for parameter in every_parameter(function.node.params):
        name = parameter.name.value
        default = function.defaults.get(name)
        given = run.attached(function).get(f"{GIVEN}{name}")
        if name == first and receiver is not None:
            bound[name] = receiver
        elif given is not None:
            bound[name] = given
        elif default is None:
            bound[name] = UnknownValue(_comes_from(function, name), name)
        elif beyond:
            bound[name] = UnknownValue(f"{_has_default(function, name, parameter)}, and {NOT_FOLLOWED}", name)
        else:
            bound[name] = assume(default, _has_default(function, name, parameter))
    star, double = function.node.params.star_arg, function.node.params.star_kwarg
    if isinstance(star, cst.Param):
        unseen = UnknownValue(
            f"comes from parameter `*{star.name.value}` of {function.name}(), whose items are not known"
        )
        bound[star.name.value] = Tuple(Contents((), unseen))
    if double is not None:
        because = f"{function.name}() may be called with more arguments through `**{double.name.value}`"
        more = containers.new_dict(run)
        run.journal.write(more.table, ANY, UnknownValue(because, None))
        bound[double.name.value] = more
    return bound


def _innermost(run: Interpreter, function: Function) -> Function:
    """Return the function behind `@functools.wraps(f)`; the function itself where it wraps none."""
    seen: set[int] = set()
    while id(function.node) not in seen:
        seen.add(id(function.node))
        behind = run.attached(function).get("__wrapped__")
        function = behind if isinstance(behind, Function) else function
    return function


def _handed_on(run: Interpreter, behind: Function, receiver: Value | None, before: int) -> tuple[Value, Value]:
    """Return what `*args` and `**kwargs` hold for the function behind them, which is called with what it takes.

    The first `before` arguments have names of their own in front of `*args`. What has a default may be left out.
    """
    taken = _by_signature(run, behind, receiver)
    star, double = behind.node.params.star_arg, behind.node.params.star_kwarg
    more = taken.pop(star.name.value) if isinstance(star, cst.Param) else Tuple(Contents(()))
    keywords = taken.pop(double.name.value) if double is not None else containers.new_dict(run)
    assert isinstance(more, Tuple)
    assert isinstance(keywords, Mapping)
    needed = [name for name in positional(behind) if name not in behind.defaults]
    for name, value in taken.items():
        if name not in needed:
            left_out = name in behind.defaults
            run.journal.write(keywords.table, name, join([value, UNBOUND]) if left_out else value)
    items = tuple(taken[name] for name in needed[before:])
    return Tuple(Contents(items, more.contents.rest)), keywords


def ways_unknown(run: Interpreter, function: Function, receiver: Value | None) -> list[dict[str, Value]]:
    """Return the parameters of a function that nothing here calls, once for each class or function that it is given.

    A test that is run with several classes constructs something else in each run; plain values are joined.
    """
    bound = parameters_unknown(run, function, receiver)
    ways = [bound]
    for name, value in bound.items():
        given = run.attached(function).get(f"{GIVEN}{name}")
        every = options(value) if value is given and given is not None else ()
        if any(not isinstance(one, Const) for one in every) and len(ways) * len(every) <= MOST_WAYS:
            ways = [{**way, name: one} for way in ways for one in every]
    return ways


def _comes_from(function: Function, name: str) -> str:
    return f"comes from parameter `{name}` of {function.name}(), whose value is not known"


def _called_beyond(run: Interpreter, function: Function) -> bool:
    """Return whether code that was not followed to its end names the function, or the class that it constructs."""
    name = (function.owner or function).name if function.name == "__init__" else function.name
    return any(re.search(rf"\b{re.escape(name)}\b", unit.text_of(node)) for unit, node in run.unfinished)


def _has_default(function: Function, name: str, parameter: cst.Param) -> str:
    written = "" if parameter.default is None else source_text(parameter.default, function.unit)
    return f"parameter `{name}` of {function.name}() has the default {written}; a caller may pass another value"
