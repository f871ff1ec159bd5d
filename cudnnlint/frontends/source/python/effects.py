"""What a function of the program changes outside itself, read from its text, where it is not known whether it runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python import classes
from cudnnlint.frontends.source.python.readers import CHANGERS, only_reads
from cudnnlint.frontends.source.python.values import Class, Function, Library, Value, options
from cudnnlint.frontends.source.syntax.index import walk

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.scopes import Scope

#: Functions that call one another and are looked through.
_MOST = 40
_TARGETS = (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.NamedExpr, cst.For, cst.CompFor)
_DEEDS = frozenset({*_TARGETS, cst.Global, cst.Nonlocal, cst.Call, cst.Del})


@dataclass
class Outside:
    """The effects of one function: names bound outside (and whether they are global), and objects changed by name.

    `parameters` says whether what is passed to it may be changed.
    """

    bound: list[tuple[str, bool]] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    called: list[cst.BaseExpression] = field(default_factory=list)
    parameters: bool = False


def of(function: Function) -> Iterator[tuple[Function, Outside]]:
    """Yield the effects of a function, and of those that it calls."""
    waiting, seen = [function], set[int]()
    while waiting and len(seen) < _MOST:
        one = waiting.pop()
        if id(one.node) in seen:
            continue
        seen.add(id(one.node))
        outside = _read(one)
        yield one, outside
        for callee in outside.called:
            waiting += _callees(one, callee)


def changes_arguments(function: Function) -> bool:
    """Return whether a function may change what is passed to it."""
    return any(outside.parameters for _, outside in of(function))


def _read(function: Function) -> Outside:
    found, local = Outside(), _local_names(function)
    for node in _deeds(function.node.body):
        if isinstance(node, (cst.Global, cst.Nonlocal)):
            found.bound += [(item.name.value, isinstance(node, cst.Global)) for item in node.names]
        elif isinstance(node, cst.Call):
            found.called.append(node.func)
            found.changed += _changed_by_call(function, node)
        elif isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Del)):
            found.changed += [root(node.target)]
    names = {name for name in found.changed if name}
    given = _parameters(function)
    found.parameters = not names.isdisjoint(given)
    outer = {name for name, _ in found.bound}
    found.changed = [name for name in names if name in outer or name not in local]
    return found


def _changed_by_call(function: Function, node: cst.Call) -> list[str]:
    """Return the names of objects that a call may change: its receiver, or arguments of what is not followed."""
    found = [root(node.func)] if isinstance(node.func, cst.Attribute) and node.func.attr.value in CHANGERS else []
    callee = function.scope.find(node.func.value) if isinstance(node.func, cst.Name) else None
    known = [isinstance(one, (Function, Class)) or _is_reader(one) for one in options(callee)] if callee else [True]
    names = [arg.value.value for arg in node.args if isinstance(arg.value, cst.Name)]
    return found + ([] if all(known) else names)


def _is_reader(value: Value) -> bool:
    return isinstance(value, Library) and only_reads(value.name)


def _callees(function: Function, written: cst.BaseExpression) -> list[Function]:
    """Return the functions of the program that a call may mean: by its name, or a method of the same object."""
    found: list[Value] = []
    if isinstance(written, cst.Name):
        value = function.scope.find(written.value)
        found = [] if value is None else list(options(value))
    elif isinstance(written, cst.Attribute) and isinstance(written.value, cst.Name) and function.owner is not None:
        on_itself = written.value.value in _parameters(function)[:1]
        method = classes.search(function.owner, written.attr.value) if on_itself else None
        found = [] if method is None else [method[0]]
    made = [classes.search(one, "__init__") for one in found if isinstance(one, Class)]
    return [one for one in [*found, *(each[0] for each in made if each)] if isinstance(one, Function)]


def _parameters(function: Function) -> list[str]:
    parameters = function.node.params
    every = [*parameters.posonly_params, *parameters.params, *parameters.kwonly_params]
    every += [parameters.star_arg] if isinstance(parameters.star_arg, cst.Param) else []
    every += [parameters.star_kwarg] if parameters.star_kwarg is not None else []
    return [one.name.value for one in every]


@lru_cache(maxsize=1024)
def _deeds(body: cst.BaseSuite | cst.BaseExpression) -> tuple[cst.CSTNode, ...]:
    """Return the nodes of a body that bind, change or call something; a function is asked for at many calls."""
    return tuple(node for node in walk(body) if type(node) in _DEEDS)


def _local_names(function: Function) -> set[str]:
    """Return the names that a function binds for itself."""
    names = set(_parameters(function))
    for node in _deeds(function.node.body):
        if isinstance(node, _TARGETS) and isinstance(node.target, cst.Name):
            names.add(node.target.value)
    return names


def root(target: cst.BaseExpression) -> str:
    """Return the name whose object `name[...] = x` or `name.attribute = x` changes; empty for a plain name."""
    inside = target
    while isinstance(inside, (cst.Attribute, cst.Subscript)):
        inside = inside.value
    return inside.value if inside is not target and isinstance(inside, cst.Name) else ""


def holder(scope: Scope | None, name: str) -> Scope | None:
    """Return the scope, this one or one around it, in which a name has a value."""
    while scope is not None and scope.table.get(name) is None:
        scope = scope.parent
    return scope
