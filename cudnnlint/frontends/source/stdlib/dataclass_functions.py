"""The module `dataclasses`: what its functions make of dataclasses, and their fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.python import classes, containers, decorators, fields, records
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.plain import Computed
from cudnnlint.frontends.source.python.values import (
    NONE,
    UNBOUND,
    Class,
    Const,
    Contents,
    Either,
    Instance,
    Library,
    Listing,
    Mapping,
    Tuple,
    Value,
)
from cudnnlint.frontends.source.stdlib import objects
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def _as_dict(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `dataclasses.asdict(object)`; dataclasses in it become dicts, too."""
    value = arguments.positional[0] if arguments.positional else NONE
    return _spread(run, value, as_tuples=False) if isinstance(value, Instance) and not arguments.keywords else None


def _as_tuple(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `dataclasses.astuple(object)`."""
    value = arguments.positional[0] if arguments.positional else NONE
    return _spread(run, value, as_tuples=True) if isinstance(value, Instance) and not arguments.keywords else None


def _spread(run: Interpreter, value: Value, as_tuples: bool) -> Value:
    """Return a dataclass, and those inside it, as dict or tuple; lists and dicts as copies, others as they are."""
    if isinstance(value, Either):
        return replace(value, options=tuple(_spread(run, option, as_tuples) for option in value.options))
    if isinstance(value, Instance) and isinstance(value.kind, Class) and classes.is_dataclass(value.kind):
        names = classes.instance_fields(value.kind)
        cells = [_spread(run, value.table.get(name) or UNBOUND, as_tuples) for name in names]
        if as_tuples:
            return Tuple(Contents(tuple(cells)))
        return containers.new_dict(run, zip(map(Const, names), cells, strict=True))
    if isinstance(value, (Listing, Tuple)):
        contents = containers.elements(run, value)
        items = tuple(_spread(run, item, as_tuples) for item in contents.items)
        if isinstance(value, Tuple):
            return replace(value, contents=Contents(items, contents.rest))
        return containers.new_list(run, items, contents.rest, value.kind)
    return objects.same_cells(run, value) if isinstance(value, Mapping) else value


def _fields(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `dataclasses.fields(object)`: each field with its name, default and metadata."""
    value = arguments.positional[0] if arguments.positional else NONE
    kind = value.kind if isinstance(value, Instance) else value
    if not isinstance(kind, Class) or not classes.is_dataclass(kind):
        return None
    return Tuple(Contents(tuple(_described(run, kind, name, origin) for name in classes.instance_fields(kind))))


def _described(run: Interpreter, kind: Class, name: str, origin: Origin) -> Value:
    """Return the Field object of one field."""
    field = Instance(Library("dataclasses.Field"), run.journal.table(), at=origin)
    found = classes.search(kind, name)
    value = found[0] if found is not None and found[0] is not found[1] else _MISSING
    own = isinstance(value, Instance) and isinstance(value.kind, Library) and value.kind.name == "dataclasses.field"
    said = value.table if isinstance(value, Instance) and own else None
    cells = {"name": Const(name), "default": _MISSING if own else value, "default_factory": _MISSING}
    cells |= {flag: Const(True) for flag in ("init", "repr", "compare")} | {"metadata": containers.new_dict(run)}
    for key, cell in cells.items():
        run.journal.write(field.table, key, (None if said is None else said.get(key)) or cell)
    return field


_MISSING = Library("dataclasses.MISSING")


def _make(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `dataclasses.make_dataclass(name, fields, bases=..., namespace=...)`."""
    name, given = arguments.get(0, "cls_name"), arguments.get(1, "fields")
    bases, names = arguments.get(2, "bases") or Tuple(Contents(())), arguments.get(3, "namespace")
    written = Contents((), NONE) if given is None else containers.elements(run, given)
    if not isinstance(name, Const) or not written.certain or not isinstance(bases, Tuple) or arguments.open:
        return None
    table, fields_ = run.journal.table(), list[Value]()
    for one in written.items:
        parts = (one,) if isinstance(one, Const) else containers.elements(run, one).items
        if not parts or not isinstance(parts[0], Const):
            return None
        fields_.append(parts[0])
        if len(parts) == 3:
            run.journal.write(table, parts[0].value, parts[2])
    run.journal.write(table, classes.FIELDS, Tuple(Contents(tuple(fields_))))
    if isinstance(names, Mapping):
        for key, cell in names.table.items():
            run.journal.write(table, key, cell)
    own = ("cls_name", "fields", "bases", "namespace")
    said = {key: value for key, value in arguments.keywords.items() if key not in own}
    marks = (records.DATACLASS, *decorators.flags(Arguments(keywords=said)))
    return Class(str(name.value), None, origin.unit, bases.contents.items, table, None, run.path, marks, at=origin)


def _replace(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    value = arguments.positional[0] if arguments.positional else NONE
    if not isinstance(value, Instance):
        return None
    copied = objects.same_cells(run, value)
    assert isinstance(copied, Instance)
    for key, cell in arguments.keywords.items():
        run.journal.write(copied.table, key, cell)
    if isinstance(copied.kind, Class) and classes.fields(copied.kind, classes.INIT_ONLY):
        return None
    if isinstance(copied.kind, Class):
        fields.after_init(run, copied, copied.kind, origin)
    return copied


def _field(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    instance = Instance(Library("dataclasses.field"), run.journal.table(), at=origin)
    for key, cell in arguments.keywords.items():
        run.journal.write(instance.table, {"factory": "default_factory"}.get(key, key), cell)
    return instance


def table() -> dict[str, Computed]:
    """Return the functions by their dotted names."""
    return {
        "dataclasses.asdict": _as_dict,
        "dataclasses.astuple": _as_tuple,
        "dataclasses.fields": _fields,
        "dataclasses.replace": _replace,
        "dataclasses.field": _field,
        "dataclasses.make_dataclass": _make,
    }
