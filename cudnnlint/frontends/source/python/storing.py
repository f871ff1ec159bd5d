"""Attributes: what setting and deleting one changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.python import (
    change_through,
    classes,
    containers,
    escape,
    functions,
    hooks,
    object_cells,
    raising,
)
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import (
    NONE,
    OTHER,
    UNBOUND,
    Class,
    Const,
    Function,
    Instance,
    Library,
    Listing,
    Mapping,
    Namespace,
    Tuple,
    UnknownValue,
    Value,
    join,
    options,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def _set_by_class(run: Interpreter, owner: Value, name: str, value: Value, origin: Origin) -> bool:
    """Return whether the class sets (or deletes) the attribute itself; run that."""
    kind = classes.kind_of(owner)
    if not isinstance(kind, Class):
        return False
    deletes = value is UNBOUND
    own = "__delattr__" if deletes else "__setattr__"
    found = classes.search(kind, own)
    hook = id(found[0].node) if found is not None and isinstance(found[0], Function) else None
    if isinstance(owner, Instance) and not deletes and hook in run.unsettled:
        _set_unsettled(run, owner, name, value, origin)
        return True
    before = owner.table.get(OTHER) if isinstance(owner, Instance) else None
    if classes.operator(run, owner, own, [Const(name)] if deletes else [Const(name), value], origin) is None:
        return _set_by_attribute(run, kind, owner, name, value, origin)
    if isinstance(owner, Instance) and hook is not None and owner.table.get(OTHER) is not before:
        run.unsettled.add(hook)
    return True


def _set_unsettled(run: Interpreter, owner: Instance, name: str, value: Value, origin: Origin) -> None:
    """Set an attribute by a `__setattr__` that sets names that are not known: this one, or any other."""
    unknown = run.unfollowed("is set by a `__setattr__` that is not followed", origin.node, origin.unit)
    if not isinstance(owner.table.get(OTHER), UnknownValue):
        store_somewhere(run, owner, unknown)
        run.journal.write(owner.table, OTHER, unknown)
    store(run, owner, name, join([value, unknown]))


def _set_by_attribute(run: Interpreter, kind: Class, owner: Value, name: str, value: Value, origin: Origin) -> bool:
    """Return whether a property or descriptor of the class sets (or deletes) the attribute; run that."""
    deletes, found = value is UNBOUND, classes.search(kind, name)
    if found is None or not isinstance(found[1], Class):
        return False
    passed = [owner] if deletes else [owner, value]
    if isinstance(found[0], Function) and found[0].kind == "property":
        setter = found[0].deleter if deletes else found[0].setter
        if setter is not None:
            run.call(functions.as_method(setter, found[1]), Arguments(passed), origin)
        else:
            raising.throw_python(run, "AttributeError", Const(f"property {name!r} cannot be set"))
        return True
    if not hooks.is_data_descriptor(found[0]):
        return False
    return classes.operator(run, found[0], "__delete__" if deletes else "__set__", passed, origin) is not None


def set_attribute(run: Interpreter, owner: Value, name: str, value: Value, origin: Origin) -> None:
    """Run `owner.name = value`."""
    if isinstance(owner, Mapping) and owner.body is not None and name == "__dict__":
        run.journal.write(owner.body.table, name, value)
    elif isinstance(owner, (Instance, Mapping)) and _set_by_class(run, owner, name, value, origin):
        return
    elif not _refused(run, owner, name):
        if isinstance(owner, Instance):
            change_through.through(run, owner, origin)
        elif isinstance(owner, Library):  # what calls a function by that name may be in the library
            escape.from_known(run, Arguments([value]), origin)
        store(run, owner, name, value)


def _refused(run: Interpreter, owner: Value, name: str) -> bool:
    """Return whether a class refuses the attribute: a frozen dataclass, or one whose slots do not have it."""
    if isinstance(owner, (Tuple, Const, Listing)):
        raising.throw_python(run, "AttributeError", Const(f"no attribute {name!r}"))
        return True
    kind = owner.kind if isinstance(owner, Instance) else None
    if not isinstance(kind, Class):
        return False
    if FROZEN in kind.marks:
        raising.throw_python(run, "AttributeError", Const(f"cannot assign to field {name!r}"))
        return True
    slots = kind.table.get("__slots__")
    if slots is None or any(base is not kind and not _plain(base) for base in classes.lineage(kind)):
        return False
    names = containers.elements(run, slots)
    if not names.certain or any(isinstance(one, Const) and one.value in (name, "__dict__") for one in names.items):
        return False
    raising.throw_python(run, "AttributeError", Const(f"no attribute {name!r}"))
    return True


def _plain(base: Value) -> bool:
    return isinstance(base, Library) and base.name == "builtins.object"


#: The mark of a frozen dataclass.
FROZEN = "·frozen"


def store(run: Interpreter, owner: Value, name: str, value: Value) -> None:
    """Set an attribute as `object.__setattr__` does."""
    if isinstance(owner, Mapping) and owner.body is not None:
        own = not object_cells.is_its_dict(owner, owner.body)
        run.journal.write(owner.body.table if own else owner.table, name, value)
    elif isinstance(owner, (Instance, Class)):
        if name in ("__class__", "__bases__"):
            _made_another(run, owner, name)
        cells = owner.table if isinstance(owner, Class) or name == "__dict__" else object_cells.of(owner)
        run.journal.write(cells, name, value)
        if isinstance(owner, Instance) and isinstance(owner.kind, Library):
            escape.leak(run, owner.kind.name, value)
    elif isinstance(owner, Library):
        escape.leak(run, owner.name, value)
        run.journal.write(run.patched, f"{owner.name}.{name}", value)
    elif isinstance(owner, Namespace):
        owner.unit.table.keep(name)
        run.journal.write(owner.unit.table, name, value)
    elif isinstance(owner, Function):
        run.journal.write(run.attached(owner), name, value)


def _made_another(run: Interpreter, owner: Instance | Class, name: str) -> None:
    """Note that an object gets another class, or a class other bases: what it has of them is no longer known."""
    kind = owner.kind if isinstance(owner, Instance) else owner
    above = classes.lineage(kind)[isinstance(owner, Class) :] if isinstance(kind, Class) else []
    for inherited in [key for base in above if isinstance(base, Class) for key, _ in base.table.items()]:
        if owner.table.get(inherited) is None:
            run.journal.write(owner.table, inherited, UnknownValue(f"depends on another `{name}` than at first"))


def by_name(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `setattr(owner, name, value)`; where the name is not known, any attribute may be the value."""
    if len(arguments.positional) == 3:
        owner, name, value = arguments.positional
        for option in options(owner):
            if isinstance(name, Const) and isinstance(name.value, str):
                set_attribute(run, option, name.value, value, origin)
            elif isinstance(option, Instance):
                store_somewhere(run, option, value)
    return NONE


def store_somewhere(run: Interpreter, owner: Instance, value: Value) -> None:
    """Set an attribute under a name that is not known: any may have the value."""
    for key, cell in owner.table.items():
        run.journal.write(owner.table, key, join([cell, value]))
    run.journal.write(owner.table, OTHER, join([owner.table.get(OTHER) or value, value]))


def delete_by_name(run: Interpreter, arguments: Arguments, origin: Origin) -> Value | None:
    """Evaluate `delattr(owner, name)`."""
    return by_name(run, Arguments([*arguments.positional, UNBOUND]), origin)
