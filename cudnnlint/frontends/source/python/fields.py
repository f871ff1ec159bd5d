"""The annotated fields of classes: of dataclasses and named tuples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import classes, functions, raising
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.scopes import Scope
from cudnnlint.frontends.source.python.values import (
    Class,
    Const,
    Contents,
    Function,
    Instance,
    Library,
    Tuple,
    UnknownValue,
    Value,
    join,
    may_be_missing,
    present,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def new_named_tuple(run: Interpreter, name: str, names: list[str], origin: Origin) -> Class:
    """Return the class that collections.namedtuple() makes."""
    table = run.journal.table()
    run.journal.write(table, classes.FIELDS, Tuple(Contents(tuple(Const(field) for field in names))))
    return Class(name, None, origin.unit, (Library("typing.NamedTuple"),), table)


def note_field(run: Interpreter, scope: Scope, name: str, annotation: str) -> None:
    """Record an annotated name of a class body as a field."""
    written = classes.ANNOTATED.match(annotation)
    kind = "" if written is None else written[1]
    if kind == "KW_ONLY" or scope.table.get(classes.KEYWORDS) is not None:
        _note(run, scope, classes.KEYWORDS, name)
    if kind in ("ClassVar", "KW_ONLY"):
        return
    if kind == "InitVar":
        _note(run, scope, classes.INIT_ONLY, name)
    _note(run, scope, classes.FIELDS, name)


def _note(run: Interpreter, scope: Scope, cell: str, name: str) -> None:
    before = scope.table.get(cell)
    known = before.contents.items if isinstance(before, Tuple) else ()
    run.journal.write(scope.table, cell, Tuple(Contents((*known, Const(name)))))


def _given_fields(run: Interpreter, kind: Class, arguments: Arguments, origin: Origin | None) -> dict[str, Value]:
    """Return what each field holds after the construction."""
    given: dict[str, Value] = {}
    place, named = 0, {*classes.fields(kind, classes.KEYWORDS), *_by_decorator(kind)}
    for name in classes.fields(kind):
        inside = _says(kind, name, "init") is False
        if _says(kind, name, "kw_only") is True:
            named.add(name)
        if inside or name in named:
            value = None if inside else arguments.keywords.get(name)
        else:
            value = arguments.positional[place] if place < len(arguments.positional) else arguments.keywords.get(name)
            place += 1
        if value is None or may_be_missing(value):
            found = classes.search(kind, name)
            default = _default(run, found[0], origin) if found is not None and found[0] is not found[1] else None
            hidden = [UnknownValue(arguments.open, None)] if arguments.open else []
            every = [part for part in (value, default, *hidden) if part is not None]
            if not every and not arguments.rest and not inside:
                raising.throw_python(run, "TypeError", Const(f"missing a required argument: {name!r}"))
            value = join(map(present, every)) if every else UnknownValue("is a field that gets no value", name)
        given[name] = value
    if len(arguments.positional) > place or any(name not in given for name in arguments.keywords):
        raising.throw_python(run, "TypeError", Const("other arguments than the fields"))
    return given


def _by_decorator(kind: Class) -> set[str]:
    """Return the fields that are taken by name alone because of their class: `@dataclass(kw_only=True)`."""
    named: set[str] = set()
    for entry in reversed(classes.lineage(kind)):
        noted = entry.table.get(classes.FIELDS) if isinstance(entry, Class) else None
        if isinstance(entry, Class) and isinstance(noted, Tuple):
            own = {str(item.value) for item in noted.contents.items if isinstance(item, Const)}
            named = named | own if "·kw_only" in entry.marks else named - own
    return named


def _says(kind: Class, name: str, flag: str) -> bool | None:
    """Return what a field says of itself: `field(init=False)`, `field(kw_only=True)`; None where it says nothing."""
    found = classes.search(kind, name)
    value = found[0] if found is not None else None
    said = value.table.get(flag) if isinstance(value, Instance) and isinstance(value.kind, Library) else None
    return bool(said.value) if isinstance(said, Const) else None


def _default(run: Interpreter, value: Value, origin: Origin | None) -> Value | None:
    """Return a field's default: as written, or by dataclasses.field()."""
    if isinstance(value, Instance) and isinstance(value.kind, Library) and value.kind.name == "dataclasses.field":
        factory = value.table.get("default_factory")
        if factory is not None and origin is not None:
            return run.call(factory, Arguments(), origin)
        return value.table.get("default")
    return value


def fill(run: Interpreter, instance: Instance, kind: Class, arguments: Arguments, origin: Origin) -> None:
    """Run the `__init__` of a dataclass."""
    passed: list[Value] = []
    init_only = classes.fields(kind, classes.INIT_ONLY)
    for name, value in _given_fields(run, kind, arguments, origin).items():
        if name in init_only:
            passed.append(value)
        else:
            run.journal.write(instance.table, name, value)
    after_init(run, instance, kind, origin, passed)


def after_init(run: Interpreter, instance: Instance, kind: Class, origin: Origin, passed: Sequence[Value] = ()) -> None:
    """Run the `__post_init__` of a dataclass with the values that are passed to it only."""
    found = classes.search(kind, "__post_init__")
    if found is not None and isinstance(found[0], Function) and isinstance(found[1], Class):
        method = functions.as_method(found[0], found[1])
        run.call(method, Arguments([instance, *passed]), origin)


def named_tuple(run: Interpreter, kind: Class, arguments: Arguments) -> Value:
    """Return a new object of a class that is a named tuple; a `__new__` of its own is not followed."""
    own = classes.search(kind, "__new__")
    if own is not None and isinstance(own[0], Function):
        return UnknownValue(f"comes from the __new__ of {kind.name}, which is not followed")
    given = _given_fields(run, kind, arguments, None)
    return Tuple(Contents(tuple(given.values())), tuple(given), kind)
