"""Enumerations: what a member is worth as a plain value, how members are found, and how flags combine."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import libcst as cst

from cudnnlint.frontends.source.python import classes, containers
from cudnnlint.frontends.source.python.values import (
    UNBOUND,
    WORTH,
    Class,
    Const,
    Contents,
    Instance,
    Tuple,
    UnknownValue,
    Value,
    options,
    present,
)

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Bases that make the members of an enumeration texts or numbers.
PLAIN = frozenset({"enum.IntEnum", "enum.StrEnum", "enum.IntFlag", "builtins.str", "builtins.int", "builtins.float"})
#: Enumerations whose members are texts, also where they are printed.
TEXTS = frozenset({"enum.StrEnum"})
FLAGS = frozenset({"enum.Flag", "enum.IntFlag"})
_COMBINE: dict[type, Any] = {cst.BitOr: operator.or_, cst.BitAnd: operator.and_, cst.BitXor: operator.xor}
#: The cell of an enumeration that holds its members in order; that of a flag for combinations that were made.
MEMBERS = "·members"


def is_enumeration(kind: Class) -> bool:
    """Return whether a class is an enumeration."""
    return classes.library_base(kind, classes.ENUMS) is not None


def contents(kind: Value) -> Contents:
    """Return the members of an enumeration in their order, where one that may be an alias may be missing.

    Nothing for anything else.
    """
    known = kind.table.get(MEMBERS) if isinstance(kind, Class) and is_enumeration(kind) else None
    return known.contents if isinstance(known, Tuple) else Contents(())


def members_of(kind: Value) -> list[Instance]:
    """Return the members of an enumeration in their order, those that may be aliases too; none for anything else."""
    return [one for one in map(present, contents(kind).items) if isinstance(one, Instance)]


def named(kind: Class, name: Const) -> Value | None:
    """Return the member that `Enumeration[name]` gives, also by the name of an alias; None where there is none."""
    found = kind.table.get(name.value) if isinstance(name.value, str) else None
    return found if any(found is one for one in members_of(kind)) else None


def may_be_one(left: Value, right: Value) -> bool:
    """Return whether two members of an enumeration may be one: what may be an alias has the names of both."""
    if not isinstance(left, Instance) or not isinstance(right, Instance) or left.table is right.table:
        return False
    both = [options(side.table.get("name") or UNBOUND) for side in (left, right) if is_member(side)]
    names = [{one.value for one in every if isinstance(one, Const)} for every in both]
    return len(names) == 2 and not names[0].isdisjoint(names[1])


def has_one_name(member: Instance) -> bool:
    """Return whether an object is certainly no alias of another member."""
    return not is_member(member) or isinstance(member.table.get("name"), Const)


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
    if classes.library_base(kind, PLAIN | FLAGS) is not None or not isinstance(name, Const):
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
    plain = found is not None and classes.library_base(value.kind, PLAIN) is not None
    return found if plain and isinstance(found, Const) else value


def combine(run: Interpreter, kind: type, left: Value, right: Value) -> Value | None:
    """Return `left | right`, `left & right` of two members of one flag; None for anything else."""
    if kind not in _COMBINE or not isinstance(left, Instance) or not isinstance(right, Instance):
        return None
    flag = left.kind
    if not isinstance(flag, Class) or flag is not right.kind or classes.library_base(flag, FLAGS) is None:
        return None
    one, other = left.table.get(WORTH), right.table.get(WORTH)
    if not isinstance(one, Const) or not isinstance(other, Const):
        return None
    return combined(run, flag, Const(_COMBINE[kind](one.value, other.value)))


def _equals(left: Value | None, right: Value) -> bool:
    return isinstance(left, Const) and isinstance(right, Const) and bool(left.value == right.value)


def combined(run: Interpreter, flag: Class, value: Value) -> Value:
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
    flag = isinstance(left.kind, Class) and classes.library_base(left.kind, FLAGS) is not None
    if not flag or not isinstance(one, Const) or not isinstance(other, Const):
        return None
    return bool(one.value & other.value == one.value)
