"""Built-in functions that ask what a value is: isinstance, issubclass, hasattr, callable."""

from __future__ import annotations

import builtins as python
from collections.abc import Callable
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import classes, kinds
from cudnnlint.frontends.source.python.arguments import Arguments
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
    Value,
    assumption,
    join,
    may_be_missing,
    options,
    unnamed,
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
    answers = [_has(run, option, name.value) for option in options(owner)]
    unknown = run.unfollowed("is not evaluated", origin.node, origin.unit)
    return join([unknown if answer is None else Const(answer, assumed=assumption(owner)) for answer in answers])


def _has(run: Interpreter, owner: Value, name: str) -> bool | None:
    """Return whether a value has an attribute; None where that is not known."""
    if isinstance(owner, Library):
        return run.library.has(run, owner, name)
    if isinstance(owner, Instance):
        found = owner.table.get(name)
        if found is not None:
            return None if may_be_missing(found) else True
        if isinstance(owner.kind, Class) and classes.search(owner.kind, name) is None:
            hooked = any(classes.search(owner.kind, hook) for hook in ("__getattr__", "__getattribute__"))
            return None if hooked or hasattr(object, name) or unnamed(owner) is not None else False
        return None
    kind = _python_kind(owner)
    return None if kind is None or name in _NEWER else hasattr(kind, name)


def _python_kind(value: Value) -> type | None:
    """Return the class of Python that a plain value is an object of; None for anything else."""
    if isinstance(value, Const):
        return type(value.value) if type(value.value).__module__ == "builtins" else None
    if isinstance(value, Tuple):
        return None if value.fields else tuple
    if isinstance(value, Mapping):
        return dict if value.body is None else None
    if isinstance(value, Listing):
        return {"list": list, "set": set}.get(value.kind)
    return None


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
    return {"hasattr": _hasattr, "isinstance": _isinstance, "issubclass": _issubclass, "callable": _callable}
