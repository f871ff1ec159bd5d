"""Functions that make objects or copy them: copy, dataclasses, enum, types, importlib, functools, the environment."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import classes, containers, hooks
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.plain import Computed
from cudnnlint.frontends.source.python.values import (
    NONE,
    UNBOUND,
    Class,
    Const,
    Contents,
    Either,
    Imported,
    Instance,
    Library,
    Listing,
    Mapping,
    Partial,
    Tuple,
    UnknownValue,
    Value,
    join,
    options,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

ENVIRONMENT = "comes from the environment"


def _partial(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    if not arguments.positional:
        return None
    function, *given = arguments.positional
    return Partial(function, tuple(given), dict(arguments.keywords), arguments.open)


def _partial_method(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `functools.partialmethod(function, ...)`: bound where it is taken from an object."""
    if not arguments.positional:
        return None
    return Partial(Library(hooks.PARTIAL_METHOD), tuple(arguments.positional), dict(arguments.keywords), arguments.open)


def _same(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Return the argument itself."""
    return arguments.positional[0] if arguments.positional else None


def _copy(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    return join([_copied(run, option) for option in options(arguments.positional[0])]) if arguments.positional else None


def _deep_copy(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    known: dict[int, Value] = {}

    def inside(value: Value) -> Value:
        if isinstance(value, Either):
            return replace(value, options=tuple(inside(option) for option in value.options))
        if isinstance(value, Contents):
            rest = None if value.rest is None else inside(value.rest)
            return Contents(tuple(inside(item) for item in value.items), rest)
        if isinstance(value, Tuple):
            contents = inside(value.contents)
            assert isinstance(contents, Contents)
            return replace(value, contents=contents)
        if not isinstance(value, (Mapping, Listing, Instance)) or run.library.made(value):
            return value
        own = classes.operator(run, value, "__deepcopy__", [containers.new_dict(run)], origin)
        if own is not None:
            return own
        if id(value.table) not in known:
            known[id(value.table)] = copied = _same_cells(run, value)
            assert isinstance(copied, (Mapping, Listing, Instance))
            for key, cell in copied.table.items():
                run.journal.write(copied.table, key, inside(cell))
        return known[id(value.table)]

    return inside(arguments.positional[0]) if arguments.positional else None


def _copied(run: Interpreter, value: Value) -> Value:
    """Return what `copy.copy` makes: by the object's own `__copy__`, else the same thing with cells of its own."""
    own = classes.operator(run, value, "__copy__", [], value.at) if value.at is not None else None
    return _same_cells(run, value) if own is None else own


def _same_cells(run: Interpreter, value: Value) -> Value:
    """Return the same thing with cells of its own; their values are shared."""
    if not isinstance(value, (Mapping, Listing, Instance)):
        return value
    copied = replace(value, table=run.journal.table())
    for key, cell in value.table.items():
        run.journal.write(copied.table, key, cell)
    return copied


def _import_module(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    name = arguments.positional[0] if arguments.positional else None
    if isinstance(name, Const) and isinstance(name.value, str) and not name.value.startswith("."):
        imported = run.modules.module(name.value, origin.unit)
        return run.modules.resolve(imported) if isinstance(imported, Imported) else imported
    return None


def _environment(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    return UnknownValue(ENVIRONMENT, origin, at=origin)


def _namespace(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    instance = Instance(Library("types.SimpleNamespace"), run.journal.table(), at=origin)
    for key, value in arguments.keywords.items():
        run.journal.write(instance.table, key, value)
    return instance


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
    return _same_cells(run, value) if isinstance(value, Mapping) else value


def _fields(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `dataclasses.fields(object)`: each field with its name."""
    value = arguments.positional[0] if arguments.positional else NONE
    kind = value.kind if isinstance(value, Instance) else value
    if not isinstance(kind, Class) or not classes.is_dataclass(kind):
        return None
    found: list[Value] = []
    for name in classes.instance_fields(kind):
        field = Instance(Library("dataclasses.Field"), run.journal.table(), at=origin)
        run.journal.write(field.table, "name", Const(name))
        found.append(field)
    return Tuple(Contents(tuple(found)))


def _replace(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    value = arguments.positional[0] if arguments.positional else NONE
    if not isinstance(value, Instance):
        return None
    copied = _same_cells(run, value)
    assert isinstance(copied, Instance)
    for key, cell in arguments.keywords.items():
        run.journal.write(copied.table, key, cell)
    if isinstance(copied.kind, Class) and classes.fields(copied.kind, classes.INIT_ONLY):
        return None
    if isinstance(copied.kind, Class):
        classes.after_init(run, copied, copied.kind, origin)
    return copied


def _auto(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    return Instance(Library("enum.auto"), run.journal.table(), at=origin)


def _field(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    instance = Instance(Library("dataclasses.field"), run.journal.table(), at=origin)
    for key, cell in arguments.keywords.items():
        run.journal.write(instance.table, {"factory": "default_factory"}.get(key, key), cell)
    return instance


def _wraps(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    return Library("functools.wraps")


def table() -> dict[str, Computed]:
    """Return the functions by their dotted names."""
    return {
        "functools.partial": _partial,
        "functools.partialmethod": _partial_method,
        "functools.wraps": _wraps,
        "functools.lru_cache": _same,
        "copy.copy": _copy,
        "copy.deepcopy": _deep_copy,
        "importlib.import_module": _import_module,
        "os.getenv": _environment,
        "os.environ.get": _environment,
        "types.SimpleNamespace": _namespace,
        "argparse.Namespace": _namespace,
        "enum.auto": _auto,
        "dataclasses.asdict": _as_dict,
        "dataclasses.astuple": _as_tuple,
        "dataclasses.fields": _fields,
        "dataclasses.replace": _replace,
        "dataclasses.field": _field,
        "typing.cast": lambda run, arguments, origin: arguments.positional[-1] if arguments.positional else None,
    }
