"""The module `operator`: operators as functions, and getters of items, attributes and methods."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python import containers, operators, plain
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.plain import Computed
from cudnnlint.frontends.source.python.values import (
    Const,
    Contents,
    Library,
    Partial,
    Tuple,
    Value,
    present,
)
from cudnnlint.frontends.source.stdlib import in_place
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

_OPERATORS: dict[str, type] = {
    **dict.fromkeys(("add", "concat"), cst.Add),
    "sub": cst.Subtract,
    "mul": cst.Multiply,
    "truediv": cst.Divide,
    "floordiv": cst.FloorDivide,
    "mod": cst.Modulo,
    "pow": cst.Power,
    "and_": cst.BitAnd,
    "or_": cst.BitOr,
    "xor": cst.BitXor,
    "lshift": cst.LeftShift,
    "rshift": cst.RightShift,
}
_COMPARISONS = "eq ne lt le gt ge neg pos inv invert abs index not_ truth contains"


def _getter(name: str) -> Computed:
    """Return a handler for `operator.itemgetter(key)`, `operator.attrgetter(name)`: functions of an object."""

    def made(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        if not arguments.positional or arguments.rest:
            return None
        if len(arguments.positional) == 1:
            return Partial(Library(f"builtins.{name}"), (), {"·key": arguments.positional[0]})
        keys = Tuple(Contents(tuple(arguments.positional)))
        return Partial(Library("operator.·several"), (), {"·each": Const(name), "·keys": keys})

    return made


def _several(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Call the result of a getter of several keys."""
    name, keys = arguments.keywords["·each"], arguments.keywords["·keys"]
    assert isinstance(name, Const)
    getter = Library(f"builtins.{name.value}")
    each = containers.elements(run, keys).items
    return Tuple(
        Contents(tuple(run.call(getter, Arguments(arguments.positional, {"·key": key}), origin) for key in each))
    )


def _method_caller(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `operator.methodcaller(name, ...)`."""
    if not arguments.positional:
        return None
    name, *given = arguments.positional
    kept = {"·name": name, "·given": Tuple(Contents(tuple(given)))}
    return Partial(Library("operator.·call"), (), {**arguments.keywords, **kept}, arguments.open)


def _call_method(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Call what methodcaller() returned."""
    name, given = arguments.keywords["·name"], arguments.keywords["·given"]
    if not isinstance(name, Const) or not arguments.positional:
        return None
    method = run.attribute(arguments.positional[0], str(name.value), origin)
    named = {key: value for key, value in arguments.keywords.items() if not key.startswith("·")}
    return run.call(method, Arguments(list(containers.elements(run, given).items), named, None, arguments.open), origin)


def _operator(kind: type) -> Computed:
    """Return a handler for an operator as a function."""

    def compute(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        if len(arguments.positional) != 2:
            return None
        left, right = arguments.positional
        return operators.on_values(run, kind, left, right, origin)

    return compute


def _item(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `operator.getitem(value, index)`."""
    if len(arguments.positional) != 2:
        return None
    found = containers.item(run, *arguments.positional)
    return None if found is None else present(found)


def table() -> dict[str, Computed]:
    """Return the functions by their dotted names."""
    found = {f"operator.{name}": _operator(kind) for name, kind in _OPERATORS.items()}
    found |= {f"operator.{name}": plain.pure(getattr(operator, name)) for name in _COMPARISONS.split()}
    return found | {
        "operator.itemgetter": _getter("·item"),
        "operator.attrgetter": _getter("·attribute"),
        "operator.·several": _several,
        "operator.methodcaller": _method_caller,
        "operator.·call": _call_method,
        "operator.getitem": _item,
        "operator.setitem": in_place.set_item,
        "operator.delitem": in_place.delete_item,
        **{f"operator.{name}": in_place.in_place(kind, _operator(kind)) for name, kind in in_place.IN_PLACE.items()},
    }
