"""Functions that make objects or copy them: copy, dataclasses, enum, types, importlib, functools, the environment."""

from __future__ import annotations

from importlib.util import resolve_name
from typing import TYPE_CHECKING

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.regex import regex
from cudnnlint.frontends.source.python import classes, containers, enum_members, escape, hooks, spreading
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.plain import Computed
from cudnnlint.frontends.source.python.values import (
    NONE,
    Class,
    Const,
    Contents,
    Either,
    Imported,
    Instance,
    Library,
    Listing,
    Mapping,
    Namespace,
    Partial,
    Tuple,
    UnknownValue,
    Value,
    join,
    options,
    words,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def _partial(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    if not arguments.positional:
        return None
    function, *given = arguments.positional
    named = dict(arguments.keywords)
    before = spreading.of_partial(function) if isinstance(function, Partial) else None
    if isinstance(function, Partial) and before is not None and before.open is None:  # one inside another is made one
        given, named = [*function.positional, *given], {**before.keywords, **named}
        function = function.function
    if arguments.open is not None:
        return Partial(function, tuple(given), named, arguments.open)
    held = containers.new_dict(run, ((Const(name), value) for name, value in named.items()))
    return Partial(function, tuple(given), named, held=held)


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


#: Methods by which a class decides what a copy of its objects is, and what pickle makes of them.
_REMADE = words(
    "__reduce__ __reduce_ex__ __getstate__ __setstate__ __getnewargs__ __getnewargs_ex__ __getinitargs__"
)


def _remade(value: Value) -> Value | None:
    """Return the unknown copy of an object whose class says how one is made; None for any other value."""
    kind = classes.kind_of(value)
    found = [classes.search(kind, name) for name in _REMADE] if isinstance(kind, Class) else []
    own = any(one is not None and one[0] is not one[1] for one in found)
    return UnknownValue("is a copy that its class makes by methods that are not followed") if own else None


def deep_copy(run: Interpreter, arguments: Arguments, origin: Origin, pickled: bool = False) -> Value | None:
    """Run `copy.deepcopy(value)`; `pickled`: what pickle makes of it, and back."""
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
        memo: list[Value] = [containers.new_dict(run)]
        own = None if pickled else classes.operator(run, value, "__deepcopy__", memo, origin)
        own = own or _remade(value)
        if own is not None:
            return own
        if id(value.table) not in known:
            known[id(value.table)] = copied = same_cells(run, value)
            assert isinstance(copied, (Mapping, Listing, Instance))
            for key, cell in copied.table.items():
                run.journal.write(copied.table, key, inside(cell))
        return known[id(value.table)]

    return inside(arguments.positional[0]) if arguments.positional else None


def _copied(run: Interpreter, value: Value) -> Value:
    """Return what `copy.copy` makes: by the object's own `__copy__`, else the same thing with cells of its own."""
    own = classes.operator(run, value, "__copy__", [], value.at) if value.at is not None else None
    own = own or _remade(value)
    return same_cells(run, value) if own is None else own


def same_cells(run: Interpreter, value: Value) -> Value:
    """Return the same thing with cells of its own; their values are shared."""
    if not isinstance(value, (Mapping, Listing, Instance)):
        return value
    copied = replace(value, table=run.journal.table())
    for key, cell in value.table.items():
        run.journal.write(copied.table, key, cell)
    return copied


def _import_module(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    name, package = arguments.get(0, "name"), arguments.get(1, "package")
    if isinstance(name, Const) and isinstance(name.value, str):
        absolute = name.value
        if absolute.startswith("."):
            if not isinstance(package, Const) or not isinstance(package.value, str):
                return None
            absolute = resolve_name(absolute, package.value)
        imported = run.modules.module(absolute, origin.unit)
        return run.modules.resolve(imported) if isinstance(imported, Imported) else imported
    return None


def _locate(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `pydoc.locate("keras.layers.GRU")`: a name of a module that is imported."""
    path = arguments.get(0, "path")
    if not isinstance(path, Const) or not isinstance(path.value, str):
        return None
    module, _, last = path.value.rpartition(".")
    owner = _import_module(run, Arguments([Const(module)]), origin) if module else None
    return None if owner is None else run.attribute(owner, last, origin)


def _registered(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `copyreg.pickle(Class, function)`: as if the class had the function as a method."""
    kind, function = arguments.get(0, "ob_type"), arguments.get(1, "pickle_function")
    if isinstance(kind, Class) and function is not None:
        run.journal.write(kind.table, "__reduce__", function)
    return NONE


def _reload(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `importlib.reload(module)`: the body of a module of the project runs once more, in the same names."""
    module = arguments.get(0, "module")
    if isinstance(module, Namespace):
        for name, _ in module.unit.table.items():
            module.unit.table.keep(str(name))  # what was imported from it before stays what it was
        run.modules.run_body(module.unit)
        return module
    return None


def _everything(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `gc.get_objects()`: through what it returns, everything can be changed."""
    escape.from_text(run, origin)
    return None


#: What a helper imports by its name: something of a framework.
_OF_A_FRAMEWORK = regex(r"(?:tensorflow|keras|tf_keras|torch|jax|numpy)(?:\.\w+)*")


def imported_by(callee: Library, arguments: Arguments) -> Value | None:
    """Return what `safe_import("tensorflow.keras")` imports, where the helper itself is not read."""
    name = arguments.positional[0] if arguments.positional else None
    if not callee.foreign or "import" not in callee.name.rsplit(".", 1)[-1].lower():
        return None
    if not isinstance(name, Const) or not isinstance(name.value, str) or not _OF_A_FRAMEWORK.fullmatch(name.value):
        return None
    return Library(name.value)


def _method_of(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `types.MethodType(function, object)`."""
    given = arguments.positional
    return Partial(given[0], (given[1],), {}) if len(given) == 2 and not arguments.rest else None


def _namespace(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    instance = Instance(Library("types.SimpleNamespace"), run.journal.table(), at=origin)
    for key, value in arguments.keywords.items():
        run.journal.write(instance.table, key, value)
    return instance


def _auto(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    return Instance(Library("enum.auto"), run.journal.table(), at=origin)


def _functional(base: str) -> Computed:
    """Return a handler for `Enum("Color", "RED GREEN")`."""

    def made(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        known = not arguments.rest and not arguments.open and arguments.keywords.keys() <= {"names", "module", "value"}
        return enum_members.from_names(run, arguments, Library(base), origin) if known else None

    return made


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
        "copy.deepcopy": deep_copy,
        "copyreg.pickle": _registered,
        **dict.fromkeys(("gc.get_objects", "gc.get_referrers", "gc.get_referents"), _everything),
        "importlib.import_module": _import_module,
        "importlib.reload": _reload,
        "pydoc.locate": _locate,
        "types.SimpleNamespace": _namespace,
        "types.MethodType": _method_of,
        "argparse.Namespace": _namespace,
        "enum.auto": _auto,
        **{name: _functional(name) for name in classes.ENUMS},
        "typing.cast": lambda run, arguments, origin: arguments.positional[-1] if arguments.positional else None,
    }
