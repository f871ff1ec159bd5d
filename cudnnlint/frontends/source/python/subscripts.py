"""Subscripts: what `value[index]` and `value[a:b]` are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import libcst as cst

from cudnnlint.frontends.source.python import (
    absent,
    arguments,
    classes,
    containers,
    enums,
    sequence_parts,
    slices,
    views,
)
from cudnnlint.frontends.source.python.scopes import Frame
from cudnnlint.frontends.source.python.values import (
    ANY,
    NONE,
    Class,
    Const,
    Contents,
    Foreign,
    Instance,
    Library,
    Listing,
    Mapping,
    Tuple,
    UnknownValue,
    Value,
    choice,
    join,
    options,
    present,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def subscript(run: Interpreter, node: cst.Subscript, frame: Frame) -> Value:
    value = run.evaluate(node.value, frame)
    single = len(node.slice) == 1
    index = slices.written(run, node, frame) if single or slices.takes_several(value) else None
    if index is not None:
        if (cut := slices.by_slice(run, value, index)) is not None:
            return cut
        if isinstance(value, (Listing, Tuple)):
            index = _as_place(run, index, Origin(frame.unit, node))
        found = [_at_index(run, option, index, node, frame) for option in options(value)]
        return join(found, choice(value))
    if single and isinstance(node.slice[0].slice, cst.Slice):
        bounds = [_bound(run, bound, frame) for bound in _bounds(node.slice[0].slice)]
        if all(bound is None or isinstance(bound, int) for bound in bounds):
            first, last, by = bounds
            cut = None if by == 0 else sequence_parts.part(run, value, first, last, by)
            own = slices.of_object(run, value, (first, last, by), Origin(frame.unit, node)) if cut is None else cut
            if own is not None:
                return own
        return (run.library.item(run, value, None) if isinstance(value, (Foreign, Library)) else None) or _uncut(
            run, value, node, frame
        )
    if isinstance(value, Foreign):
        whole = all(_everything(part.slice) for part in node.slice)
        parts = () if whole else tuple(_one_of_several(run, part.slice, frame) for part in node.slice)
        part_of = run.library.item(run, value, Tuple(Contents(parts)))
        if part_of is not None:
            return part_of
    return run.library.operation(value) or _uncut(run, value, node, frame)


def _one_of_several(run: Interpreter, part: cst.BaseSlice, frame: Frame) -> Value:
    """Return one part of a subscript of several: the value of an index, `()` for a slice, whatever its bounds are."""
    return run.evaluate(part.value, frame) if isinstance(part, cst.Index) else Tuple(Contents(()))


def _everything(part: cst.BaseSlice) -> bool:
    """Return whether a part of a subscript is `:`; only such parts are the subscript `()`, that takes all."""
    return isinstance(part, cst.Slice) and not any(_bounds(part))


def _uncut(run: Interpreter, value: Value, node: cst.Subscript, frame: Frame) -> Value:
    """Return a part of something that is not followed; it may be a view, through which the whole can be changed."""
    found: list[Value] = []
    for option in options(value):
        cut = None
        if isinstance(option, Instance) and isinstance(option.kind, Library):
            part = UnknownValue("is a part that is not followed")
            cut = classes.operator(run, option, "__getitem__", [part], Origin(frame.unit, node))
        found.append(cut if isinstance(cut, Instance) else _part(run, option, node, frame))
    return join(found, choice(value))


def _part(run: Interpreter, value: Value, node: cst.Subscript, frame: Frame) -> Value:
    """Return the unknown part of one value: what decides the whole decides it."""
    if isinstance(value, UnknownValue):
        return UnknownValue(value.why, Origin(frame.unit, node), value.mask, at=Origin(frame.unit, node))
    return run.unfollowed("is not followed", node, frame.unit)


def _at_index(run: Interpreter, value: Value, index: Value, node: cst.Subscript, frame: Frame) -> Value:
    found = run.library.item(run, value, index) if isinstance(value, Foreign) else None
    if classes.kind_of(value) is not None or isinstance(value, Class):
        found = classes.operator(run, value, "__getitem__", [index], Origin(frame.unit, node))
    if found is None and isinstance(value, Class):
        found = classes.of_class_item(run, value, index, Origin(frame.unit, node))
    if found is None and isinstance(value, Mapping):
        found = _by_default(run, value, index, Origin(frame.unit, node))
    if found is None and isinstance(value, (Const, Mapping)):
        found = _missing(run, value, index)
    absent.check_place(run, value, index)
    if found is None:
        found = containers.item(run, value, index)
    if found is None:
        found = run.library.item(run, value, index)
    if isinstance(found, UnknownValue) and not found.what:
        return run.unfollowed(found.why, node, frame.unit)
    if found is not None:
        return present(found)
    return _part(run, value, node, frame)


def _as_place(run: Interpreter, index: Value, origin: Origin) -> Value:
    """Return an index as a number, which an object's `__index__` may say."""
    worth = enums.worth(index)
    own = classes.operator(run, worth, "__index__", [], origin) if isinstance(worth, Instance) else None
    return worth if own is None else own


def _missing(run: Interpreter, value: Const | Mapping, index: Value) -> Value | None:
    """Return what a library's object has for a key that is not in it; None for any other object."""
    key = containers.key_of(index)
    if isinstance(value, Mapping):
        absent.check_key(run, value, index)
    there = isinstance(value, Mapping) and (value.table.get(key) is not None or value.table.get(ANY) is not None)
    return None if there else run.library.item(run, value, index)


def _by_default(run: Interpreter, value: Mapping, index: Value, origin: Origin) -> Value | None:
    """Return what a defaultdict, or `__missing__`, puts under a key that is absent; None for any other dict."""
    key = containers.key_of(index)
    factory = None if value.body is None else value.body.table.get("default_factory")
    if value.body is not None and key is None:
        return _under_unknown(run, value, index, factory, origin)
    if value.body is None or key is None or value.table.get(key) is not None or value.table.get(ANY) is not None:
        return None
    if factory is None or containers.is_nothing(factory):
        return classes.operator(run, value, "__missing__", [index], origin)
    made = run.call(factory, arguments.Arguments(), origin)
    containers.set_key(run, value, index, made)
    return made


def _under_unknown(
    run: Interpreter, value: Mapping, index: Value, factory: Value | None, origin: Origin
) -> Value | None:
    """Return what is under a key that is not known, which may be absent; None where nothing is made for such a key."""
    counts = views.kind_of(value) == "collections.Counter"
    if not counts and (factory is None or containers.is_nothing(factory)):
        return None
    made = Const(0) if counts else run.call(factory or NONE, arguments.Arguments(), origin)
    found = containers.get_key(value, index, made)
    if not counts:
        containers.set_key(run, value, index, found)
    return join([found, made])


def _bounds(node: cst.Slice) -> list[cst.BaseExpression | None]:
    return [node.lower, node.upper, node.step]


def _bound(run: Interpreter, node: cst.BaseExpression | None, frame: Frame) -> Any:
    """Return a slice bound: an int, None where it is left out, or something else where it is not known."""
    if node is None:
        return None
    value = run.evaluate(node, frame)
    return value.value if isinstance(value, Const) else value
