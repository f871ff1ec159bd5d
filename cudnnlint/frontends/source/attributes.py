"""Attributes: what `value.name` is, and what setting it changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source import classes, functions, layers, library, surroundings
from cudnnlint.frontends.source.arguments import Arguments
from cudnnlint.frontends.source.tensors import mask_of
from cudnnlint.frontends.source.unit import Origin
from cudnnlint.frontends.source.values import (
    Bound,
    Class,
    Const,
    Contents,
    Function,
    Imported,
    Instance,
    Library,
    Listing,
    Mapping,
    Namespace,
    OneOf,
    Partial,
    Super,
    Tensor,
    Tuple,
    Unfollowed,
    Value,
    assume,
    join,
    may_be_missing,
    options,
    present,
)
from cudnnlint.frontends.source.words import Sentence, Words

if TYPE_CHECKING:
    from cudnnlint.frontends.source.interpret import Interpreter


def attribute(run: Interpreter, value: Value, name: str, origin: Origin) -> Value:
    """`value.name`; an alternative that surely has no such attribute is not the one that runs."""
    if isinstance(value, OneOf):
        alternatives = [option for option in options(present(value)) if not isinstance(option, Const)]
        found = [attribute(run, option, name, origin) for option in alternatives or value.options]
        return join(found, value.because)
    return assume(_single(run, value, name, origin), value.assumed)


def _single(run: Interpreter, value: Value, name: str, origin: Origin) -> Value:
    if isinstance(value, Imported):
        return attribute(run, run.modules.resolve(value), name, origin)
    if isinstance(value, Library):
        return library.attribute(run, value, name)
    if isinstance(value, Instance):
        return of_instance(run, value, name, origin)
    if isinstance(value, Namespace):
        return run.modules.attribute(value, name)
    if isinstance(value, Class):
        return _of_class(run, value, name, origin)
    if isinstance(value, Super):
        return _of_super(run, value, name, origin)
    if isinstance(value, Tuple) and name in value.fields:
        return value.contents.items[value.fields.index(name)]
    if isinstance(value, Tensor):
        return mask_of(value) if name == "_keras_mask" else Bound(value, name)
    if isinstance(value, Const) and value.value is None:
        return Unfollowed("is None where it is followed", origin, at=origin)
    if isinstance(value, (Tuple, Listing, Mapping, Const)):
        return Bound(value, name)
    if isinstance(value, Function) and name == "__name__":
        return Const(value.name)
    if isinstance(value, Partial) and name == "func":
        return value.function
    if isinstance(value, Unfollowed):
        return Unfollowed(value.why, _longer(value, name, origin), value.mask, at=origin)
    return run.unfollowed("is not followed", origin.node, origin.unit)


def _longer(value: Unfollowed, name: str, origin: Origin) -> Words:
    """The name of an attribute of something unknown: `config` grows to `config.units`."""
    return f"{value.what}.{name}" if isinstance(value.what, str) and value.what else origin


def of_instance(run: Interpreter, value: Instance, name: str, origin: Origin) -> Value:
    """An attribute of an object: its own, else its class's, else what its library class gives."""
    own = value.table.get(name)
    if own is not None and not may_be_missing(own):
        return own
    inherited = _inherited(run, value, name, origin)
    return inherited if own is None else join([present(own), inherited])


def _inherited(run: Interpreter, value: Instance, name: str, origin: Origin) -> Value:
    if isinstance(value.kind, Library):
        return layers.attribute(run, value, name, origin)
    found = classes.search(value.kind, name)
    if found is None:
        if name == "__class__":
            return value.kind
        return run.unfollowed("is not set where it is followed", origin.node, origin.unit)
    return _bind(run, found, value, name, origin)


def _bind(run: Interpreter, found: tuple[Value, Value], receiver: Value, name: str, origin: Origin) -> Value:
    """A class attribute as seen from an object (or from a class, through super())."""
    attribute, owner = found
    if attribute is owner:  # a library class, or one that is not followed, may have it
        if isinstance(owner, Library) and isinstance(receiver, Instance):
            return layers.attribute(run, receiver, name, origin, owner)
        if isinstance(owner, Library):
            return Bound(receiver, name, owner)
        because = owner.because if isinstance(owner, Unfollowed) else "a base class is not followed"
        return Unfollowed(Sentence("comes from a base class: ", because), origin, at=origin)
    alternatives = [_bind_one(run, option, owner, receiver, name, origin) for option in options(attribute)]
    return join(alternatives)


def _bind_one(run: Interpreter, value: Value, owner: Value, receiver: Value, name: str, origin: Origin) -> Value:
    if not isinstance(value, Function) or not isinstance(owner, Class):
        return value
    method = functions.as_method(value, owner)
    assert isinstance(method, Function)
    if method.kind == "property":
        return functions.invoke(run, method, Arguments([receiver]), origin)
    if method.kind == "staticmethod":
        return method
    if method.kind == "classmethod" and isinstance(receiver, Instance):
        return Bound(receiver.kind, name, method)
    return Bound(receiver, name, method)


def _of_class(run: Interpreter, value: Class, name: str, origin: Origin) -> Value:
    if name in ("__name__", "__qualname__"):
        return Const(value.name)
    if name == "_fields":
        return Tuple(Contents(tuple(Const(field) for field in classes.fields(value))))
    found = classes.search(value, name)
    if found is None:
        return run.unfollowed("is not set in the class as far as it is followed", origin.node, origin.unit)
    attribute, owner = found
    if isinstance(attribute, Function) and isinstance(owner, Class):
        method = functions.as_method(attribute, owner)
        assert isinstance(method, Function)
        return Bound(value, name, method) if method.kind == "classmethod" else method
    if attribute is owner:
        return Bound(value, name, owner) if isinstance(owner, Library) else owner
    return attribute


def _of_super(run: Interpreter, value: Super, name: str, origin: Origin) -> Value:
    receiver = value.receiver
    kind = receiver.kind if isinstance(receiver, Instance) else receiver
    if isinstance(kind, Class):
        found = classes.search(kind, name, value.after)
        if found is not None:
            return _bind(run, found, receiver, name, origin)
    return Bound(receiver, name, Library("builtins.object"))


def set_attribute(run: Interpreter, owner: Value, name: str, value: Value, origin: Origin) -> None:
    """`owner.name = value`."""
    if isinstance(owner, (Instance, Class)):
        surroundings.noticed(run, owner, name, value, origin)
        run.journal.write(owner.table, name, value)
    elif isinstance(owner, Namespace):
        run.journal.write(owner.unit.table, name, value)
