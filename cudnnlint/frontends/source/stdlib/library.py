"""Functions of libraries that matter to how layers are built, by their dotted names."""

from __future__ import annotations

import itertools
import json
import math
import posixpath
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from cudnnlint.frontends.source.context import execution_context, target_queries
from cudnnlint.frontends.source.keras import graphs, layers, padding
from cudnnlint.frontends.source.keras.tensors import MASKED, Source, computed
from cudnnlint.frontends.source.python import builtins, classes, containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.values import (
    NONE,
    Class,
    Const,
    Contents,
    Imported,
    Instance,
    Library,
    Listing,
    Mapping,
    OneOf,
    Partial,
    Tensor,
    Tuple,
    Unfollowed,
    Value,
    join,
    options,
)
from cudnnlint.frontends.source.stdlib import versions
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

Known = Callable[["Interpreter", Arguments, Origin], "Value | None"]

#: Plain values of modules, the same everywhere; Python is 3 wherever Keras still is.
_PLAIN: dict[tuple[str, str], Any] = {
    **{(module, name): getattr(math, name) for module in ("math", "numpy") for name in ("pi", "e", "inf", "nan")},
    **{(module, "newaxis"): None for module in ("numpy", "tensorflow", "jax.numpy")},
    ("six", "PY2"): False,
    ("six", "PY3"): True,
    ("sys.version_info", "major"): 3,
}
COMMAND_LINE = "comes from the command line"
ENVIRONMENT = "comes from the environment"


def attribute(run: Interpreter, value: Library, name: str) -> Value:
    """`module.name`."""
    if value.name == "sys" and name == "argv":
        return Unfollowed(COMMAND_LINE, "sys.argv")
    if name in target_queries.VERSION_NAMES:
        return target_queries.version(run, value.name)
    if (value.name, name) in _PLAIN:
        return Const(_PLAIN[value.name, name])
    if name == "__name__":
        return Const(value.name.rsplit(".", 1)[-1])
    return Library(f"{value.name}.{name}")


def item(run: Interpreter, value: Value, index: Value) -> Value | None:
    """`value[index]` of a library's object."""
    if isinstance(value, Library) and value.name == "os.environ":
        return Unfollowed(ENVIRONMENT)
    if isinstance(value, Library) and value.name == "sys.version_info" and isinstance(index, Const):
        return Const(3) if index.value == 0 else None
    if isinstance(value, Library) and isinstance(index, Const) and isinstance(index.value, str):
        if value.name == "sys.modules":
            return Library(index.value)
        if value.name.endswith(".__dict__"):
            return attribute(run, Library(value.name.removesuffix(".__dict__")), index.value)
    return None


def set_item(run: Interpreter, owner: Value, index: Value, value: Value) -> None:
    """`owner[index] = value` of a library's object."""
    if isinstance(owner, Library) and owner.name == "os.environ":
        execution_context.environment(run, index, value, None)


def call(run: Interpreter, callee: Library, arguments: Arguments, origin: Origin) -> Value:
    """Call a function or class of a library."""
    name = callee.name
    if name.startswith("builtins.dict.") and arguments.positional and name != "builtins.dict.fromkeys":
        method = run.attribute(arguments.positional[0], name.rsplit(".", 1)[1], origin)
        return run.call(method, Arguments(arguments.positional[1:], arguments.keywords), origin)
    if name.startswith("builtins."):
        return builtins.call(run, name.removeprefix("builtins."), arguments, origin)
    function = _functions().get(name)
    result = function(run, arguments, origin) if function is not None else None
    if result is None:
        result = execution_context.called(run, name, arguments, origin)
    if result is None:
        result = layers.from_library(run, callee, arguments, origin)
    return result if result is not None else _unknown(run, callee, arguments, origin)


def _unknown(run: Interpreter, callee: Library, arguments: Arguments, origin: Origin) -> Value:
    """A library's function of which nothing is known: on tensors it computes one without a mask."""
    name = callee.name
    if any(isinstance(value, Tensor) for value in arguments.every()):
        if callee.foreign:
            return graphs.foreign(name, arguments, origin)
        return computed(run.names.masks, name.rsplit(".", 1)[-1], arguments.every(), arguments.keywords.get("dtype"))
    last = name.rsplit(".", 1)[-1]
    if last[:1].isupper() and not last.isupper():
        instance = Instance(Library(name), run.journal.table(), at=origin)
        for key, value in arguments.keywords.items():
            run.journal.write(instance.table, key, value)
        return instance
    mask = "open" if callee.foreign else "none"
    return Unfollowed(Sentence("is what `", origin, "` gives"), mask=mask, at=origin)


def _partial(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    if not arguments.positional:
        return None
    function, *given = arguments.positional
    return Partial(function, tuple(given), dict(arguments.keywords), arguments.open)


def _same(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """What comes in goes out."""
    return arguments.positional[0] if arguments.positional else None


def _copy(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    return join([_copied(run, option) for option in options(arguments.positional[0])]) if arguments.positional else None


def _deep_copy(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    known: dict[int, Value] = {}

    def inside(value: Value) -> Value:
        if isinstance(value, OneOf):
            return replace(value, options=tuple(inside(option) for option in value.options))
        if isinstance(value, Contents):
            rest = None if value.rest is None else inside(value.rest)
            return Contents(tuple(inside(item) for item in value.items), rest)
        if isinstance(value, Tuple):
            contents = inside(value.contents)
            assert isinstance(contents, Contents)
            return replace(value, contents=contents)
        if not isinstance(value, (Mapping, Listing, Instance)) or layers.made_of(value) is not None:
            return value
        if id(value.table) not in known:
            known[id(value.table)] = copied = _copied(run, value)
            assert isinstance(copied, (Mapping, Listing, Instance))
            for key, cell in copied.table.items():
                run.journal.write(copied.table, key, inside(cell))
        return known[id(value.table)]

    return inside(arguments.positional[0]) if arguments.positional else None


def _copied(run: Interpreter, value: Value) -> Value:
    """The same thing with cells of its own; what is in them is shared."""
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


def _distribution(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """`pkg_resources.get_distribution("tensorflow")`, of which only the version is known."""
    version = target_queries.of_package(run, arguments, origin)
    if version is None:
        return None
    found = Instance(Library("pkg_resources.Distribution"), run.journal.table(), at=origin)
    run.journal.write(found.table, "version", version)
    return found


def _suppress(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    return Instance(Library("contextlib.suppress"), run.journal.table(), at=origin)


def _environment(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    return Unfollowed(ENVIRONMENT, origin, at=origin)


def _set_environment(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    if len(arguments.positional) == 2:
        name, value = arguments.positional
        execution_context.environment(run, name, value, origin)
    return NONE


def _ordered(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    return builtins.call(run, "dict", arguments, origin)


def _default_dict(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    made = builtins.call(run, "dict", Arguments(arguments.positional[1:], arguments.keywords), origin)
    assert isinstance(made, Mapping)
    body = Instance(Library("collections.defaultdict"), run.journal.table(), at=origin)
    run.journal.write(body.table, "default_factory", arguments.positional[0] if arguments.positional else NONE)
    return replace(made, body=body)


def _named_tuple(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    if len(arguments.positional) < 2 or not isinstance(arguments.positional[0], Const):
        return None
    names = arguments.positional[1]
    if isinstance(names, Const) and isinstance(names.value, str):
        texts = names.value.replace(",", " ").split()
    else:
        items = containers.elements(run, names).items
        texts = [str(item.value) for item in items if isinstance(item, Const)]
    made = classes.new_named_tuple(run, str(arguments.positional[0].value), texts, origin)
    defaults = containers.elements(run, arguments.keywords.get("defaults", NONE)).items
    for field, default in zip(reversed(texts), reversed(defaults), strict=False):
        run.journal.write(made.table, field, default)
    return made


def _namespace(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    instance = Instance(Library("types.SimpleNamespace"), run.journal.table(), at=origin)
    for key, value in arguments.keywords.items():
        run.journal.write(instance.table, key, value)
    return instance


def _chain(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    result = containers.new_list(run, ())
    for value in arguments.positional:
        for one in options(value):
            more = containers.elements(run, one)
            here = containers.contents_of(result)
            rest = [part for part in (here.rest, more.rest) if part is not None]
            result = containers.new_list(run, (*here.items, *more.items), join(rest) if rest else None)
    return result


def _product(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    rows: list[tuple[Value, ...]] = [()]
    for value in arguments.positional:
        contents = containers.elements(run, value)
        if not contents.certain or arguments.keywords or len(rows) * len(contents.items) > containers.MOST_ROUNDS:
            return None
        rows = [(*row, entry) for row in rows for entry in contents.items]
    return Tuple(Contents(tuple(Tuple(Contents(row)) for row in rows)))


def _rows(compute: Callable[..., Iterable[Any]]) -> Known:
    """A function of itertools over sequences that are known: it is computed on their items."""

    def rows(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        given: list[Any] = []
        for value in arguments.positional:
            if isinstance(value, Const) and (value.value is None or isinstance(value.value, int)):
                given.append(value.value)  # how many, from where
                continue
            contents = containers.elements(run, value)
            if not contents.certain:
                return None
            given.append(contents.items)
        found: list[Value] = []
        try:
            for row in compute(*given, **arguments.keywords):
                found.append(Tuple(Contents(tuple(row))) if isinstance(row, tuple) else row)
                if len(found) > containers.MOST_ROUNDS:
                    return None
        except (TypeError, ValueError):
            return None
        return Tuple(Contents(tuple(found)))

    return rows


def _longest(*rows: Iterable[Value], fillvalue: Value = NONE) -> Iterable[tuple[Value, ...]]:
    return itertools.zip_longest(*rows, fillvalue=fillvalue)


def _chain_of(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """`itertools.chain.from_iterable(rows)`."""
    contents = containers.elements(run, arguments.positional[0]) if arguments.positional else Contents(())
    return _chain(run, Arguments(list(contents.items)), origin) if contents.certain else None


def _repeat(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """`itertools.repeat(value, times)`."""
    times = arguments.get(1, "times")
    if times is None and arguments.positional:
        return Tuple(Contents((), arguments.positional[0]))
    known = isinstance(times, Const) and isinstance(times.value, int) and times.value <= containers.MOST_ROUNDS
    return Tuple(Contents((arguments.positional[0],) * times.value)) if known and isinstance(times, Const) else None


def _getter(name: str) -> Known:
    """`operator.itemgetter(key)`, `operator.attrgetter(name)`: a function of the thing that has it."""

    def made(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        if len(arguments.positional) != 1:
            return None
        return Partial(Library(f"builtins.{name}"), (), {"·key": arguments.positional[0]})

    return made


def _reduce(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    if len(arguments.positional) < 2:
        return None
    function, sequence = arguments.positional[:2]
    contents = containers.elements(run, sequence)
    items = [*arguments.positional[2:3], *contents.items]
    if not contents.certain or not items:
        return None
    value = items[0]
    for entry in items[1:]:
        value = run.call(function, Arguments([value, entry]), origin)
    return value


def _as_dict(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    value = arguments.positional[0] if arguments.positional else NONE
    if not isinstance(value, Instance):
        return None
    mapping = containers.new_dict(run)
    for key, cell in value.table.items():
        if isinstance(key, str) and not key.startswith("·"):
            run.journal.write(mapping.table, key, cell)
    return mapping


def _replace(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    value = arguments.positional[0] if arguments.positional else NONE
    if not isinstance(value, Instance):
        return None
    copied = _copied(run, value)
    assert isinstance(copied, Instance)
    for key, cell in arguments.keywords.items():
        run.journal.write(copied.table, key, cell)
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


def _json(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """`json.loads("...")` of a text that stands here."""
    text = arguments.get(0, "s")
    if not isinstance(text, Const) or not isinstance(text.value, (str, bytes)):
        return None
    try:
        return builtins.lift(run, json.loads(text.value), text.assumed)
    except (ValueError, RecursionError):
        return None


def _wraps(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    return Library("functools.wraps")


def _mask_tensor(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """`tf.not_equal(x, 0)`, `tf.sequence_mask(lengths)`: a tensor that may serve as a mask."""
    tensors = tuple(value for value in arguments.every() if isinstance(value, Tensor))
    return Tensor(MASKED, Source(None, tensors), is_mask=True)


def _cast(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """A cast to the type that a tensor has already gives the tensor itself, with its mask."""
    value = arguments.positional[0] if arguments.positional else NONE
    if not isinstance(value, Tensor):
        return None
    dtype = arguments.get(1, "dtype")
    text = dtype.name.rsplit(".", 1)[-1] if isinstance(dtype, Library) else None
    known = Const(text) if text else dtype if isinstance(dtype, Const) else None
    if isinstance(value.mask, Const) and value.mask.value == "none":
        return Tensor(value.mask, Source(None, (value,)), known)
    kept = Unfollowed("is the mask of a cast tensor, which is lost unless the type is the same", None)
    return Tensor(kept, Source(None, (value,)), known, is_mask=value.is_mask)


@cache
def _functions() -> dict[str, Known]:
    table: dict[str, Known] = {
        "functools.partial": _partial,
        "functools.wraps": _wraps,
        "functools.reduce": _reduce,
        "functools.lru_cache": _same,
        "copy.copy": _copy,
        "copy.deepcopy": _deep_copy,
        "contextlib.suppress": _suppress,
        "importlib.import_module": _import_module,
        "importlib.util.find_spec": target_queries.find_spec,
        "importlib.metadata.version": target_queries.of_package,
        "importlib_metadata.version": target_queries.of_package,
        "pkg_resources.get_distribution": _distribution,
        "os.getenv": _environment,
        "os.environ.get": _environment,
        "os.environ.setdefault": _set_environment,
        "os.putenv": _set_environment,
        "collections.OrderedDict": _ordered,
        "collections.defaultdict": _default_dict,
        "collections.namedtuple": _named_tuple,
        "types.SimpleNamespace": _namespace,
        "argparse.Namespace": _namespace,
        "itertools.chain": _chain,
        "itertools.product": _product,
        "itertools.chain.from_iterable": _chain_of,
        "itertools.repeat": _repeat,
        "itertools.zip_longest": _rows(_longest),
        "itertools.combinations": _rows(itertools.combinations),
        "itertools.permutations": _rows(itertools.permutations),
        "itertools.islice": _rows(itertools.islice),
        "itertools.pairwise": _rows(itertools.pairwise),
        "operator.itemgetter": _getter("·item"),
        "operator.attrgetter": _getter("·attribute"),
        "enum.auto": _auto,
        "dataclasses.asdict": _as_dict,
        "dataclasses.replace": _replace,
        "dataclasses.field": _field,
        "json.loads": _json,
        "typing.cast": lambda run, arguments, origin: arguments.positional[-1] if arguments.positional else None,
    }
    for root in ("tensorflow", "tensorflow.math", "keras.ops", "tensorflow.keras.backend", "keras.backend"):
        for name in ("not_equal", "equal", "sequence_mask", "greater", "logical_not", "logical_and"):
            table[f"{root}.{name}"] = _mask_tensor
        table[f"{root}.cast"] = _cast
    table |= padding.functions() | versions.FUNCTIONS
    for name in ("float16", "float32", "float64", "double"):
        table[f"numpy.{name}"] = builtins.computed(float)
    for name in ("int8", "int16", "int32", "int64", "uint8", "intp"):
        table[f"numpy.{name}"] = builtins.computed(int)
    table["numpy.bool_"] = table["numpy.bool"] = builtins.computed(bool)
    for name in ("basename", "dirname", "join", "splitext"):
        table[f"os.path.{name}"] = builtins.computed(getattr(posixpath, name))
    for name in ("sqrt", "floor", "ceil", "log", "log2", "exp"):
        table[f"math.{name}"] = builtins.computed(getattr(math, name))
    return table
