"""The layers that Keras keeps track of in a layer or model: `_flatten_layers()`, `submodules`, `_layers`, `layers`.

Asked of keras 3.15.1 and tf_keras 2.21.0: cells are among them, and what lists and dicts hold that are attributes.
Keras 3 lists the layers in a layer from the last to the first, tf_keras from the first on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import layers, models, mutations, shown_layers
from cudnnlint.frontends.source.keras.tensors import Tensor
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    ANY,
    NONE,
    UNBOUND,
    Class,
    Const,
    Contents,
    Instance,
    Listing,
    Mapping,
    Tuple,
    UnknownValue,
    Value,
    join,
    options,
    words,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Attributes that list the layers directly in a layer, and the one that lists those in these, too.
_NEXT = words("_layers _self_tracked_trackables")
_ALL = "submodules"
#: The method that lists either.
FLATTEN = "_flatten_layers"
_DEEPEST = 4  # lists and dicts in one another


def listed(run: Interpreter, value: Instance, name: str, origin: Origin) -> Value | None:
    """Return an attribute that lists the layers in a layer or model; None for any other."""
    made = layers.made_of(value)
    of_model = name == "layers" and made is not None and made.build.class_name == "Model"
    if name in _NEXT or of_model:
        return containers.new_list(run, _inside(run, value, origin))
    if name == _ALL:
        return containers.new_list(run, _below(run, value, origin, {id(value.table)}), kind="set")
    return None


def flattened(run: Interpreter, value: Instance, arguments: Arguments, origin: Origin) -> Value:
    """Evaluate `layer._flatten_layers()`, whose two parameters are in another order in Keras 3."""
    by_place = bool(arguments.positional)
    itself, deep = (truth(arguments.keywords.get(name, Const(True))) for name in ("include_self", "recursive"))
    nearest = [*_inside(run, value, origin)]
    found = _below(run, value, origin, {id(value.table)}) if deep is not False else nearest
    if by_place or deep is None:
        near = {id(one) for one in nearest}
        found = [one if id(one) in near else join([one, UNBOUND]) for one in found]
    own: list[Value] = [] if itself is False else [join([value, UNBOUND]) if by_place or itself is None else value]
    ordered = len(found) == len(nearest) or all(len([*_children(run, one, origin)]) < 2 for one in nearest)
    return containers.new_list(run, [*own, *found], kind="list" if ordered else "set")


def _children(run: Interpreter, value: Value, origin: Origin) -> Iterator[Value]:
    for one in options(value):
        if isinstance(one, Instance):
            yield from _inside(run, one, origin)


def _below(run: Interpreter, value: Instance, origin: Origin, seen: set[int]) -> list[Value]:
    """Return the layers in a layer, and those in these, each behind the one that has it."""
    found: list[Value] = []
    for item in _inside(run, value, origin):
        found.append(item)
        each = options(item)
        for one in each:
            if isinstance(one, Instance) and id(one.table) not in seen:
                seen.add(id(one.table))
                inner = _below(run, one, origin, seen)
                found += inner if len(each) == 1 else [join([deeper, UNBOUND]) for deeper in inner]
    return found


def _inside(run: Interpreter, value: Instance, origin: Origin) -> Iterator[Value]:
    """Yield the layers that are directly in a layer or model, in the order in which it got them."""
    made = layers.made_of(value)
    if made is None:
        return
    build = made.build
    if value.table.get(models.LAYERS) is not None:
        yield from _of_sequential(run, value)
    elif (graph := shown_layers.in_graph(run, value)) is not None:
        yield from _layers_in(run, graph)
    elif build.class_name in mutations.WITH_CELL:
        yield run.attribute(value, "cell", origin)
    elif build.class_name == "Bidirectional":
        yield from (run.attribute(value, name, origin) for name in ("forward_layer", "backward_layer"))
    else:
        yield from (one for name in ("layer", "cell", "cells") for one in _layers_in(run, build.arguments.get(name)))
    if isinstance(value.kind, Class):
        shown = {"cell", *mutations.DIRECTIONS}
        own = [(name, one) for name, one in value.table.items() if isinstance(name, str) and name not in shown]
        yield from (layer for name, one in own if not name.startswith("·") for layer in _layers_in(run, one))
        if (anything := value.table.get(ANY)) is not None:
            yield join([anything, UNBOUND])


def _of_sequential(run: Interpreter, value: Instance) -> Iterator[Value]:
    """Yield the layers of a Sequential: Keras 3 puts an InputLayer before them when it is built."""
    chain = value.table.get(models.LAYERS)
    contents = containers.contents_of(chain) if isinstance(chain, Listing) else Contents(())
    first = contents.items[0] if contents.items else NONE
    entry = shown_layers.input_layer(run, value, first)
    yield entry if models.is_input(first) else join([entry, UNBOUND])
    yield from (one for one in contents.items if not isinstance(one, Tensor) and not models.is_input(one))
    if contents.rest is not None:
        yield join([contents.rest, UNBOUND])


def _layers_in(run: Interpreter, value: Value | None, deep: int = 0) -> Iterator[Value]:
    """Yield the layers that a value is or holds."""
    if value is None or deep > _DEEPEST:
        return
    every = options(value)
    if len(every) > 1:
        inner = [[*_layers_in(run, one, deep + 1)] for one in every]
        if all(len(found) < 2 for found in inner):
            yield join([found[0] if found else UNBOUND for found in inner])
        else:
            yield from (join([one, UNBOUND]) for found in inner for one in found)
    elif isinstance(value, (Listing, Tuple)):
        contents = containers.elements(run, value)
        yield from (layer for one in contents.items for layer in _layers_in(run, one, deep + 1))
        yield from (join([one, UNBOUND]) for one in _layers_in(run, contents.rest, deep + 1))
    elif isinstance(value, Mapping):
        yield from (layer for _, one in value.table.items() for layer in _layers_in(run, one, deep + 1))
    elif isinstance(value, UnknownValue):
        yield join([value, UNBOUND])
    elif isinstance(value, Instance) and layers.keras_base(run, value):
        yield value
