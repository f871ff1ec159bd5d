"""Objects that hold entries as a dict does: with `keys()` and `[key]`, where `**object` and `dict(object)` ask them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import classes, containers
from cudnnlint.frontends.source.python.copies import changed
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.values import (
    ANY,
    Class,
    Function,
    Instance,
    Library,
    Mapping,
    UnknownValue,
    Value,
    choice,
    join,
    options,
)

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


USER_DICTS = frozenset({"collections.UserDict"})
#: What the methods of a `UserDict` go through, which those of a dict do not.
ACCESS = ("__getitem__", "__setitem__", "__delitem__", "__contains__", "__iter__", "__len__")


def of_object(run: Interpreter, value: Value) -> Value:
    """Return the entries of an object that has any, as a dict; any other value as it is."""
    if isinstance(value, Mapping) and not has_own_access(value, ("__getitem__",)):
        return value
    if not isinstance(value, (Instance, Mapping)):
        return value
    kind = classes.kind_of(value)
    if isinstance(kind, Library) and isinstance(value, Instance):
        return run.library.entries(run, value) or value
    if value.at is None or not isinstance(kind, Class):
        return value
    names = classes.operator(run, value, "keys", [], value.at)
    if names is None and isinstance(value, Mapping):
        names = value
    keys = None if names is None else containers.elements(run, names)
    if keys is None or not keys.certain:
        return value
    assert isinstance(value, (Instance, Mapping))
    assert value.at is not None
    made = containers.new_dict(run)
    for key in keys.items:
        entry = classes.operator(run, value, "__getitem__", [key], value.at)
        if entry is None:
            return value
        containers.set_key(run, made, key, entry)
    return made


def is_user_dict(body: Instance) -> bool:
    """Return whether an object is a `UserDict`, which keeps its entries in `data`."""
    if isinstance(body.kind, Library):
        return body.kind.name in USER_DICTS
    return classes.library_base(body.kind, USER_DICTS) is not None


def has_own_access(value: Mapping, names: tuple[str, ...] = ACCESS) -> bool:
    """Return whether an object is a `UserDict` whose class reads or writes its entries itself."""
    if value.body is None or not isinstance(value.body.kind, Class) or not is_user_dict(value.body):
        return False
    found = [classes.search(value.body.kind, name) for name in names]
    return any(one is not None and isinstance(one[0], Function) for one in found)


def taken_out(mapping: Mapping, key: Value, default: Value | None) -> Value:
    """Return `mapping.pop(key, default)`. An entry that is not seen is no more among those that `**mapping` passes."""
    value, hashable = containers.get_key(mapping, key, default), containers.key_of(key)
    if mapping.table.get(ANY) is None or hashable is None or mapping.table.get(hashable) is not None:
        return value
    return join([one if one is default else _apart(one, hashable) for one in options(value)], choice(value))


def _apart(value: Value, key: Hashable) -> Value:
    """Return a value that is not known as that of one key."""
    if not isinstance(value, UnknownValue):
        return value
    return changed(value, why=Sentence(f"the entry {key!r} is taken out of a dict: ", value.because), what=None)
