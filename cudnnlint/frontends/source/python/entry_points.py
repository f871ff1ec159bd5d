"""Entry points: running a module, and then the functions and methods that nothing in it calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING

from cudnnlint.core.file_limits import overdue
from cudnnlint.core.regex import regex
from cudnnlint.frontends.source.python import beyond, classes, containers, functions, signatures, unused_methods
from cudnnlint.frontends.source.python.budget import OutOfBudget
from cudnnlint.frontends.source.python.call_path import Step
from cudnnlint.frontends.source.python.scopes import Frame, Scope
from cudnnlint.frontends.source.python.state import ModuleUnit, Table
from cudnnlint.frontends.source.python.values import (
    Class,
    Function,
    Imported,
    Instance,
    Library,
    Listing,
    Value,
    options,
)
from cudnnlint.frontends.source.syntax.unit import Origin, Unit

if TYPE_CHECKING:
    import libcst as cst

    from cudnnlint.frontends.source.python.interpreter import Interpreter

TOO_LARGE = "The file is too large to be followed to its end: layers near its end may be missing from the report."
TOO_SLOW = (
    "The file took more processor time than the configuration allows: layers may be missing from the report."
)
TOO_DEEP = "A function calls itself more often than is followed: layers that it constructs further on are not reported."
_WORD = regex(r"[^\W\d]\w*")


def run_units(run: Interpreter, units: list[ModuleUnit]) -> None:
    """Run the units of one file (a notebook has several), then whatever nothing in them called.

    Those that are not linted are other files that a notebook runs in between.
    """
    run.units = [unit for unit in units if unit.linted]
    run.own_units = frozenset(map(id, run.units))
    for unit in units:
        frame = Frame(unit, Scope(unit.table, None, "module"), containers.new_list(run, ()))
        with nullcontext() if unit.linted else run.elsewhere():
            _within(run, partial(run.execute, unit.tree, frame), piece=(unit, unit.tree))
    units = run.units
    for unit in units:
        run.index.add(unit.tree)
    run.index.settle(_from_project(run, units))
    _within(run, partial(run.library.settle, run))
    mentions = Counter(word for unit in units for word in _WORD.findall(unit.text))
    _enter_unused(run, mentions)
    _within(run, partial(run.library.settle, run))
    read = [*units, *(unit for unit in run.modules.units.values() if unit is not None)]
    _within(run, partial(run.library.finish, run, read))
    if any(_leads(run, function) for function in run.unended):
        run.cut_off(TOO_DEEP)


def _from_project(run: Interpreter, units: list[ModuleUnit]) -> set[str]:
    """Return the names that come from other files of the project: any of them may lead to a layer.

    The cells of a notebook have one table of names, which is looked through once.
    """
    words: dict[Table, set[str]] = {}
    for unit in units:
        words.setdefault(unit.table, set()).update(_WORD.findall(unit.text) if unit.stars else ())
    cells = [cell for table in words for cell in table.items()]
    named = {str(name) for name, value in cells if any(isinstance(one, Imported) for one in options(value))}
    first = {unit.table: unit for unit in reversed(units)}
    return named.union(*(run.modules.starred_names(first[table], found) for table, found in words.items()))


def _within(
    run: Interpreter,
    work: Callable[[], object],
    steps: int | None = None,
    piece: tuple[Unit, cst.CSTNode] | None = None,
) -> None:
    """Run a piece of work within its budget, the code of `piece`; where it is not finished, the report says so."""
    marks = run.mark()
    run.budget.start(steps)
    try:
        work()
    except OutOfBudget:
        run.cut_off(TOO_SLOW if overdue() else TOO_LARGE)
        run.back_to(marks)
        run.unfinished += [] if piece is None else [piece]
    run.budget.floor = 0


def _enter_unused(run: Interpreter, mentions: Counter[str]) -> None:
    """Enter what nothing calls: first what nothing even mentions, then the rest, then what is still unreached.

    What names a layer, or something of this file that does, goes before what may lead to one in another file: steps are
    limited.
    """
    for certainly, patience in ((True, 0), (True, 1), (False, 0), (False, 1)):
        while True:
            work = _next_entry(run, mentions, patience, certainly)
            if work is None or run.budget.left <= 0:
                break
            work()
    if run.budget.left <= 0:
        never: list[Function | Class] = [*run.functions, *run.classes]
        never = [one for one in never if run.owned(one) and id(one.node) not in run.called]
        run.unfinished += [(one.unit, one.node) for one in never if one.node is not None]
    run.unrecorded = set(run.reached)
    for function in filter(run.owned, list(run.functions) if run.budget.left > 0 else ()):
        if _leads(run, function) and id(function.node) not in run.entered and _has_unreached_call(run, function):
            _enter_function(run, function, None)
    run.unrecorded = None
    beyond.list_constructors(run, run.unfinished)


def _next_entry(
    run: Interpreter, mentions: Counter[str], patience: int, certainly: bool
) -> Callable[[], None] | None:  # fmt: skip
    """Return the work of entering the next function or class; None if none is left."""
    for kind in filter(run.owned, run.classes):
        waits = not patience and (not _alone(kind.name, mentions) or _is_base(run, kind))
        if id(kind.node) not in run.called and run.index.leads(kind.node, certainly) and not waits:
            return partial(_enter_class, run, kind)
    while run.instances:
        instance, path, entries = run.instances[0]
        method = unused_methods.first(run, instance, entries) if _matters(run, instance) else None
        if method is not None:
            path = path if not run.owns(method.unit) else ()
            return partial(_enter_function, run, method, instance, path, entries)
        run.instances.popleft()
    for function in filter(run.owned, run.functions):
        waits = not (patience or _alone(function.name, mentions) or function.name == "<lambda>")
        leads = run.index.leads(function.node, certainly)
        if id(function.node) not in run.called and leads and not _is_method(function) and not waits:
            return partial(_enter_function, run, function, None)
    return None


def _leads(run: Interpreter, function: Function) -> bool:
    """Return whether the function can lead to a recurrent layer."""
    return run.index.leads(function.node)


def _alone(name: str, mentions: Counter[str]) -> bool:
    """Return whether the name is written only once, where it is defined."""
    return mentions[name] <= 1


def _is_base(run: Interpreter, kind: Class) -> bool:
    """Return whether another class inherits from this one."""
    others = [other for other in run.classes if other.table is not kind.table]
    return any(isinstance(base, Class) and base.table is kind.table for other in others for base in other.bases)


def _is_method(function: Function) -> bool:
    return function.scope.kind == "class"


def _enter_class(run: Interpreter, kind: Class) -> None:
    """Construct a class that nothing instantiates once, with unknown parameters."""
    run.called.add(id(kind.node))
    instance = Instance(kind, run.journal.table(), at=kind.at)
    run.instances.append((instance, (), ()))
    found = classes.search(kind, "__init__")
    if found is not None and isinstance(found[0], Function) and isinstance(found[1], Class):
        method = functions.as_method(found[0], found[1])
        assert isinstance(method, Function)
        if id(method.node) in run.called and run.unrecorded is None:
            run.unrecorded = set(run.reached)  # its layers are reported already, for the classes that inherit it
            _enter_function(run, method, instance)
            run.unrecorded = None
        else:
            _enter_function(run, method, instance)
    elif found is not None and isinstance(found[0], Library):
        run.library.adopt(run, instance, found[0], kind.at or Origin(kind.unit, kind.unit.tree))


def _matters(run: Interpreter, instance: Instance) -> bool:
    """Return whether a method of this object can lead to a recurrent layer, or call one."""
    kinds = classes.lineage(instance.kind) if isinstance(instance.kind, Class) else []
    if any(isinstance(kind, Class) and run.index.leads(kind.node) for kind in kinds):
        return True
    values = [value for _, value in instance.table.items()]
    values += [item for value in values if isinstance(value, Listing) for item in containers.contents_of(value).items]
    return any(isinstance(option, Instance) for value in values for option in options(value))


def _enter_function(
    run: Interpreter,
    function: Function,
    receiver: Instance | None,
    path: tuple[Step, ...] = (),
    entries: tuple[int, ...] = (),
) -> None:
    """Run a function that nothing calls, with parameters that are assumed or not known.

    `path` leads to it where it is a method of an object that this file constructs from another file's class, `entries`
    are the functions that were entered until that object was constructed.
    """
    run.called.add(id(function.node))
    run.entered.add(id(function.node))
    me: Instance | Class | None = receiver
    if receiver is not None and function.kind == "staticmethod":
        me = None
    elif receiver is not None and function.kind == "classmethod" and isinstance(receiver.kind, Class):
        me = receiver.kind
    step = Step(Origin(function.unit, function.node), entered=(function.owner or function).name)
    before, run.path = run.path, (*(path or function.path), step)
    run.entries = (*entries, id(function.node))

    def work(bound: dict[str, Value], at: AbstractContextManager[object]) -> None:
        with run.library.entering(run, function, receiver), at:
            result = functions.run_body(run, function, bound)
            run.library.leaving(run, function, [result, *([] if receiver is None else [receiver])], called=False)

    piece = (function.unit, function.node) if run.unrecorded is None else None  # else it ran before
    for number, bound in enumerate(ways := signatures.ways_unknown(run, function, me)):
        at = run.step(Step(step.origin, number)) if len(ways) > 1 else nullcontext()
        _within(run, partial(work, bound, at), run.budget.entry, piece)
    run.path, run.entries = before, ()


def _has_unreached_call(run: Interpreter, function: Function) -> bool:
    """Return whether a function holds a call that was never reached."""
    return any(call not in run.reached for call in run.index.calls.get(id(function.node), ()))
