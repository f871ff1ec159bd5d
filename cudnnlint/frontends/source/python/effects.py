"""What a function of the program changes outside itself, read from its text, where it is not known whether it runs."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.core.frozen import record
from cudnnlint.frontends.source.python import classes
from cudnnlint.frontends.source.python.readers import CHANGERS, only_reads
from cudnnlint.frontends.source.python.values import Class, Function, Library, Value, options
from cudnnlint.frontends.source.syntax.index import walk

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.scopes import Scope
    from cudnnlint.frontends.source.python.state import Table

Method = tuple[Function, "Class | None"]

#: Functions that call one another and are looked through.
_MOST = 40
_TARGETS = (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.NamedExpr, cst.For, cst.CompFor)
_CHANGED = (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Del)
_DEEDS = frozenset({*_TARGETS, *_CHANGED, cst.Global, cst.Nonlocal, cst.Call})


@record(frozen=True)
class _Deeds:
    """What the text of a function says it does, whatever its names mean.

    `bound` are names bound outside, and whether they are global; `changed` the names of objects that it changes;
    `given` what it passes to functions, by their names; `called` what it calls, by name: functions, and (True) methods
    of its first parameter. `inward`: nothing outside is bound, and nothing but its parameters can be changed.
    """

    bound: tuple[tuple[str, bool], ...]
    changed: frozenset[str]
    given: tuple[tuple[str, frozenset[str]], ...]
    called: tuple[tuple[bool, str], ...]
    parameters: tuple[str, ...]
    local: frozenset[str]
    inward: bool


@record(frozen=True)
class Outside:
    """The effects of one function: names bound outside (and whether they are global), and objects changed by name.

    `parameters` says whether what is passed to it may be changed.
    """

    bound: tuple[tuple[str, bool], ...]
    changed: tuple[str, ...]
    parameters: bool


@record(frozen=True)
class _Remembered:
    """What was found of some functions, which are kept so that nothing else gets their ids, and where it was looked."""

    methods: Sequence[Method]
    tables: Sequence[tuple[Table, int]]
    found: list[tuple[Function, Outside]]


class Effects:
    """What functions change, remembered as long as none of the names has another value that they and theirs use."""

    def __init__(self) -> None:
        self.known: dict[Hashable, _Remembered] = {}

    def of(self, methods: Sequence[Method]) -> list[tuple[Function, Outside]]:
        """Return what functions, each with the class whose method it is, and those that they call change outside.

        A function that changes nothing but what it is given is left out.
        """
        key = tuple((id(one.node), id(one.scope), owner and id(owner.table)) for one, owner in methods)
        if key in self.known:
            before = self.known[key]
            if all(table.version == version for table, version in before.tables):
                return before.found
        every = list(_run(methods))
        found = [(one, _outside(one, deeds)) for one, _, deeds in every if not deeds.inward]
        self.known[key] = _Remembered(methods, [(table, table.version) for table in _looked_at(every)], found)
        return found


def changes_arguments(function: Function) -> bool:
    """Return whether a function may change what is passed to it."""
    return any(_outside(one, deeds).parameters for one, _, deeds in _run([(function, function.owner)]))


def _run(methods: Sequence[Method]) -> Iterator[tuple[Function, Class | None, _Deeds]]:
    """Yield the functions that run where these do, each with its class and deeds; a name is looked up once."""
    waiting, seen = list(reversed(methods)), set[tuple[int, bool]]()
    meant: dict[tuple[int, str], list[Function]] = {}
    while waiting and len(seen) < _MOST * len(methods):
        one, owner = waiting.pop()
        key = id(one.node), owner is None
        if key in seen:
            continue
        seen.add(key)
        deeds = _deeds(one.node)
        yield one, owner, deeds
        for is_method, name in deeds.called:
            place = id(owner) if is_method else id(one.scope)
            if (place, name) not in meant:
                meant[place, name] = _methods(owner, name) if is_method else _functions(one, name)
            waiting += [(callee, callee.owner) for callee in meant[place, name]]


def _looked_at(every: Sequence[tuple[Function, Class | None, _Deeds]]) -> set[Table]:
    """Return the tables in which names of these functions are looked up, and those of the classes that they make."""
    scopes: dict[int, Scope] = {}
    kinds: dict[int, Class] = {}
    for one, owner, deeds in every:
        scope: Scope | None = one.scope
        while scope is not None and id(scope) not in scopes:
            scopes[id(scope)] = scope
            scope = scope.parent
        made = [one.scope.find(name) for is_method, name in deeds.called if not is_method]
        meant = [owner, *(option for value in made if value is not None for option in options(value))]
        kinds |= {id(kind): kind for kind in meant if isinstance(kind, Class)}
    bases = [entry for kind in kinds.values() for entry in classes.lineage(kind)]
    return {scope.table for scope in scopes.values()} | {one.table for one in bases if isinstance(one, Class)}


def _outside(function: Function, deeds: _Deeds) -> Outside:
    names = set(deeds.changed)
    for callee, passed in deeds.given:
        meant = function.scope.find(callee)
        if meant is not None and not all(map(_is_known, options(meant))):
            names |= passed
    outer = {name for name, _ in deeds.bound}
    changed = tuple(name for name in names if name in outer or name not in deeds.local)
    return Outside(deeds.bound, changed, not names.isdisjoint(deeds.parameters))


def _is_known(value: Value) -> bool:
    """Return whether it is known what a call of this value changes."""
    return isinstance(value, (Function, Class)) or (isinstance(value, Library) and only_reads(value.name))


def _functions(function: Function, name: str) -> list[Function]:
    """Return the functions of the program that a call of this name in a function may mean."""
    value = function.scope.find(name)
    return [] if value is None else _run_by(options(value))


def _methods(owner: Class | None, name: str) -> list[Function]:
    """Return the functions of the program that a method of this name is, of an object of a class."""
    found = None if owner is None else classes.search(owner, name)
    return [] if found is None else _run_by(found[:1])


def _run_by(called: Sequence[Value]) -> list[Function]:
    """Return the functions that run where one of these values is called."""
    made = [classes.search(one, "__init__") for one in called if isinstance(one, Class)]
    return [one for one in [*called, *(each[0] for each in made if each)] if isinstance(one, Function)]


@lru_cache(maxsize=1024)
def _deeds(function: cst.FunctionDef | cst.Lambda) -> _Deeds:
    """Read the text of a function, which is asked for at many calls."""
    bound: list[tuple[str, bool]] = []
    changed: set[str] = set()
    given: dict[str, set[str]] = {}
    called: list[tuple[bool, str]] = []
    parameters = _parameters(function)
    local = set(parameters)
    for node in walk(function.body):
        if type(node) not in _DEEDS:
            continue
        if isinstance(node, cst.Call):
            called += _called(node.func, parameters[:1])
            _pass(node, changed, given)
        elif isinstance(node, (cst.Global, cst.Nonlocal)):
            bound += [(item.name.value, isinstance(node, cst.Global)) for item in node.names]
        elif isinstance(node, _CHANGED):
            changed.add(root(node.target))
        if isinstance(node, _TARGETS) and isinstance(node.target, cst.Name):
            local.add(node.target.value)
    # those called last are looked at first: of calls of the same function the last one counts
    last = tuple(reversed(dict.fromkeys(reversed(called))))
    inside = local - {name for name, _ in bound} - set(parameters)  # what is done to these is seen by no one else
    each = tuple((name, frozenset(passed - inside)) for name, passed in given.items() if not passed <= inside)
    changed -= inside | {""}
    outward = changed.union(*(passed for _, passed in each)) - set(parameters)
    return _Deeds(tuple(bound), frozenset(changed), each, last, parameters, frozenset(local), not (bound or outward))


def _called(written: cst.BaseExpression, first: tuple[str, ...]) -> Iterator[tuple[bool, str]]:
    """Yield the name of a function, or that of a method of the `first` parameter (True); nothing for anything else."""
    if isinstance(written, cst.Name):
        yield False, written.value
    elif isinstance(written, cst.Attribute) and isinstance(written.value, cst.Name) and written.value.value in first:
        yield True, written.attr.value


def _pass(node: cst.Call, changed: set[str], given: dict[str, set[str]]) -> None:
    """Note the object that a call changes, or what it passes to a function by name."""
    if isinstance(node.func, cst.Attribute) and node.func.attr.value in CHANGERS:
        changed.add(root(node.func))
    names = [arg.value.value for arg in node.args if isinstance(arg.value, cst.Name)]
    if names and isinstance(node.func, cst.Name):
        given.setdefault(node.func.value, set()).update(names)


def _parameters(function: cst.FunctionDef | cst.Lambda) -> tuple[str, ...]:
    parameters = function.params
    every = [*parameters.posonly_params, *parameters.params, *parameters.kwonly_params]
    every += [parameters.star_arg] if isinstance(parameters.star_arg, cst.Param) else []
    every += [parameters.star_kwarg] if parameters.star_kwarg is not None else []
    return tuple(one.name.value for one in every)


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
