"""Classes of the linted source: defined, searched, instantiated."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.regex import regex
from cudnnlint.frontends.source.python import (
    absent,
    class_escape,
    containers,
    decorators,
    enum_members,
    escape,
    functions,
    hooks,
    raising,
    spreading,
)
from cudnnlint.frontends.source.python import (
    fields as field_values,
)
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.call_path import Step
from cudnnlint.frontends.source.python.scopes import Frame, Scope
from cudnnlint.frontends.source.python.values import (
    Bound,
    Class,
    Const,
    Contents,
    Function,
    Instance,
    Library,
    Mapping,
    Tuple,
    UnknownValue,
    Value,
    join,
    options,
    present,
    words,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

FIELDS = "·fields"
#: The fields of a dataclass that only its `__post_init__` gets.
INIT_ONLY = "·init only"
#: Those behind a field `_: KW_ONLY`, the marker among them, which is no field.
KEYWORDS = "·keywords"
ANNOTATED = regex(r"[\"']?(?:\w+\.)*(InitVar|ClassVar|KW_ONLY)\b")
ENUMS = frozenset({"enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag"})
NAMED_TUPLES = frozenset({"typing.NamedTuple", "collections.namedtuple"})
DICTS = frozenset({"builtins.dict", "collections.OrderedDict", "collections.UserDict", "typing.TypedDict"})
DATACLASSES = words("dataclasses.dataclass attr.s attr.attrs attr.define attrs.define attrs.frozen")


def define(run: Interpreter, node: cst.ClassDef, frame: Frame) -> bool:
    """Run `class Name(bases): ...`."""
    bases = tuple(absent.base(run, base.value, frame) for base in node.bases if base.star == "")
    table = run.journal.table()
    scope = Scope(table, frame.scope, "class")
    made = Class(node.name.value, node, frame.unit, bases, table, scope, run.path, at=Origin(frame.unit, node))
    made = scope.owner = replace(made, meta=_metaclass(run, node, bases, frame))
    run.execute(node.body, Frame(frame.unit, scope, containers.new_list(run, ())))
    hooks.name_attributes(run, made, Origin(frame.unit, node))
    if library_base(made, ENUMS) is not None:
        enum_members.make_members(run, made, Origin(frame.unit, node))
    given = spreading.gather(run, [keyword for keyword in node.keywords if not _is_metaclass(keyword)], frame)
    _run_metaclass(run, made, given, Origin(frame.unit, node))
    _run_init_subclass(run, made, given, Origin(frame.unit, node))
    decorated = decorators.decorate_class(run, made, node.decorators, frame)
    run.classes.append(decorated if isinstance(decorated, Class) else made)
    frame.scope.bind(run.journal, node.name.value, decorated)
    return True


def _is_metaclass(keyword: cst.Arg) -> bool:
    return keyword.keyword is not None and keyword.keyword.value == "metaclass"


def _metaclass(run: Interpreter, node: cst.ClassDef, bases: tuple[Value, ...], frame: Frame) -> Class | None:
    """Return the linted metaclass of a class: the one that is written, else that of a base."""
    for keyword in filter(_is_metaclass, node.keywords):
        written = run.evaluate(keyword.value, frame)
        return written if isinstance(written, Class) else None
    return next((base.meta for base in bases if isinstance(base, Class) and base.meta is not None), None)


def _run_metaclass(run: Interpreter, made: Class, given: Arguments, origin: Origin) -> None:
    """Run the `__new__` and `__init__` of the metaclass on a class that it makes."""
    for name, receiver in (("__new__", made.meta), ("__init__", made)):
        found = search(made.meta, name) if made.meta is not None else None
        if found is None or receiver is None or not isinstance(found[0], Function) or not isinstance(found[1], Class):
            continue
        method = method_of(found[0], found[1])
        passed = [receiver, Const(made.name), Tuple(Contents(made.bases)), Mapping(made.table)]
        run.making.append(made)
        functions.invoke(run, method, Arguments(passed, given.keywords), origin)
        run.making.pop()


def _run_init_subclass(run: Interpreter, made: Class, given: Arguments, origin: Origin) -> None:
    """Run the `__init_subclass__` of a base class on a class that inherits from it."""
    found = search(made, "__init_subclass__", made)
    if found is not None and isinstance(found[0], Function) and isinstance(found[1], Class):
        method = replace(method_of(found[0], found[1]), kind="classmethod")
        functions.invoke(run, method, given.with_first(made), origin)


def make(run: Interpreter, name: Value, bases: Value, names: Value, origin: Origin) -> Value | None:
    """Return the class that `type(name, bases, names)` makes; None where its parts are not known."""
    if not isinstance(name, Const) or not isinstance(bases, Tuple) or not isinstance(names, Mapping):
        return None
    table = run.journal.table()
    for key, cell in names.table.items():
        run.journal.write(table, key, cell)
    made = Class(str(name.value), None, origin.unit, bases.contents.items, table, path=run.path, at=origin)
    _run_init_subclass(run, made, Arguments(), origin)
    return made


def lineage(kind: Class) -> list[Value]:
    """Return the class and its bases in Python's method resolution order (C3).

    A base that may be one of several classes counts as the first of them.
    """
    if kind.table.order is None:
        kind.table.order = _bases_in_order(kind)
    return [kind, *kind.table.order]


def _bases_in_order(kind: Class) -> list[Value]:
    bases = [options(base)[0] for base in kind.bases]
    waiting = [lineage(base) if isinstance(base, Class) else [base] for base in bases] + [bases]
    order: list[Value] = []
    while waiting := [rest for rest in waiting if rest]:
        heads = [rest[0] for rest in waiting]
        first = next((head for head in heads if not any(_holds(rest[1:], head) for rest in waiting)), heads[0])
        order.append(first)
        waiting = [[entry for entry in rest if not _same(entry, first)] for rest in waiting]
    return order


def _holds(entries: list[Value], wanted: Value) -> bool:
    return any(_same(entry, wanted) for entry in entries)


def _same(left: Value, right: Value) -> bool:
    if isinstance(left, Class) and isinstance(right, Class):
        return left.table is right.table
    return left is right or (isinstance(left, Library) and isinstance(right, Library) and left.name == right.name)


def inherits(kind: Class, base: Class) -> bool:
    """Return whether a class is another one, or inherits from it."""
    return _holds(lineage(kind), base)


def library_base(kind: Class, among: frozenset[str] | None = None) -> Library | None:
    """Return the first library class among the bases (of those names, if given)."""
    for base in lineage(kind):
        if isinstance(base, Library) and (among is None or base.name in among):
            return base
    return None


def search(kind: Class, name: str, after: Class | None = None) -> tuple[Value, Value] | None:
    """Return the attribute `name` of a class and the class that has it; None if no class has it.

    A library class that may have it ends the search: it is then returned in place of the attribute. With `after`, the
    search starts behind that class, as for super().
    """
    order = lineage(kind)
    if after is not None:
        places = [i for i, entry in enumerate(order) if isinstance(entry, Class) and entry.table is after.table]
        order = order[places[0] + 1 :] if places else order[1:]
    for entry in order:
        if isinstance(entry, Class):
            value = entry.table.get(name)
            if value is not None:
                return present(value), entry
        elif not (isinstance(entry, Library) and entry.name in PLAIN_BASES):
            return entry, entry
    return None


PLAIN_BASES = ENUMS | words("builtins.object abc.ABC typing.Generic typing.Protocol builtins.str builtins.int")


def instantiate(run: Interpreter, kind: Class, arguments: Arguments, origin: Origin) -> Value:
    """Return the result of `Name(arguments)`: what the metaclass makes of it, else a new object."""
    made = hooks.called_by_metaclass(run, kind, arguments, origin)
    return hooks.finalised(run, construct(run, kind, arguments, origin), origin) if made is None else made


def construct(run: Interpreter, kind: Class, arguments: Arguments, origin: Origin) -> Value:
    """Return a new object of a class, as `type.__call__` makes it."""
    if library_base(kind, ENUMS) is not None:
        return enum_members.lookup(run, kind, arguments, origin)
    if library_base(kind, NAMED_TUPLES) is not None:
        return field_values.named_tuple(run, kind, arguments)
    if library_base(kind, DICTS) is not None:
        return _new_mapping(run, kind, arguments, origin)
    run.called.add(id(kind.node))
    instance = Instance(kind, run.journal.table(), at=origin)
    raising.initialize(run, instance, arguments)
    given = _made_by_new(run, kind, instance, arguments, origin)
    unknown = isinstance(given, UnknownValue)  # it may be an object that was made before
    if given is not instance and not unknown:
        if not isinstance(given, Instance) or given.kind is not kind:
            return given
        instance = given  # made before; it is initialised once more
    elif run.records(origin):
        run.instances.append((instance, (*run.path, Step(origin)), run.entries))
    _initialise(run, kind, instance, arguments, origin)
    return join([instance, given]) if unknown else instance


def _initialise(run: Interpreter, kind: Class, instance: Instance, arguments: Arguments, origin: Origin) -> None:
    """Run the `__init__` of a class on an object."""
    found = search(kind, "__init__")
    if found is not None and isinstance(found[0], Function):
        initialiser = functions.as_method(found[0], found[1]) if isinstance(found[1], Class) else found[0]
        assert isinstance(initialiser, Function)
        functions.invoke(run, initialiser, arguments.with_first(instance), origin)
    elif is_dataclass(kind):
        field_values.fill(run, instance, kind, arguments, origin)
    elif found is not None and (given := hooks.given_init(run, *found, instance, origin)) is not None:
        run.call(given, arguments, origin)
    elif found is not None and isinstance(found[0], Library):
        escape.from_library(run, found[0].name, arguments, origin)
        escape.leak(run, found[0].name, instance)
        if found[0].foreign:
            class_escape.inherited(run, instance, escape.why_of(origin))
        run.library.construct(run, instance, found[0].name, arguments, origin)


def _made_by_new(run: Interpreter, kind: Class, instance: Instance, arguments: Arguments, origin: Origin) -> Value:
    """Return what a class's own `__new__` returns for a new object."""
    found = search(kind, "__new__")
    if found is None or not isinstance(found[0], Function) or not isinstance(found[1], Class):
        return instance
    run.making.append(instance)
    given = functions.invoke(run, method_of(found[0], found[1]), arguments.with_first(kind), origin)
    run.making.pop()
    return given


def _new_mapping(run: Interpreter, kind: Class, arguments: Arguments, origin: Origin) -> Value:
    """Return a new object of a class that inherits from dict."""
    run.called.add(id(kind.node))
    value = Mapping(run.journal.table(), Instance(kind, run.journal.table(), at=origin), at=origin)
    found = search(kind, "__init__")
    if found is not None and isinstance(found[0], Function) and isinstance(found[1], Class):
        functions.invoke(run, method_of(found[0], found[1]), arguments.with_first(value), origin)
    else:
        run.call(Bound(value, "update"), arguments, origin)
    return value


def of_class_item(run: Interpreter, kind: Class, index: Value, origin: Origin) -> Value | None:
    """Return `Kind[index]` as the class defines it, or a generic class as it is; None for an enumeration."""
    found = search(kind, "__class_getitem__")
    if found is not None and isinstance(found[0], Function) and isinstance(found[1], Class):
        return run.call(method_of(found[0], found[1]), Arguments([kind, index]), origin)
    return None if library_base(kind, ENUMS) is not None else kind


def method_of(function: Function, owner: Class) -> Function:
    """Return a function of a class body as a method that knows its class."""
    method = functions.as_method(function, owner)
    assert isinstance(method, Function)
    return method


def kind_of(value: Value) -> Class | Library | None:
    """Return the class of an object; None where it is not a class that is followed."""
    if isinstance(value, Mapping) and value.body is not None:
        return value.body.kind
    return value.kind if isinstance(value, (Instance, Tuple)) else None


def is_top(kind: Class) -> bool:
    """Return whether a class is defined at the top of its module, so that its name is its whole name."""
    return kind.scope is None or kind.scope.parent is None or kind.scope.parent.kind == "module"


def is_dataclass(kind: Class) -> bool:
    """Return whether a class is a dataclass or inherits from one."""
    return any(mark in DATACLASSES for entry in lineage(kind) if isinstance(entry, Class) for mark in entry.marks)


def instance_fields(kind: Class) -> list[str]:
    """Return the fields that an object of a dataclass has."""
    init_only = fields(kind, INIT_ONLY)
    return [name for name in fields(kind) if name not in init_only]


def fields(kind: Class, cell: str = FIELDS) -> list[str]:
    """Return the annotated fields of a class and its bases, base classes first."""
    names: dict[str, None] = {}
    for entry in reversed(lineage(kind)):
        noted = entry.table.get(cell) if isinstance(entry, Class) else None
        if isinstance(noted, Tuple):
            names.update(dict.fromkeys(str(item.value) for item in noted.contents.items if isinstance(item, Const)))
    return list(names)


def operator(run: Interpreter, value: Value, name: str, arguments: list[Value], origin: Origin) -> Value | None:
    """Return the result of an operator that a class defines for itself (`__getitem__`); None if it defines none."""
    kind = value.meta if isinstance(value, Class) else kind_of(value)
    if isinstance(kind, Library):
        return run.library.operator(run, value, name, arguments, origin)
    found = search(kind, name) if isinstance(kind, Class) else None
    if found is not None and isinstance(found[0], Library) and found[0] is not found[1]:
        return run.call(found[0], Arguments([value, *arguments]), origin)  # `__getattr__ = dict.get`
    if found is None or not isinstance(found[0], Function) or not isinstance(found[1], Class):
        return None
    return run.call(functions.as_method(found[0], found[1]), Arguments([value, *arguments]), origin)
