"""Built-in functions that make a text, a number or a truth of a value, as its class says."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cudnnlint.frontends.source.python import absent, classes, containers, enums, hooks, plain, raising, records, views
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    DEEPEST,
    NONE,
    Class,
    Const,
    Either,
    Foreign,
    Instance,
    Listing,
    Mapping,
    Tuple,
    UnknownValue,
    Value,
    assumption,
    join,
    options,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

Builtin = Callable[["Interpreter", Arguments, Origin], "Value | None"]

_TEXTS = {
    "str": ("__str__", "__repr__"),
    "repr": ("__repr__",),
    "ascii": ("__repr__",),
    "format": ("__format__", "__str__", "__repr__"),
    "": ("__format__", "__str__", "__repr__"),
}
_NUMBERS = {
    "int": ("__int__", "__index__", "__trunc__"),
    "float": ("__float__", "__index__"),
    "complex": ("__complex__", "__float__"),
    "abs": ("__abs__",),
    "round": ("__round__",),
    "hash": ("__hash__",),
    "divmod": ("__divmod__",),
    **dict.fromkeys(("hex", "oct", "bin", "chr"), ("__index__",)),
}


def text_of(run: Interpreter, value: Value, how: str, origin: Origin) -> Value:
    """Return an object's text by `str`, `repr` or `format`, where its class says it; any other value as it is."""
    if isinstance(value, Either):
        return join([text_of(run, option, how, origin) for option in value.options], value.because)
    if isinstance(value, Tuple) and value.fields:
        return records.text(run, value, how, origin) or UnknownValue("is the text of a named tuple")
    if isinstance(value, (Tuple, Listing)) and holds_objects(run, value):
        return UnknownValue("is a text in which objects are shown")
    if not isinstance(value, (Instance, Mapping, Class)):
        return value
    if isinstance(value, Instance) and how != "repr" and isinstance(value.table.get("args"), Tuple):
        return hooks.as_text(run, value, _TEXTS[how], origin) or raising.text(value) or value
    if isinstance(value, Instance) and isinstance(value.kind, Class) and how != "repr":
        worth = enums.worth(value)
        if enums.is_enumeration(value.kind) and classes.library_base(value.kind, enums.TEXTS) is not None:
            return worth
    own = hooks.as_text(run, value, _TEXTS[how], origin) or records.text(run, value, how, origin)
    return own or enums.text(value, how) or value


def holds_objects(run: Interpreter, value: Value, depth: int = 0) -> bool:
    """Return whether there are objects or named tuples in a container, which have texts of their own there."""
    if isinstance(value, Mapping):
        every = tuple(cell for _, cell in value.table.items())
    elif isinstance(value, Listing) and value.kind == "iterator":
        return False
    else:
        every = containers.elements(run, value).items if isinstance(value, (Tuple, Listing)) else ()
    inner = [option for one in every for option in options(one)]
    if any(isinstance(one, Instance) or (isinstance(one, Tuple) and one.fields) for one in inner):
        return True
    return depth < DEEPEST and any(holds_objects(run, one, depth + 1) for one in inner)


def _as_text(name: str, function: Callable[..., Any]) -> Builtin:
    """Return a handler for str() and the like; the text of an object whose class does not say it is unknown."""

    def compute(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        first = [text_of(run, value, name, origin) for value in arguments.positional[:1]]
        given = Arguments([*first, *arguments.positional[1:]], arguments.keywords, arguments.rest, arguments.open)
        if first and first[0] is not arguments.positional[0] and len(given.every()) == 1:
            return first[0]
        every = [option for value in given.every() for option in options(value)]
        wide = any(isinstance(option, Const) and re.search(r"\d{4}", str(option.value)) for option in every[1:])
        if wide or any(isinstance(option, Instance) for option in every):
            return run.unfollowed("is not evaluated", origin.node, origin.unit)
        return plain.evaluate(run, _checked(name, function), given, origin)

    return compute


def _checked(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function; it refuses what is written in another way on another machine."""

    def text(*given: Any) -> str:
        inner = isinstance(given[0], (list, tuple, dict, set, frozenset)) if given else False
        if given and (inner or name in ("repr", "ascii")) and not plain.has_one_text(given[0]):
            raise ValueError("the text depends on the machine")
        return str(function(*given))

    return text


def number_of(run: Interpreter, value: Value, name: str, origin: Origin) -> Value:
    """Return what an object's class says it is as a number; any other value as it is."""
    if not isinstance(value, Instance):
        return value
    for method in _NUMBERS.get(name, ()):
        found = classes.operator(run, value, method, [], origin)
        if found is not None:
            return found
    return value


def _as_number(name: str, function: Callable[..., Any]) -> Builtin:
    compute = plain.pure(function)

    def convert(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        first = [number_of(run, value, name, origin) for value in arguments.positional[:1]]
        given = Arguments([*first, *arguments.positional[1:]], arguments.keywords, arguments.rest, arguments.open)
        if name in ("int", "float") and not given.rest and not given.open:
            absent.check_call(run, function, given)
        return compute(run, given, origin)

    return convert


def _bool(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    if not arguments.positional:
        return Const(False)
    answer = truth(hooks.meant(run, arguments.positional[0], origin))
    return None if answer is None else Const(answer, assumed=assumption(arguments.positional[0]))


def _length(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    value = arguments.positional[0] if arguments.positional else NONE
    own = classes.operator(run, value, "__len__", [], origin)
    if own is not None:
        return own
    if isinstance(value, (Listing, Tuple, Mapping, Class, Foreign)):
        contents = containers.elements(run, value)
        known = not views.is_set(value) or None not in map(containers.key_of, contents.items)  # else some may be equal
        if contents.certain and (known or len(contents.items) < 2):
            return Const(len(contents.items), assumed=assumption(value, *contents.items))
    if isinstance(value, Const) and isinstance(value.value, (str, bytes, range)):
        return Const(len(value.value), assumed=value.assumed)
    return None


def _print(run: Interpreter, arguments: Arguments, origin: Origin) -> Value:
    for value in arguments.positional:
        for option in options(value):
            text_of(run, option, "str", origin)
    return NONE


def table() -> dict[str, Builtin]:
    """Return the functions by their names."""
    numbers: dict[str, Callable[..., Any]] = {
        "int": int,
        "float": float,
        "complex": complex,
        "abs": abs,
        "round": round,
        "divmod": divmod,
    }
    numbers |= {"chr": chr, "hex": hex, "oct": oct, "bin": bin}
    texts: dict[str, Callable[..., Any]] = {"str": str, "repr": repr, "ascii": ascii, "format": format}
    found = {name: _as_number(name, function) for name, function in numbers.items()}
    found |= {name: _as_text(name, function) for name, function in texts.items()}
    return found | {"ord": plain.pure(ord), "bool": _bool, "len": _length, "print": _print}
