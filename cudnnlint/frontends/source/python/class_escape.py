"""What code that is not followed may change of a class that it is given, or of what the objects of a class share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import classes, containers, effects, escape
from cudnnlint.frontends.source.python.lazy_message import Words
from cudnnlint.frontends.source.python.readers import reads
from cudnnlint.frontends.source.python.spread import DEEP, Spread
from cudnnlint.frontends.source.python.values import (
    STATE,
    Class,
    Const,
    Function,
    Instance,
    Library,
    Listing,
    Managed,
    Mapping,
    Tuple,
    UnknownValue,
    join,
    options,
    words,
)

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The cell of a `singledispatch` function with what was registered.
DISPATCHED = "·known"


def of_a_reader(kind: Class) -> bool:
    """Return whether a class inherits from one of a package that is known not to change what is set on its objects."""
    bases = [base for base in classes.lineage(kind) if isinstance(base, Library)]
    looks = any(reads(base.name.split(".")[0]) and base.name != "builtins.object" for base in bases)
    return looks and not is_called_back(kind)


def is_called_back(kind: Class | Library) -> bool:
    """Return whether a class overrides methods that a module of Python itself calls, as a `logging.Handler` does."""
    bases = classes.lineage(kind) if isinstance(kind, Class) else []
    tops = {base.name.split(".")[0] for base in bases if isinstance(base, Library)}
    return not tops.isdisjoint(_CALLING_BACK)


#: Modules of Python with classes that are there to be inherited from, whose methods the module calls.
_CALLING_BACK = words("ast asyncio cmd html http json logging multiprocessing pickle socketserver threading xml")


def of_class(run: Interpreter, made: Class, why: Words) -> None:
    """Make the plain attributes of a class uncertain, which code that is not followed may have set."""
    for name, value in made.table.items():
        if isinstance(name, str) and not name.startswith(("_", "·")) and not isinstance(value, Function):
            run.journal.admit(made.table, name, value, UnknownValue(why))


def handed_out(run: Interpreter, made: Class, spread: Spread, depth: int) -> None:
    """Make a class uncertain that was handed out: its attributes may be set, and what they hold changed."""
    for entry in classes.lineage(made):
        if isinstance(entry, Class):
            of_class(run, entry, spread.why)
    shared(run, made, spread, depth)


def shared(run: Interpreter, made: Class, spread: Spread, depth: int) -> None:
    """Make the lists, dicts and objects uncertain that all objects of a class share."""
    if not spread.comes_to("shared", made.table, depth=depth):
        return
    for entry in classes.lineage(made):
        for _, value in entry.table.items() if isinstance(entry, Class) else ():
            for option in options(value):
                if isinstance(option, (Listing, Mapping, Instance)) and depth < DEEP:
                    escape.to_value(run, option, spread, False, depth + 1)


def of_object(run: Interpreter, made: Instance, kind: Class, spread: Spread, depth: int) -> None:
    """Make uncertain what an object has of its class."""
    shared(run, kind, spread, depth)
    inherited(run, made, spread.why)


def inherited(run: Interpreter, made: Instance, why: Words) -> None:
    """Make the plain attributes uncertain that an object has of its class: its own may have been set over them."""
    for entry in classes.lineage(made.kind) if isinstance(made.kind, Class) else ():
        for name, value in entry.table.items() if isinstance(entry, Class) else ():
            plain = isinstance(name, str) and not name.startswith(("_", "·")) and name not in made.table.cells
            if plain and all(isinstance(option, (Const, Tuple, Listing, Mapping)) for option in options(value)):
                run.journal.write(made.table, name, join([value, UnknownValue(why)]))


def methods(run: Interpreter, kind: Class | Library, spread: Spread, names: tuple[str, ...] = ()) -> None:
    """Take the methods of an object's class to have run (those of these names, if any are given)."""
    if not isinstance(kind, Class) or not spread.comes_to(kind.table, names):
        return
    own = [entry for entry in classes.lineage(kind) if isinstance(entry, Class)]
    cells = [(name, value, entry) for entry in own for name, value in entry.table.items()]
    methods = [(one, owner) for name, one, owner in cells if isinstance(one, Function) and (not names or name in names)]
    escape.written_by(run, spread, *((one, one.owner or owner) for one, owner in methods))


def of_plain_object(run: Interpreter, value: Instance, spread: Spread) -> None:
    """Make an object of the standard library uncertain: its attributes, what it may run, and what was registered."""
    for _, cell in value.table.items() if value.kind.name == _THREAD else ():
        escape.to_value(run, cell, spread, False, 1)
    if isinstance(known := value.table.get(DISPATCHED), Listing):
        containers.smear(run, known, spread.why)
    if value.kind.name in _PARTS:
        for _, cell in value.table.items():
            if isinstance(cell, Instance) and cell.table.get(STATE) is not None:
                run.journal.write(cell.table, STATE, UnknownValue(spread.why))
    if value.kind.name in _NAMESPACES:
        for name, cell in value.table.items():
            run.journal.admit(value.table, name, cell, UnknownValue(spread.why))


#: Classes whose objects are a part of another, which they change.
_PARTS = words("configparser.SectionProxy")
_THREAD = "threading.Thread"
#: Classes whose objects are there to hold attributes, or a value.
_NAMESPACES = words("types.SimpleNamespace argparse.Namespace threading.local contextvars.ContextVar")


def of_managed(run: Interpreter, value: Managed, spread: Spread) -> None:
    """Make uncertain what the body of a context manager changes, which may be entered by code that is not followed."""
    escape.written_by(run, spread, (value.function, value.function.owner))
    for one in value.bound.values():
        escape.to_value(run, one, spread, False, 1)


def of_function(run: Interpreter, function: Function, why: Words) -> None:
    """Make uncertain what a function keeps that was handed out: what was set on it, and lists among its defaults."""
    for default in function.defaults.values() if effects.changes_arguments(function) else ():
        for option in options(default):
            if isinstance(option, (Listing, Mapping)):
                containers.smear(run, option, why)
    table = run.attached(function)
    for name, value in table.items():
        if isinstance(name, str) and not name.startswith("_"):
            run.journal.admit(table, name, value, UnknownValue(why))
