"""Built-in functions that ask what a value is: isinstance, issubclass, hasattr, callable."""

from __future__ import annotations

import builtins as python
import types
from collections.abc import Callable
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import classes, kinds, names_listed, object_cells
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_items import Stuck
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.object_cells import unnamed
from cudnnlint.frontends.source.python.values import (
    Bound,
    Class,
    Const,
    Function,
    Instance,
    Library,
    Listing,
    Mapping,
    Partial,
    Tuple,
    Unbound,
    UnknownValue,
    Value,
    assume,
    assumption,
    choice,
    join,
    may_be_missing,
    options,
    words,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

Builtin = Callable[["Interpreter", Arguments, Origin], "Value | None"]

#: Attributes that values of Python have in some of its releases only.
_NEWER = words("removeprefix removesuffix bit_count is_integer as_integer_ratio total")


def _hasattr(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    if len(arguments.positional) != 2:
        return None
    owner, name = arguments.positional
    if not isinstance(name, Const) or not isinstance(name.value, str):
        return None
    answers = [has(run, option, name.value, origin) for option in options(owner)]
    unknown = run.unfollowed("is not evaluated", origin.node, origin.unit)
    return join([unknown if answer is None else Const(answer, assumed=assumption(owner)) for answer in answers])


def has(run: Interpreter, owner: Value, name: str, origin: Origin) -> bool | None:
    """Return whether a value has an attribute; None where that is not known."""
    if isinstance(owner, Library):
        return run.library.has(run, owner, name)
    if isinstance(owner, Instance):
        found = object_cells.of(owner).get(name)
        if found is not None:
            return None if may_be_missing(found) else True
        if isinstance(owner.kind, Class) and _defines(owner.kind, name):
            return True
        if isinstance(owner.kind, Class) and classes.search(owner.kind, name) is None:
            if hasattr(object, name) or unnamed(owner) is not None or classes.search(owner.kind, "__getattribute__"):
                return None
            return _by_hook(run, owner, name, origin) if classes.search(owner.kind, "__getattr__") else False
        if isinstance(owner.kind, Class):
            return _by_property(run, owner, name, origin)
        return run.library.object_has(owner.kind, name)
    if isinstance(owner, Mapping) and owner.body is not None and isinstance(owner.body.kind, Class):
        hook = classes.search(owner.body.kind, "__getattr__")
        there = owner.body.table.get(name) is not None or classes.search(owner.body.kind, name) is not None
        return None if there or hook is None or hasattr(dict, name) else _by_hook(run, owner, name, origin)
    if isinstance(owner, Class):
        return True if _defines(owner, name) else None
    if isinstance(owner, Function):
        return _on_function(run, owner, name)
    kind = kinds.plainly(owner)
    return None if kind is None or name in _NEWER else hasattr(kind, name)


def _by_property(run: Interpreter, owner: Instance, name: str, origin: Origin) -> bool | None:
    """Return whether a property gives an attribute, which is asked for it; None where that is not known."""
    found = classes.search(owner.kind, name) if isinstance(owner.kind, Class) else None
    if found is None or not isinstance(found[0], Function) or found[0].kind not in ("property", "cached"):
        return None
    return _gives(run, lambda: run.attribute(owner, name, origin))


def _by_hook(run: Interpreter, owner: Instance | Mapping, name: str, origin: Origin) -> bool | None:
    """Return whether `__getattr__` of an object's class gives an attribute; None where that is not known."""
    return _gives(run, lambda: classes.operator(run, owner, "__getattr__", [Const(name)], origin))


def _gives(run: Interpreter, ask: Callable[[], Value | None]) -> bool | None:
    """Return whether something gives a value, or certainly raises AttributeError; None where neither is known."""
    try:
        found, stopped = run.caught(ask, ("AttributeError",))
    except Stuck:
        return None
    if stopped:
        return False
    return None if found is None or any(isinstance(one, (UnknownValue, Unbound)) for one in options(found)) else True


def _on_function(run: Interpreter, owner: Function, name: str) -> bool | None:
    """Return whether a function has an attribute: what was set on it, or what every function has."""
    set_on = run.attached(owner).get(name)
    if set_on is not None or hasattr(types.FunctionType, name):
        return None if set_on is not None and may_be_missing(set_on) else True
    return None if owner.marks or owner.kind not in ("function", "method") else False


def attribute(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Return what `getattr(owner, name)` or `getattr(owner, name, default)` gives."""
    if len(arguments.positional) < 2:
        return None
    owner, name = arguments.positional[:2]
    default = arguments.positional[2] if len(arguments.positional) > 2 else None
    found: list[Value] = []
    for option in options(name):
        if not isinstance(option, Const) or not isinstance(option.value, str):
            why = option.because if isinstance(option, UnknownValue) else "it is not a constant string"
            found.append(
                run.unfollowed(Sentence("is an attribute whose name is not known: ", why), origin.node, origin.unit)
            )
            continue
        value = run.attribute(owner, option.value, origin)
        if default is not None and isinstance(owner, Library) and not isinstance(value, UnknownValue):
            value = _of_library(run, owner, option.value, value, default)
        elif isinstance(value, UnknownValue) and default is not None and not isinstance(owner, UnknownValue):
            value = _absent(run, owner, option.value, value, default, origin)
        elif default is not None and (isinstance(value, UnknownValue) or _may_lack(owner, option.value)):
            own = owner.table.get(option.value) if isinstance(owner, Instance) else None
            value = join([value, default], choice(own) if own is not None else "")
        found.append(assume(value, option.assumed))
    return join(found)


def _absent(
    run: Interpreter, owner: Value, name: str, value: Value, default: Value, origin: Origin
) -> Value:  # fmt: skip
    """Return what `getattr` with a default gives for an attribute that is unknown, or is not there."""
    there = has(run, owner, name, origin)
    if there is False:
        return default
    own = owner.table.get(name) if isinstance(owner, (Instance, Class)) else None
    if there or (own is not None and not may_be_missing(own)):
        return value
    certain = isinstance(owner, Class) or (isinstance(owner, Instance) and unnamed(owner) is None)
    return default if certain and own is None else join([value, default])


def _of_library(run: Interpreter, owner: Library, name: str, value: Value, default: Value) -> Value:
    """Return what `getattr` with a default gives for a name of a library, which may have none of that name."""
    there = run.library.has(run, owner, name)
    if there is None:
        return value if run.library.lists(run, owner, name) is not False else join([value, default])
    return value if there else default


def _may_lack(owner: Value, name: str) -> bool:
    """Return whether an object may lack an attribute that it has on some path, maybe under a name that is not known."""
    if not isinstance(owner, Instance):
        return False
    if isinstance(owner.kind, Class) and classes.search(owner.kind, name) is not None:
        return False
    own = owner.table.get(name)
    return may_be_missing(own) if own is not None else isinstance(owner.kind, Class) and unnamed(owner) is not None


def _defines(kind: Class, name: str) -> bool:
    """Return whether a class certainly has an attribute that is no property, which may say that there is none."""
    found = classes.search(kind, name)
    if found is None or found[0] is found[1] or may_be_missing(found[0]):
        return False
    return all(isinstance(option, (Const, Function)) and _is_simple(option) for option in options(found[0]))


def _is_simple(value: Value) -> bool:
    return not isinstance(value, Function) or value.kind not in ("property", "cached")


def _isinstance(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    if len(arguments.positional) != 2:
        return None
    answers: list[Value] = []
    for value in options(arguments.positional[0]):
        answer = kinds.is_a(run, value, arguments.positional[1])
        unknown = run.unfollowed("is a type check whose result is not known", origin.node, origin.unit)
        answers.append(unknown if answer is None else Const(answer, assumed=assumption(value)))
    return join(answers)


def _issubclass(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    if len(arguments.positional) != 2:
        return None
    answer = kinds.is_subclass(run, *arguments.positional)
    return None if answer is None else Const(answer)


def _callable(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    answers = {_can_be_called(value) for value in options(arguments.positional[0])} if arguments.positional else {None}
    answer = answers.pop() if len(answers) == 1 else None
    return None if answer is None else Const(answer)


def _can_be_called(value: Value) -> bool | None:
    if isinstance(value, (Function, Class, Partial)):
        return True
    if isinstance(value, Bound):
        return None if value.may_be_plain else True
    if isinstance(value, Library) and value.name.startswith("builtins."):
        return callable(getattr(python, value.name.removeprefix("builtins."), None)) or None
    if isinstance(value, (Const, Tuple, Listing)):
        return False
    if isinstance(value, (Instance, Mapping)) and isinstance(kind := classes.kind_of(value), Class):
        found = classes.search(kind, "__call__")
        return False if found is None else True if isinstance(found[0], Function) else None
    return False if isinstance(value, Mapping) and value.body is None else None


def table() -> dict[str, Builtin]:
    """Return the functions by their names."""
    found = {"hasattr": _hasattr, "getattr": attribute, "isinstance": _isinstance, "issubclass": _issubclass}
    return {**found, "callable": _callable, "dir": names_listed.of}
