"""The config of a whole model, with an entry for each of its layers.

What a config says about shapes and connections stays the object that it describes (`ConfigPart`): a program that edits,
filters or rebuilds the config hands it on as it is.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING

from cudnnlint.core.frozen import record
from cudnnlint.frontends.source.keras import configs, input_tensors, layer_order, layers, models
from cudnnlint.frontends.source.keras.tensors import DEFAULT, Tensor
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.values import (
    NONE,
    UNBOUND,
    Const,
    Instance,
    Listing,
    Mapping,
    Unbound,
    UnknownValue,
    Value,
    join,
    options,
    present,
)
from cudnnlint.frontends.source.python.whole import Whole

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Entries of an InputLayer's config that hold its shape: in Keras 3, and in Keras 2.
SHAPES = ("batch_shape", "batch_input_shape")
NODES = "inbound_nodes"
ENDS = ("input_layers", "output_layers")


@record(frozen=True, eq=False)
class ConfigPart(Whole):
    """What a config has in one of its entries for a layer, a model or an input: kept as the object that it is about."""

    entry: str
    of: Value

    @property
    def key(self) -> Hashable:
        """The entry, and the object that it is about."""
        return self.entry, self.about

    @property
    def about(self) -> int:
        """The identity of the object that it is about."""
        of = self.of
        return id(of.source if isinstance(of, Tensor) else of.table if isinstance(of, Instance) else of)


def write(run: Interpreter, model: Instance, config: Mapping) -> None:
    """Write into a model's config what it has for the layers of the model; one that contains itself has no config."""
    if id(model.table) in run.active:
        run.journal.write(config.table, "layers", UnknownValue("is a part of a model that contains itself"))
        return
    listing = model.table.get(models.LAYERS)
    run.active.append(id(model.table))
    entries = _of_sequential(run, model, listing) if isinstance(listing, Listing) else _of_graph(run, model)
    run.active.pop()
    run.journal.write(config.table, "layers", entries)
    for name in () if isinstance(listing, Listing) else ENDS:
        run.journal.write(config.table, name, ConfigPart(name, model))


def _of_sequential(run: Interpreter, model: Instance, listing: Listing) -> Value:
    """Return the entries of a Sequential: Keras puts an InputLayer first as soon as it knows the input."""
    contents = containers.contents_of(listing)
    first = present(contents.items[0]) if contents.items else NONE
    entries = [_entry(run, item) for item in contents.items]
    entries[:0] = _before(run, model, first)
    rest = None if contents.rest is None else _entry(run, contents.rest)
    return containers.new_list(run, entries, rest)


def _before(run: Interpreter, model: Instance, first: Value) -> list[Value]:
    """Return the entry that a Sequential has before that of its first layer, if there is or may be one."""
    if isinstance(first, Tensor) or models.is_input(first):
        return []
    made_ = layers.made_of(first)
    given = {} if made_ is None else made_.build.arguments
    entering, declaring = _of_input(run, model), input_tensors.SHAPES | input_tensors.BATCHES
    if any(model.table.get(cell) is not None for cell in (models.RAN, models.BUILT)) or not declaring.isdisjoint(given):
        return [entering]
    open_ = "input_length" in given or made_ is None or made_.build.open is not None  # Keras 2 knows it by the length
    return [join([entering, UNBOUND])] if open_ else []


def _entry(run: Interpreter, item: Value) -> Value:
    """Return the entry of what a Sequential holds: each option of a layer or an input has one of its own."""
    return join([_of_layer(run, option) for option in options(item)])


def _of_layer(run: Interpreter, layer: Value) -> Value:
    if isinstance(layer, Unbound):
        return layer
    if isinstance(layer, Tensor) or models.is_input(layer):
        return _of_input(run, layer)
    return configs.serialized(run, layer)


def _of_input(run: Interpreter, gives: Value) -> Mapping:
    """Return the entry of an InputLayer: `gives` is the tensor of the Input, the layer, or the model that it is in."""
    config = containers.new_dict(run, [(Const(name), ConfigPart(SHAPES[0], gives)) for name in SHAPES])
    made = layers.made_of(gives)
    named = {} if made is None else made.build.arguments
    dtype = gives.dtype if isinstance(gives, Tensor) else named.get("dtype") if models.is_input(gives) else None
    run.journal.write(config.table, "dtype", dtype or DEFAULT)
    run.journal.write(config.table, "name", DEFAULT)
    class_name = (Const("class_name"), Const("InputLayer"))
    return containers.new_dict(run, [(Const("module"), Const("keras.layers")), class_name, (Const("config"), config)])


def _of_graph(run: Interpreter, model: Instance) -> Listing:
    """Return the entries of a functional model in their order; where that is not known, each may be any of them."""
    given, outputs = (model.table.get(cell) or NONE for cell in (models.INPUTS, models.OUTPUTS))
    known = layer_order.in_order(run, given, outputs)
    tensors = {one.source: one for one in input_tensors.every(given)}
    if known is None:
        return containers.new_list(run, (), join(_of_nodes(run, [*tensors.values(), *models.layers_of(run, model)])))
    nodes: list[Value] = [one if isinstance(one, Instance) else tensors[one] for one in known]
    return containers.new_list(run, _of_nodes(run, nodes))


def _of_nodes(run: Interpreter, nodes: Iterable[Value]) -> list[Value]:
    found = [(node, _of_layer(run, node)) for node in nodes]
    for node, entry in found:
        if isinstance(entry, Mapping):
            config = entry.table.get("config")
            name = config.table.get("name") if isinstance(config, Mapping) else None
            run.journal.write(entry.table, "name", name or DEFAULT)
            run.journal.write(entry.table, NODES, ConfigPart(NODES, node))
    return [entry for _, entry in found]
