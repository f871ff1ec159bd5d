"""Enumerations: their members, what a member is worth as a plain value, and how flags combine."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import libcst as cst

from cudnnlint.frontends.source.python import classes, containers, functions
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import (
    WORTH,
    Class,
    Const,
    Contents,
    Function,
    Instance,
    Library,
    Listing,
    Mapping,
    Tuple,
    UnknownValue,
    Value,
    join,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Bases that make the members of an enumeration texts or numbers.
_PLAIN = frozenset({"enum.IntEnum", "enum.StrEnum", "enum.IntFlag", "builtins.str", "builtins.int", "builtins.float"})
#: Enumerations whose members are texts, also where they are printed.
TEXTS = frozenset({"enum.StrEnum"})
_FLAGS = frozenset({"enum.Flag", "enum.IntFlag"})
_COMBINE: dict[type, Any] = {cst.BitOr: operator.or_, cst.BitAnd: operator.and_, cst.BitXor: operator.xor}
#: The cell of an enumeration that holds its members in order; that of a flag for combinations that were made.
MEMBERS = "·members"


def is_enumeration(kind: Class) -> bool:
    """Return whether a class is an enumeration."""
    return classes.library_base(kind, classes.ENUMS) is not None


def make_members(run: Interpreter, kind: Class, origin: Origin) -> None:
    """Turn the plain attributes of an enumeration's body into its members: objects with a name and a value."""
    members: list[Instance] = []
    for name, value in kind.table.items():
        if not isinstance(name, str) or name.startswith(("_", "·")) or _is_no_member(value):
            continue
        if isinstance(value, Instance) and isinstance(value.kind, Library) and value.kind.name == "enum.auto":
            value = _next_value(run, kind, name, members, origin)
        same = [one for one in members if _equals(one.table.get("value"), value)]
        member = same[0] if same else _member(run, kind, name, value, origin)
        if not same:
            members.append(member)
        run.journal.write(kind.table, name, member)
    run.journal.write(kind.table, MEMBERS, Tuple(Contents(tuple(members))))


def _is_no_member(value: Value) -> bool:
    return isinstance(value, (Function, Class))


def _equals(left: Value | None, right: Value) -> bool:
    return isinstance(left, Const) and isinstance(right, Const) and bool(left.value == right.value)


def _member(run: Interpreter, kind: Class, name: str, value: Value, origin: Origin) -> Instance:
    """Return a new member; its `__init__` gets the parts of a tuple one by one."""
    member = Instance(kind, run.journal.table(), at=value.at)
    run.journal.write(member.table, "name", Const(name))
    run.journal.write(member.table, "value", value)
    if classes.library_base(kind, _PLAIN | _FLAGS) is not None and isinstance(value, Const):
        run.journal.write(member.table, WORTH, value)
    found = classes.search(kind, "__init__")
    if found is not None and isinstance(found[0], Function) and isinstance(found[1], Class):
        parts = value.contents.items if isinstance(value, Tuple) else (value,)
        functions.invoke(run, classes.method_of(found[0], found[1]), Arguments([member, *parts]), origin)
    return member


def _next_value(run: Interpreter, kind: Class, name: str, members: list[Instance], origin: Origin) -> Value:
    """Return what `auto()` stands for: the class's own choice, a power of two, the name, or the next number."""
    before = [one.table.get("value") or Const(None) for one in members]
    own = classes.search(kind, "_generate_next_value_")
    if own is not None and isinstance(own[0], Function):
        last = containers.new_list(run, before)
        return run.call(own[0], Arguments([Const(name), Const(1), Const(len(before)), last]), origin)
    if classes.library_base(kind, TEXTS) is not None:
        return Const(name.lower())
    numbers = [one.value for one in before if isinstance(one, Const) and isinstance(one.value, int)]
    if len(numbers) < len(before):
        return UnknownValue("is a value that enum.auto() chooses")
    highest = max(numbers, default=0)
    flag = classes.library_base(kind, _FLAGS) is not None
    return Const(1 << highest.bit_length() if flag else highest + 1)


def members_of(kind: Value) -> list[Instance]:
    """Return the members of an enumeration in their order; none for anything else."""
    if not isinstance(kind, Class) or not is_enumeration(kind):
        return []
    known = kind.table.get(MEMBERS)
    return [one for one in known.contents.items if isinstance(one, Instance)] if isinstance(known, Tuple) else []


def by_name(run: Interpreter, kind: Class) -> Value:
    """Return `Enumeration.__members__`: its members by their names, aliases among them."""
    known = {id(one.table) for one in members_of(kind)}
    named = [(name, one) for name, one in kind.table.items() if isinstance(name, str) and isinstance(one, Instance)]
    return containers.new_dict(run, [(Const(name), one) for name, one in named if id(one.table) in known])


def text(member: Value, how: str) -> Value | None:
    """Return the text of a member of a plain enumeration; None for others, whose text depends on the release."""
    kind = member.kind if isinstance(member, Instance) else None
    if not isinstance(member, Instance) or not isinstance(kind, Class) or not is_enumeration(kind):
        return None
    name, value = member.table.get("name"), member.table.get("value")
    if classes.library_base(kind, _PLAIN | _FLAGS) is not None or not isinstance(name, Const):
        return None
    if how != "repr":
        return Const(f"{kind.name}.{name.value}")
    return Const(f"<{kind.name}.{name.value}: {value.value!r}>") if isinstance(value, Const) else None


def is_member(value: Instance) -> bool:
    """Return whether a value is a member of an enumeration, of which there is one object each."""
    return isinstance(value.kind, Class) and is_enumeration(value.kind)


def worth(value: Value) -> Value:
    """Return the text or number that a member of an enumeration equals; any other value as it is."""
    if not isinstance(value, Instance) or not isinstance(value.kind, Class):
        return value
    found = value.table.get(WORTH)
    plain = found is not None and classes.library_base(value.kind, _PLAIN) is not None
    return found if plain and isinstance(found, Const) else value


def lookup(run: Interpreter, kind: Class, arguments: Arguments, origin: Origin) -> Value:
    """Return the member that `Enumeration(value)` looks up."""
    members = members_of(kind)
    wanted = arguments.positional[0] if arguments.positional else None
    for member in members:
        if wanted is not None and (member is wanted or _same(run, member.table.get("value"), wanted)):
            return member
    unknown = [one for one in members if not _is_plain(run, one.table.get("value"))]
    if wanted is not None and _is_plain(run, wanted) and not unknown:
        flag = _combined(run, kind, wanted) if classes.library_base(kind, _FLAGS) is not None else None
        own = classes.search(kind, "_missing_")
        if own is not None and isinstance(own[0], Function) and isinstance(own[1], Class):
            return run.call(classes.method_of(own[0], own[1]), Arguments([kind, wanted]), origin)
        return flag or UnknownValue("is no member of the enumeration", origin, at=origin)
    return join(members) if members else UnknownValue("is an unknown member of an enumeration")


def _is_plain(run: Interpreter, value: Value | None) -> bool:
    return isinstance(value, Const) or (value is not None and containers.key_of(value) is not None)


def _same(run: Interpreter, left: Value | None, right: Value) -> bool:
    key = None if left is None else containers.key_of(left)
    return key is not None and key == containers.key_of(right)


def combine(run: Interpreter, kind: type, left: Value, right: Value) -> Value | None:
    """Return `left | right`, `left & right` of two members of one flag; None for anything else."""
    if kind not in _COMBINE or not isinstance(left, Instance) or not isinstance(right, Instance):
        return None
    flag = left.kind
    if not isinstance(flag, Class) or flag is not right.kind or classes.library_base(flag, _FLAGS) is None:
        return None
    one, other = left.table.get(WORTH), right.table.get(WORTH)
    if not isinstance(one, Const) or not isinstance(other, Const):
        return None
    return _combined(run, flag, Const(_COMBINE[kind](one.value, other.value)))


def _combined(run: Interpreter, flag: Class, value: Value) -> Value:
    """Return the member of a flag with this value, made if there is none yet."""
    for member in members_of(flag):
        if _equals(member.table.get(WORTH), value):
            return member
    known = flag.table.get(f"·{value.value}") if isinstance(value, Const) else None
    if known is None and isinstance(value, Const):
        known = Instance(flag, run.journal.table(), at=flag.at)
        for name, cell in (("name", Const(None)), ("value", value), (WORTH, value)):
            run.journal.write(known.table, name, cell)
        run.journal.write(flag.table, f"·{value.value}", known)
    return known or UnknownValue("is a combination of flags that is not known")


def holds(left: Value, right: Value) -> bool | None:
    """Return whether `left in right`, for two members of one flag; None for anything else."""
    if not isinstance(left, Instance) or not isinstance(right, Instance):
        return None
    one, other = left.table.get(WORTH), right.table.get(WORTH)
    flag = isinstance(left.kind, Class) and classes.library_base(left.kind, _FLAGS) is not None
    if not flag or not isinstance(one, Const) or not isinstance(other, Const):
        return None
    return bool(one.value & other.value == one.value)


def from_names(run: Interpreter, arguments: Arguments, base: Library, origin: Origin) -> Value | None:
    """Run `Enum("Color", "RED GREEN")`; None where its parts are not known."""
    name, names = arguments.get(0, "value"), arguments.get(1, "names")
    pairs = None if names is None else _pairs(run, names, origin)
    if not isinstance(name, Const) or pairs is None:
        return None
    made = Class(str(name.value), None, origin.unit, (base,), run.journal.table(), path=run.path, at=origin)
    for key, value in pairs:
        if not isinstance(key, Const):
            return None
        run.journal.write(made.table, key.value, value)
    make_members(run, made, origin)
    return made


def _pairs(run: Interpreter, names: Value, origin: Origin) -> list[tuple[Value, Value]] | None:
    """Return the names and values of a functional enumeration; None where they are not known."""
    if isinstance(names, (Listing, Tuple)):
        pairs = [containers.elements(run, one) for one in containers.elements(run, names).items]
        if pairs and all(one.certain and len(one.items) == 2 for one in pairs):
            return [(one.items[0], one.items[1]) for one in pairs]
    if isinstance(names, Const) and isinstance(names.value, str):
        every: tuple[Value, ...] = tuple(map(Const, names.value.replace(",", " ").split()))
    elif isinstance(names, Mapping):
        return [(containers.key_value(key), cell) for key, cell in names.table.items()]
    else:
        contents = containers.elements(run, names)
        if not contents.certain:
            return None
        every = contents.items
    return [(one, Instance(Library("enum.auto"), run.journal.table(), at=origin)) for one in every]
