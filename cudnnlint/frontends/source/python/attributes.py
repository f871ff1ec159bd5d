"""Attributes: what `value.name` is, and what setting it changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.python import (
    classes,
    containers,
    functions,
    hooks,
    inherent,
    kinds,
    mappings,
    methods,
    object_cells,
    storing,
)
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.values import (
    ANY,
    UNBOUND,
    Bound,
    Class,
    Const,
    Contents,
    Either,
    Foreign,
    Function,
    Imported,
    Instance,
    Library,
    Listing,
    Mapping,
    Namespace,
    Partial,
    Super,
    Tuple,
    UnknownValue,
    Value,
    assume,
    join,
    may_be_missing,
    options,
    present,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def attribute(run: Interpreter, value: Value, name: str, origin: Origin) -> Value:
    """Return `value.name`; an alternative that certainly has no such attribute is not the one that runs."""
    if isinstance(value, Either):
        alternatives = [option for option in options(present(value)) if not isinstance(option, Const)]
        found = [attribute(run, option, name, origin) for option in alternatives or value.options]
        return join(found, value.because)
    return assume(_single(run, value, name, origin), value.assumed)


def _single(run: Interpreter, value: Value, name: str, origin: Origin) -> Value:
    if isinstance(value, Imported):
        return attribute(run, run.modules.resolve(value), name, origin)
    if isinstance(value, Library):
        return of_library(run, value, name)
    if isinstance(value, Instance):
        return of_instance(run, value, name, origin)
    if isinstance(value, Namespace):
        return Mapping(value.unit.table) if name == "__dict__" else run.modules.attribute(value, name)
    if isinstance(value, Mapping) and value.body is not None:
        return _of_mapping(run, value, value.body, name, origin)
    if isinstance(value, Class):
        return _of_class(run, value, name, origin)
    if isinstance(value, Super):
        return _of_super(run, value, name, origin)
    if isinstance(value, Tuple) and name in value.fields:
        return value.contents.items[value.fields.index(name)]
    if isinstance(value, Tuple) and value.kind is not None:
        return _of_record(run, value, value.kind, name, origin)
    if isinstance(value, Foreign):
        return run.library.attribute(run, value, name, origin)
    if isinstance(value, Const) and value.value is None:
        return UnknownValue("is an attribute of None", origin, at=origin)
    if isinstance(value, Const) and (part := run.library.part(run, value, name)) is not None:
        return part
    if isinstance(value, (Tuple, Listing, Mapping, Const)):
        return Bound(value, name) if methods.has(value, name) else _not_set(run, origin)
    if isinstance(value, Function):
        return functions.attribute(run, value, name, origin)
    if isinstance(value, Partial) and (callee := run.library.wrapped(value)) is not None:
        return attribute(run, callee, name, origin)
    if isinstance(value, Partial) and name in ("func", "keywords", "args"):
        return inherent.of_partial(run, value, name)
    if isinstance(value, UnknownValue):
        return inherent.of_unknown(value, name, origin)
    return run.unfollowed("is not followed", origin.node, origin.unit)


def _of_record(run: Interpreter, value: Tuple, kind: Class, name: str, origin: Origin) -> Value:
    """Return an attribute of a named tuple that is not a field: of its class, else of every named tuple."""
    if name == "_fields":
        return Tuple(Contents(tuple(map(Const, value.fields))))
    found = classes.search(kind, name)
    if found is not None and found[0] is not found[1]:
        return bind(run, found, value, name, origin)
    return Bound(value, name) if methods.has(value, name) else _not_set(run, origin)


def of_library(run: Interpreter, value: Library, name: str) -> Value:
    """Return `module.name` of a library."""
    patched: Value | None = run.patched.get(f"{value.name}.{name}")
    if patched is not None and not may_be_missing(patched):
        return patched
    known = run.library.member(run, value, name)
    if known is None:
        last = value.name.rsplit(".", 1)[-1]
        known = Const(last) if name == "__name__" else Library(f"{value.name}.{name}")
    return known if patched is None else join([known, present(patched)])


def _not_set(run: Interpreter, origin: Origin) -> Value:
    return run.unfollowed("is not set in the code that is followed", origin.node, origin.unit)


def of_instance(run: Interpreter, value: Instance, name: str, origin: Origin) -> Value:
    """Return an attribute of an object: what its class makes of it, else its own, else that of its class."""
    hooked = hooks.intercepted(run, value, name, origin)
    return plainly(run, value, name, origin) if hooked is None else hooked


def plainly(run: Interpreter, value: Instance | Mapping, name: str, origin: Origin) -> Value:
    """Return an attribute as `object.__getattribute__` does."""
    if isinstance(value, Mapping):
        return _of_mapping(run, value, value.body, name, origin) if value.body is not None else UNBOUND
    cells, kind = object_cells.of(value), value.kind
    own = cells.get(name)
    found = classes.search(kind, name) if isinstance(kind, Class) else None
    if own is not None and not may_be_missing(own) and not (found and hooks.is_data_descriptor(found[0])):
        anything = cells.get(ANY)
        return own if anything is None else join([own, anything])
    if name == "__dict__" and not run.library.made(value):
        return Mapping(cells)
    inherited = _inherited(run, value, name, origin)
    set_unseen = None if found is not None and isinstance(found[0], Function) else object_cells.unnamed(value)
    if set_unseen is not None:
        inherited = set_unseen if found is None else join([inherited, set_unseen])
    return inherited if own is None else join([present(own), inherited])


def _of_mapping(run: Interpreter, value: Mapping, body: Instance, name: str, origin: Origin) -> Value:
    """Return an attribute of an object whose class inherits from dict."""
    own = body.table.get(name)
    if own is not None and not may_be_missing(own):
        return own
    if object_cells.is_its_dict(value, body) and value.table.get(name) is not None:  # `self.__dict__ = self`
        return containers.get_key(value, Const(name))
    found = classes.search(body.kind, name) if isinstance(body.kind, Class) else None
    if found is not None and found[0] is not found[1]:
        return bind(run, found, value, name, origin)
    if name == "data" and mappings.is_user_dict(body):
        return replace(value, body=None)
    if methods.of_dict(name):
        return Bound(value, name)
    if isinstance(body.kind, Library) and methods.has(value, name):
        return Bound(value, name)
    hooked = classes.operator(run, value, "__getattr__", [Const(name)], origin)
    return hooked or _not_set(run, origin)


def _inherited(run: Interpreter, value: Instance, name: str, origin: Origin) -> Value:
    if name == "__class__":
        return value.kind
    if isinstance(value.kind, Library):
        return run.library.attribute(run, value, name, origin)
    found = classes.search(value.kind, name)
    if found is None or (found[0] is found[1] and kinds.lacks(found[1], name)):
        hooked = classes.operator(run, value, "__getattr__", [Const(name)], origin)
        if hooked is not None or found is None:
            return hooked or inherent.of_member(value, name) or _not_set(run, origin)
    return bind(run, found, value, name, origin)


def bind(run: Interpreter, found: tuple[Value, Value], receiver: Value, name: str, origin: Origin) -> Value:
    """Return a class attribute as it is seen from an object (or from a class, through super())."""
    attribute, owner = found
    if attribute is owner:  # a library class, or one that is not followed, may have it
        if isinstance(owner, Library) and isinstance(receiver, Instance):
            init = hooks.given_init(run, owner, owner, receiver, origin) if name == "__init__" else None
            return init or run.library.attribute(run, receiver, name, origin, owner)
        if isinstance(owner, Library):
            return Bound(receiver, name, owner)
        because = owner.because if isinstance(owner, UnknownValue) else "its definition is not followed"
        return UnknownValue(Sentence("comes from a base class that is not known: ", because), origin, at=origin)
    alternatives = [_bind_one(run, option, owner, receiver, name, origin) for option in options(attribute)]
    return join(alternatives)


def _bind_one(run: Interpreter, value: Value, owner: Value, receiver: Value, name: str, origin: Origin) -> Value:
    if not isinstance(value, Function) or not isinstance(owner, Class):
        return hooks.described(run, value, receiver, origin)
    method = functions.as_method(value, owner)
    assert isinstance(method, Function)
    if method.kind in ("property", "cached"):
        got = functions.invoke(run, method, Arguments([receiver]), origin)
        if method.kind == "cached":
            storing.set_attribute(run, receiver, name, got, origin)
        return got
    if method.kind == "staticmethod":
        return method
    kind = classes.kind_of(receiver)
    if method.kind == "classmethod" and kind is not None:
        return Bound(kind, name, method)
    return Bound(receiver, name, method)


def _of_class(run: Interpreter, value: Class, name: str, origin: Origin) -> Value:
    known = inherent.of_class(run, value, name)
    if known is not None:
        return known
    found = classes.search(value, name)
    above = classes.search(value.meta, name) if found is None and value.meta is not None else None
    if above is not None and above[0] is not above[1]:
        return bind(run, above, value, name, origin)
    if found is None:
        hooked = classes.operator(run, value, "__getattr__", [Const(name)], origin)
        return hooked or run.unfollowed("is not set in the part of it that is followed", origin.node, origin.unit)
    attribute, owner = found
    if isinstance(attribute, Function) and isinstance(owner, Class):
        method = functions.as_method(attribute, owner)
        assert isinstance(method, Function)
        return Bound(value, name, method) if method.kind == "classmethod" else method
    if attribute is owner:
        return Bound(value, name, owner) if isinstance(owner, Library) else owner
    return hooks.described(run, attribute, value, origin)


def _of_super(run: Interpreter, value: Super, name: str, origin: Origin) -> Value:
    receiver = value.receiver
    kind = classes.kind_of(receiver) or receiver
    if isinstance(receiver, Class) and receiver.meta is not None and classes.inherits(receiver.meta, value.after):
        kind = receiver.meta
    if isinstance(kind, Class):
        found = classes.search(kind, name, value.after)
        if found is not None:
            return bind(run, found, receiver, name, origin)
    return Bound(receiver, name, Library("builtins.object"))
