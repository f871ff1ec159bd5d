"""Assignments: names, attributes, entries, unpacking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from cudnnlint.frontends.source.python import (
    absent,
    change_through,
    classes,
    containers,
    escape,
    fields,
    private_names,
    raising,
    slices,
    storing,
)
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.copies import changed
from cudnnlint.frontends.source.python.lazy_message import Sentence
from cudnnlint.frontends.source.python.scopes import Frame
from cudnnlint.frontends.source.python.values import (
    ITEMS,
    NONE,
    UNBOUND,
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


def plain(run: Interpreter, node: cst.Assign, frame: Frame) -> bool:
    """Run `a = b = value`."""
    value = run.evaluate(node.value, frame)
    for target in node.targets:
        assign(run, target.target, value, frame)
    return True


def annotated(run: Interpreter, node: cst.AnnAssign, frame: Frame) -> bool:
    """Run `name: type = value`; without a value nothing is assigned, but a class body records the field."""
    if node.value is not None:
        assign(run, node.target, run.evaluate(node.value, frame), frame)
    if frame.scope.kind == "class" and isinstance(node.target, cst.Name):
        annotation = frame.unit.text_of(node.annotation.annotation)
        fields.note_field(run, frame.scope, node.target.value, annotation)
    return True


def extend(run: Interpreter, listing: Listing, value: Value) -> None:
    """Do what `listing.extend(value)` does."""
    here, more = containers.contents_of(listing), containers.elements(run, value)
    if here.rest is None:
        every = here.items + more.items
        both = containers.bounded(containers.distinct(every) if listing.kind == "set" else every, more.rest)
    else:
        both = Contents(here.items, join([present(v) for v in (here.rest, *more.items, more.rest) if v is not None]))
    run.journal.write(listing.table, ITEMS, both)


def assign(run: Interpreter, target: cst.BaseExpression, value: Value, frame: Frame) -> None:
    """Assign a value to a target."""
    if isinstance(target, cst.Name):
        frame.scope.bind(run.journal, target.value, _called(value, target.value))
    elif isinstance(target, (cst.Tuple, cst.List)):
        _unpack(run, target.elements, value, frame)
    elif isinstance(target, cst.Attribute):
        owner, name = run.evaluate(target.value, frame), private_names.stored(target.attr.value, frame)
        made = run.library.with_attribute(run, owner, name, value) if isinstance(owner, Foreign) else None
        if made is not None:
            assign(run, target.value, made, frame)
            return
        for option in options(owner):
            storing.set_attribute(run, option, name, value, Origin(frame.unit, target))
    elif isinstance(target, cst.Subscript):
        _set_entry(run, target, value, frame)


def _called(value: Value, name: str) -> Value:
    """Name an unknown value after the first name that it is assigned to."""
    return changed(value, what=name) if isinstance(value, UnknownValue) and value.what == "" else value


def _set_entry(run: Interpreter, target: cst.Subscript, value: Value, frame: Frame) -> None:
    owner = run.evaluate(target.value, frame)
    inner = target.slice[0].slice
    found = slices.written(run, target, frame) if len(target.slice) == 1 or slices.takes_several(owner) else None
    index = UnknownValue("is an index that is not followed") if found is None else found
    for option in options(owner):
        if isinstance(option, Listing) and isinstance(inner, cst.Slice):
            _set_slice(run, option, inner, value, frame)
        elif isinstance(option, Mapping):
            own = classes.operator(run, option, "__setitem__", [index, value], Origin(frame.unit, target))
            if own is None:
                containers.set_key(run, option, index, value)
        elif isinstance(option, Listing):
            absent.check_place(run, option, index)
            run.journal.write(option.table, ITEMS, replaced(containers.contents_of(option), index, value))
        elif isinstance(option, (Tuple, Const)):
            raising.throw_python(run, "TypeError", Const("object does not support item assignment"))
        elif isinstance(option, Instance):
            classes.operator(run, option, "__setitem__", [index, value], Origin(frame.unit, target))
            change_through.through(run, option, Origin(frame.unit, target))
        else:
            if isinstance(option, Library):
                escape.leak(run, option.name, value)
            run.library.set_item(run, option, index, value)


def _set_slice(run: Interpreter, listing: Listing, node: cst.Slice, value: Value | None, frame: Frame) -> None:
    """Run `listing[a:b] = value` or `del listing[a:b]`; where it is not computed, any item may be one of the new."""
    before, more = containers.contents_of(listing), Contents(()) if value is None else containers.elements(run, value)
    bounds = [NONE if bound is None else run.evaluate(bound, frame) for bound in (node.lower, node.upper, node.step)]
    plain = [bound.value for bound in bounds if isinstance(bound, Const)]
    if before.certain and more.certain and len(plain) == len(bounds):
        items = list(before.items)
        try:
            if value is None:
                del items[slice(*plain)]
            else:
                items[slice(*plain)] = more.items
        except (TypeError, ValueError):
            return
        run.journal.write(listing.table, ITEMS, Contents(tuple(items)))
        return
    every = [*before.items, *more.items, *(rest for rest in (before.rest, more.rest) if rest is not None)]
    smeared = Contents((), join([present(item) for item in every])) if every else Contents(())
    run.journal.write(listing.table, ITEMS, smeared)


def replaced(contents: Contents, index: Value, value: Value) -> Contents:
    """Return the contents of a list after `listing[index] = value`."""
    items = list(contents.items)
    if contents.certain and isinstance(index, Const) and isinstance(index.value, int):
        if -len(items) <= index.value < len(items):
            items[index.value] = value
        return Contents(tuple(items))
    return Contents(
        tuple(join([item, value]) for item in items), join([contents.rest, value]) if contents.rest else None
    )


def _unpack(run: Interpreter, elements: Sequence[cst.BaseElement], value: Value, frame: Frame) -> None:
    """Run `a, *b, c = value`."""
    parts = [_parts(run, option, elements) for option in options(value)]
    because = choice(value)
    for place, element in enumerate(elements):
        found = join([part[place] for part in parts], because)
        if isinstance(element, cst.StarredElement):
            assign(run, element.value, found, frame)
        else:
            assign(run, element.value, found, frame)


def _parts(run: Interpreter, value: Value, elements: Sequence[cst.BaseElement]) -> list[Value]:
    """Return the value that each target of an unpacking gets."""
    contents = containers.elements(run, value)
    star = next((place for place, element in enumerate(elements) if isinstance(element, cst.StarredElement)), None)
    if isinstance(value, Foreign) and run.library.operation(value) is not None:
        return [run.library.item(run, value, Const(0)) or value for _ in elements]
    if contents.certain and star is not None and len(contents.items) >= len(elements) - 1:
        behind = len(elements) - star - 1
        stop = len(contents.items) - behind
        middle = containers.new_list(run, contents.items[star:stop])
        return [*contents.items[:star], middle, *contents.items[stop:]]
    if contents.certain and len(contents.items) == len(elements):
        return list(contents.items)
    if contents.certain and isinstance(value, (Listing, Tuple, Const, Mapping)):
        raising.throw_python(run, "ValueError", Const("values to unpack"))
    every = [present(item) for item in contents.items] + ([contents.rest] if contents.rest is not None else [])
    if contents.rest is not None and not contents.items and isinstance(value, UnknownValue):
        because = Sentence("is unpacked from a value that is not known: ", value.because)
        one: Value = UnknownValue(because, mask="none" if value.mask == "none" else "open")
    else:
        one = join(every)
    return [containers.new_list(run, (), one) if place == star else one for place, _ in enumerate(elements)]


def delete(run: Interpreter, target: cst.BaseExpression, frame: Frame) -> None:
    """Run `del target`."""
    if isinstance(target, cst.Name):
        frame.scope.unbind(run.journal, target.value)
    elif isinstance(target, cst.Tuple):
        for element in target.elements:
            delete(run, element.value, frame)
    elif isinstance(target, cst.Attribute):
        for option in options(run.evaluate(target.value, frame)):
            name = private_names.stored(target.attr.value, frame)
            storing.set_attribute(run, option, name, UNBOUND, Origin(frame.unit, target))
    elif isinstance(target, cst.Subscript) and isinstance(target.slice[0].slice, cst.Slice):
        for option in options(run.evaluate(target.value, frame)):
            if isinstance(option, Listing):
                _set_slice(run, option, target.slice[0].slice, None, frame)
    elif isinstance(target, cst.Subscript) and isinstance(target.slice[0].slice, cst.Index):
        origin, owner = Origin(frame.unit, target), run.evaluate(target.value, frame)
        key = slices.written(run, target, frame)
        if key is None or not (len(target.slice) == 1 or slices.takes_several(owner)):
            return
        for option in options(owner):
            if isinstance(option, Mapping):
                absent.check_key(run, option, key)
                containers.set_key(run, option, key, UNBOUND)
            elif isinstance(option, Listing):
                run.call(run.attribute(option, "pop", origin), Arguments([key]), origin)
            elif isinstance(option, Library):
                run.library.set_item(run, option, key, UNBOUND)
            else:
                classes.operator(run, option, "__delitem__", [key], origin)
