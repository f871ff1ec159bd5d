"""Python's built-in functions on abstract values."""

from __future__ import annotations

import builtins as python
from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.python import (
    asking,
    classes,
    containers,
    conversions,
    executed,
    iteration,
    kinds,
    mappings,
    operators,
    ordering,
    plain,
    raising,
    storing,
    unmade,
    views,
)
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    ANY,
    DEEPEST,
    NONE,
    UNBOUND,
    Class,
    Const,
    Contents,
    Function,
    Imported,
    Instance,
    Library,
    Listing,
    Mapping,
    Tuple,
    UnknownValue,
    Value,
    assume,
    assumption,
    choice,
    join,
    may_be_missing,
    options,
    present,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

Builtin = Callable[["Interpreter", Arguments, Origin], "Value | None"]


def find(name: str) -> Value | None:
    """Return the built-in of that name; None if Python has none."""
    known = _CONSTANTS.get(name)
    return known if known is not None else Library(f"builtins.{name}") if hasattr(python, name) else None


_CONSTANTS: dict[str, Value] = {
    "True": Const(True),
    "False": Const(False),
    "None": NONE,
    "Ellipsis": Const(...),
    "__debug__": Const(True),
    "__name__": Const("__main__"),
    **{name: UnknownValue("is set for the module", name) for name in ("__doc__", "__spec__", "__loader__")},
}


def call(run: Interpreter, name: str, arguments: Arguments, origin: Origin) -> Value:
    """Call the built-in `name`."""
    function = _table().get(name)
    result = function(run, arguments, origin) if function is not None else None
    if result is not None:
        return result
    error = raising.of_library(run, name, arguments, origin)
    if error is not None:
        return error
    return plain.not_evaluated(run, arguments, origin, run.library.outside(f"builtins.{name}"))


def update(run: Interpreter, mapping: Mapping, value: Value) -> None:
    """Do what `mapping.update(value)` does; where the value is one of several, the entries are joined."""
    alternatives = options(value)
    if len(alternatives) > 1:
        arms = [partial(_update_one, run, mapping, option) for option in alternatives]
        run.journal.fork(arms, choice(value))
    else:
        _update_one(run, mapping, alternatives[0])


def _update_one(run: Interpreter, mapping: Mapping, value: Value) -> bool:
    value = mappings.of_object(run, value)
    if isinstance(value, Mapping):
        for key, cell in value.table.items():
            before = mapping.table.get(key) or UNBOUND
            run.journal.write(mapping.table, key, join([present(cell), before]) if may_be_missing(cell) else cell)
    elif isinstance(value, (Listing, Tuple)):
        contents = containers.elements(run, value)
        for item in contents.items:
            pair = containers.elements(run, present(item)).items
            if len(pair) == 2:
                containers.set_key(run, mapping, *pair)
        if contents.rest is not None:
            run.journal.write(mapping.table, ANY, UnknownValue("is a dict entry that is not known"))
    elif not containers.is_nothing(value):
        because = value if isinstance(value, UnknownValue) else UnknownValue("is a dict entry that is not known")
        run.journal.write(mapping.table, ANY, because)
    return True


def in_order(run: Interpreter, contents: Contents, arguments: Arguments, origin: Origin) -> list[Value] | None:
    """Return the items as sorted(), min() and max() order them; None where the order is not known."""
    by, backwards = arguments.keywords.get("key", NONE), truth(arguments.keywords.get("reverse", Const(False)))
    nothing = containers.is_nothing(by)
    most = containers.MOST_KEPT if nothing else containers.MOST_ROUNDS
    if not contents.certain or backwards is None or len(contents.items) > most:
        return None
    keys = [item if nothing else run.call(by, Arguments([item]), origin) for item in contents.items]
    known = [one for one in map(plain_of, keys) if one is not None]
    if len(known) < len(keys):
        return ordering.by_own_comparison(run, contents.items, keys, backwards, origin)
    try:
        order = sorted(range(len(known)), key=lambda place: known[place], reverse=backwards)
    except TypeError:
        raising.throw_python(run, "TypeError", Const("no order is defined"))
        return None
    return [contents.items[place] for place in order]


def plain_of(value: Value, depth: int = 0) -> tuple[Any, ...] | None:
    """Return a value by which things are ordered, as Python's own in a tuple; None if it is not known."""
    if isinstance(value, Const):
        return (value.value,)
    if isinstance(value, (Tuple, Listing)) and depth < DEEPEST:
        contents = value.contents if isinstance(value, Tuple) else containers.contents_of(value)
        parts = [plain_of(item, depth + 1) for item in contents.items]
        return None if None in parts or not contents.certain else tuple(parts)
    return None


def _extreme(last: bool) -> Builtin:
    """Return a handler for max() (`last`) or min()."""

    def compute(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        single = len(arguments.positional) == 1
        contents = (
            containers.elements(run, arguments.positional[0]) if single else Contents(tuple(arguments.positional))
        )
        if contents.certain and not contents.items:
            return arguments.keywords.get("default")
        keywords = {"key": arguments.keywords.get("key", NONE), "reverse": Const(last)}
        ordered = None if arguments.rest else in_order(run, contents, Arguments(keywords=keywords), origin)
        return assume(ordered[0], assumption(*contents.items)) if ordered else None

    return compute


def _sum(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Compute sum() of numbers, of lists, or of objects whose class says how they are added."""
    contents = containers.elements(run, arguments.positional[0]) if arguments.positional else Contents(())
    if not contents.certain or len(contents.items) > containers.MOST_KEPT:
        return None
    return operators.total(run, contents.items, arguments.get(1, "start") or Const(0), origin)


def _range(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    try:
        values = [plain.plain(run, value) for value in arguments.positional]
        numbers = plain.attempt(range, *values)
        length = plain.attempt(len, numbers)
    except plain.NotPlain:
        return views.numbers("is a number from a `range` whose bounds are not known")
    if length > containers.MOST_KEPT:
        return views.numbers("is a number from a long `range`")
    return Const(numbers, assumed=assumption(*arguments.positional))


def _list(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    contents = containers.elements(run, arguments.positional[0]) if arguments.positional else Contents(())
    return containers.new_list(run, contents.items, contents.rest)


def _set_of(kind: str) -> Builtin:
    """Return a handler for `set(...)` or `frozenset(...)`."""

    def compute(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        contents = containers.elements(run, arguments.positional[0]) if arguments.positional else Contents(())
        return containers.new_list(run, contents.items, contents.rest, kind)

    return compute


def _from_keys(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    contents = containers.elements(run, arguments.positional[0]) if arguments.positional else Contents(())
    value = arguments.get(1, "value") or NONE
    return containers.new_dict(run, ((key, value) for key in contents.items)) if contents.certain else None


def _tuple(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    return Tuple(containers.elements(run, arguments.positional[0]) if arguments.positional else Contents(()))


def _dict(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    mapping = containers.new_dict(run)
    for value in arguments.positional:
        update(run, mapping, value)
    if arguments.rest:
        update(run, mapping, UnknownValue(arguments.rest, None))
    for name, value in arguments.keywords.items():
        run.journal.write(mapping.table, name, value)
    if arguments.open:
        update(run, mapping, UnknownValue(arguments.open, None))
    return mapping


def _sorted(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    contents = containers.elements(run, arguments.positional[0]) if arguments.positional else Contents(())
    ordered = in_order(run, contents, arguments, origin)
    if ordered is not None:
        return containers.new_list(run, ordered)
    every = [present(item) for item in contents.items] + ([contents.rest] if contents.rest is not None else [])
    return containers.new_list(run, (), join(every)) if every else containers.new_list(run, ())


def _vars(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    return run.attribute(arguments.positional[0], "__dict__", origin) if arguments.positional else None


def _type(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    value = arguments.positional[0] if arguments.positional else NONE
    if len(arguments.positional) == 3:
        name, bases, names = arguments.positional
        return classes.make(run, name, bases, names, origin)
    kind = classes.kind_of(value)
    if kind is not None:
        return kind
    if isinstance(value, Library) and value.name.rsplit(".", 1)[-1][:1].isupper():
        return Library("builtins.type")
    if isinstance(value, Class):
        return value.meta or Library("builtins.type")
    return Library(f"builtins.{plainly.__name__}") if (plainly := kinds.plainly(value)) is not None else None


def _object(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    return Instance(Library("builtins.object"), run.journal.table(), at=origin)


def _item_of(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Call what operator.itemgetter() returned."""
    key = arguments.keywords.get("·key", NONE)
    found = containers.item(run, arguments.positional[0], key) if arguments.positional else None
    return None if found is None else present(found)


def _attribute_of(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Call what operator.attrgetter() returned."""
    key = arguments.keywords.get("·key", NONE)
    return asking.attribute(run, Arguments([*arguments.positional, key]), origin)


def _kind_of_method(kind: str) -> Builtin:
    """Return a handler for `staticmethod(function)` and the like, where they are called as functions."""

    def made(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
        value = arguments.positional[0] if arguments.positional else NONE
        setter, deleter = arguments.get(1, "fset"), arguments.get(2, "fdel")
        if not isinstance(value, Function):
            return value
        return replace(
            value,
            kind=kind,
            setter=setter if isinstance(setter, Function) else None,
            deleter=deleter if isinstance(deleter, Function) else None,
        )

    return made


def _import(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Run `__import__(name, fromlist=...)`: the package, or with `fromlist` the module itself."""
    name, inner = arguments.get(0, "name"), arguments.get(3, "fromlist") or NONE
    if not isinstance(name, Const) or not isinstance(name.value, str) or not name.value or name.value[0] == ".":
        return None
    whole = truth(inner) is not False
    module = run.modules.module(name.value if whole else name.value.split(".")[0], origin.unit)
    return run.modules.resolve(module) if isinstance(module, Imported) else module


#: Static and class methods of built-in classes.
_STATIC = {
    "str.maketrans": plain.pure(str.maketrans),
    "bytes.fromhex": plain.pure(bytes.fromhex),
    "int.from_bytes": plain.pure(int.from_bytes),
    "float.fromhex": plain.pure(float.fromhex),
}


@cache
def _table() -> dict[str, Builtin]:
    """Return the built-in functions by their names."""
    return {
        **conversions.table(),
        **iteration.table(),
        "pow": plain.pure(pow, grows=True),
        "bytes": plain.pure(bytes, grows=True),
        **_STATIC,
        "sum": _sum,
        "min": _extreme(False),
        "max": _extreme(True),
        "list": _list,
        **{kind: _set_of(kind) for kind in ("set", "frozenset")},
        "dict.fromkeys": _from_keys,
        "range": _range,
        "tuple": _tuple,
        "dict": _dict,
        "sorted": _sorted,
        "setattr": storing.by_name,
        "delattr": storing.delete_by_name,
        "vars": _vars,
        "compile": executed.compiled,
        **asking.table(),
        "·item": _item_of,
        "·attribute": _attribute_of,
        "type": _type,
        "__import__": _import,
        "object": _object,
        **{name: _kind_of_method(name) for name in ("staticmethod", "classmethod", "property")},
        **dict.fromkeys(("type.__new__", "object.__new__"), unmade.made),
        "type.__init__": lambda run, arguments, origin: NONE,
    }
