"""The module `inspect`: what it says of the parameters of a function, method or class."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python import classes, containers, functions, signatures
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.plain import Computed
from cudnnlint.frontends.source.python.values import (
    NONE,
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
    UnknownValue,
    Value,
    options,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

EMPTY = Library("inspect.Parameter.empty")
_KIND = "inspect.Parameter."


def _signature(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `inspect.signature(function)`."""
    rows = _parameters(run, arguments.positional[0]) if arguments.positional else None
    if rows is None:
        return None
    made = Instance(Library("inspect.Signature"), run.journal.table(), at=origin)
    entries = [(Const(name), _parameter(run, name, kind, default, origin)) for name, kind, default in rows]
    run.journal.write(made.table, "parameters", containers.new_dict(run, entries))
    run.journal.write(made.table, "return_annotation", UnknownValue("is an annotation"))
    return made


def _parameter(run: Interpreter, name: str, kind: str, default: Value | None, origin: Origin) -> Value:
    made = Instance(Library("inspect.Parameter"), run.journal.table(), at=origin)
    kinds = ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD", "VAR_POSITIONAL", "KEYWORD_ONLY", "VAR_KEYWORD")
    cells: dict[str, Value] = {"name": Const(name), "default": default or EMPTY, "kind": Library(_KIND + kind)}
    cells |= {one: Library(_KIND + one) for one in kinds} | {"annotation": UnknownValue("is an annotation")}
    for key, cell in {**cells, "empty": EMPTY}.items():
        run.journal.write(made.table, key, cell)
    return made


Row = tuple[str, str, "Value | None"]


def _parameters(run: Interpreter, value: Value) -> list[Row] | None:
    """Return the parameters of a callable: name, kind and default; None where they are not known."""
    if isinstance(value, Function):
        wrapped = run.attached(value).get("__wrapped__")
        return _of_function(run, value) if wrapped is None else _parameters(run, wrapped)
    if isinstance(value, Bound) and isinstance(value.function, Function):
        rows = _parameters(run, value.function)
        return None if rows is None else rows[1:]
    if isinstance(value, Class) and value.meta is None:
        return _of_class(run, value)
    return None


def _of_class(run: Interpreter, kind: Class) -> list[Row] | None:
    """Return the parameters of the constructor of a class."""
    new, found = classes.search(kind, "__new__"), classes.search(kind, "__init__")
    if new is not None:
        return None
    if found is not None and isinstance(found[0], Function) and isinstance(found[1], Class):
        rows = _parameters(run, functions.as_method(found[0], found[1]))
        return None if rows is None else rows[1:]
    return [] if found is None and not classes.is_dataclass(kind) and not classes.fields(kind) else None


def _of_function(run: Interpreter, function: Function) -> list[Row]:
    written = function.node.params
    rows: list[Row] = []
    for kind, several in (
        ("POSITIONAL_ONLY", written.posonly_params),
        ("POSITIONAL_OR_KEYWORD", written.params),
        ("VAR_POSITIONAL", [written.star_arg] if isinstance(written.star_arg, cst.Param) else []),
        ("KEYWORD_ONLY", written.kwonly_params),
        ("VAR_KEYWORD", [written.star_kwarg] if written.star_kwarg is not None else []),
    ):
        names = [one.name.value for one in several]
        rows += [(name, kind, signatures.default_of(run, function, name) if "VAR" not in kind else None)
                 for name in names]  # fmt: skip
    return rows


def _full(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `inspect.getfullargspec(function)`."""
    rows = _parameters(run, arguments.positional[0]) if arguments.positional else None
    if rows is None:
        return None
    made = Instance(Library("inspect.FullArgSpec"), run.journal.table(), at=origin)
    plain = [Const(name) for name, kind, _ in rows if kind in ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD")]
    only = [Const(name) for name, kind, _ in rows if kind == "KEYWORD_ONLY"]
    cells: dict[str, Value] = {"args": containers.new_list(run, plain), "kwonlyargs": containers.new_list(run, only)}
    for key, kind in (("varargs", "VAR_POSITIONAL"), ("varkw", "VAR_KEYWORD")):
        cells[key] = next((Const(name) for name, one, _ in rows if one == kind), NONE)
    for key, cell in cells.items():
        run.journal.write(made.table, key, cell)
    return made


def _kind(answers: Callable[[Value], bool | None]) -> Computed:
    """Return a handler for `inspect.isclass(value)` and the like."""

    def ask(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        found = {answers(option) for option in options(arguments.positional[0])} if arguments.positional else {None}
        answer = found.pop() if len(found) == 1 else None
        return None if answer is None else Const(answer)

    return ask


def _is_class(value: Value) -> bool | None:
    return True if isinstance(value, Class) else False if isinstance(value, (*_NEVER, Function)) else None


def _is_function(value: Value) -> bool | None:
    return True if isinstance(value, Function) else False if isinstance(value, (*_NEVER, Class)) else None


#: What is neither a class nor a function.
_NEVER = (Const, Instance, Listing, Mapping, Partial, Tuple)


def table() -> dict[str, Computed]:
    """Return the functions by their dotted names."""
    asked = {"inspect.isclass": _kind(_is_class), "inspect.isfunction": _kind(_is_function)}
    return {"inspect.signature": _signature, "inspect.getfullargspec": _full, **asked}
