"""Enumerations as they are made and called: which members a class body gives, and which one a value looks up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python import classes, comparisons, containers, enums, functions
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import (
    UNBOUND,
    WORTH,
    Class,
    Const,
    Contents,
    Function,
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


def make_members(run: Interpreter, kind: Class, origin: Origin) -> None:
    """Turn the plain attributes of an enumeration's body into its members: objects with a name and a value.

    A name with the value of an earlier member is another name of that. Where that is not known it gets a member of
    its own, which may be missing and has the names of all that it may be.
    """
    members: list[Instance] = []
    listed: list[Value] = []
    for name, value in kind.table.items():
        if not isinstance(name, str) or name.startswith(("_", "·")) or isinstance(value, (Function, Class)):
            continue
        if isinstance(value, Instance) and isinstance(value.kind, Library) and value.kind.name == "enum.auto":
            value = _next_value(run, kind, name, members, origin)
        equal = {id(one): _equal(run, one, value, origin) for one in members}
        maybe = [one for one in members if equal[id(one)] is not False]
        alias = next((one for one in maybe if equal[id(one)]), None)
        if alias is not None:  # whatever that may be an alias of, this is too
            run.journal.write(kind.table, name, alias)
            continue
        member = _member(run, kind, name, value, origin)
        if maybe:
            names = [Const(name), *(option for one in maybe for option in options(one.table.get("name") or UNBOUND))]
            run.journal.write(member.table, "name", join(names))
        members.append(member)
        listed.append(join([member, UNBOUND]) if maybe else member)
        run.journal.write(kind.table, name, member)
    run.journal.write(kind.table, enums.MEMBERS, Tuple(Contents(tuple(listed))))


def _equal(run: Interpreter, member: Instance, value: Value, origin: Origin) -> bool | None:
    """Return whether a value is that of an earlier member; None where it is not known."""
    answers = {
        False if isinstance(one, Partial) else comparisons.answer(run, cst.Equal(), one, other, origin)
        for one in options(member.table.get("value") or UNBOUND)
        for other in options(value)
    }
    return answers.pop() if len(answers) == 1 else None


def _member(run: Interpreter, kind: Class, name: str, value: Value, origin: Origin) -> Instance:
    """Return a new member; its `__init__` gets the parts of a tuple one by one."""
    member = Instance(kind, run.journal.table(), at=value.at)
    run.journal.write(member.table, "name", Const(name))
    run.journal.write(member.table, "value", value)
    if classes.library_base(kind, enums.PLAIN | enums.FLAGS) is not None and isinstance(value, Const):
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
        certain = all(map(enums.has_one_name, members))
        count = Const(len(before)) if certain else UnknownValue("is the number of members that are no aliases")
        return run.call(own[0], Arguments([Const(name), Const(1), count, last]), origin)
    if classes.library_base(kind, enums.TEXTS) is not None:
        return Const(name.lower())
    numbers = [one.value for one in before if isinstance(one, Const) and isinstance(one.value, int)]
    if len(numbers) < len(before):
        return UnknownValue("is a value that enum.auto() chooses")
    highest = max(numbers, default=0)
    flag = classes.library_base(kind, enums.FLAGS) is not None
    return Const(1 << highest.bit_length() if flag else highest + 1)


def lookup(run: Interpreter, kind: Class, arguments: Arguments, origin: Origin) -> Value:
    """Return the member that `Enumeration(value)` looks up."""
    members = enums.members_of(kind)
    wanted = arguments.positional[0] if arguments.positional else None
    for member in members:
        if wanted is not None and (member is wanted or _same(run, member.table.get("value"), wanted)):
            return member
    unknown = [one for one in members if not _is_plain(run, one.table.get("value"))]
    if wanted is not None and _is_plain(run, wanted) and not unknown:
        flag = enums.combined(run, kind, wanted) if classes.library_base(kind, enums.FLAGS) is not None else None
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
