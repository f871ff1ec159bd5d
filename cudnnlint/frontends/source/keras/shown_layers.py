"""What `layers`, `input` and `output` of a model or layer show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import (
    ends_here,
    graphs,
    input_tensors,
    layer_order,
    models,
    tensors,
    tracked_layers,
)
from cudnnlint.frontends.source.keras.sites import MADE, Build, Made
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.values import NONE, Instance, Library, Listing, Value, join
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def attribute(run: Interpreter, value: Instance, name: str, origin: Origin) -> Value | None:
    """Return a special attribute of a model or layer, such as `layers` or `output`; None for any other."""
    if name == "layers":
        found = _shown(run, value.table.get(models.LAYERS)) or in_graph(run, value)
        return found or tracked_layers.listed(run, value, name, origin)
    chain = isinstance(value.table.get(models.LAYERS), Listing) and value.table.get(models.CALLED) is None
    if chain and name in ("input", "output"):
        ends_here.asked(run, name, origin, f"`.{name}` of a Sequential that no graph calls")
    if name in ("input", "inputs"):
        return value.table.get(models.INPUTS) or value.table.get(graphs.TOOK)
    if name in ("output", "outputs"):
        return value.table.get(models.OUTPUTS) or value.table.get(graphs.GAVE) or _last_output(run, value)
    return tracked_layers.listed(run, value, name, origin)


def _shown(run: Interpreter, listing: Value | None) -> Value | None:
    """Return `sequential.layers`: a copy without entries that only describe the input."""
    if not isinstance(listing, Listing):
        return listing
    contents = containers.contents_of(listing)
    kept = [item for item in contents.items if not models.is_input(item)]
    return containers.new_list(run, kept, contents.rest)


def _last_output(run: Interpreter, value: Instance) -> Value | None:
    """Return `sequential.output`: the result of its layers on a fresh input."""
    listing = value.table.get(models.LAYERS)
    known = isinstance(listing, Listing)
    return models.run_model(run, value, tensors.fresh(), value.at) if known and value.at is not None else None


def in_graph(run: Interpreter, value: Instance) -> Value | None:
    """Return `functional.layers`: in their order if that is known; else each entry may be any of them."""
    inputs, outputs = value.table.get(models.INPUTS) or NONE, value.table.get(models.OUTPUTS)
    if outputs is None:
        return None
    known = layer_order.in_order(run, inputs, outputs)
    if known is not None:
        entering = {tensor.source: tensor for tensor in input_tensors.every(inputs)}
        shown = (one if isinstance(one, Instance) else input_layer(run, value, entering[one]) for one in known)
        return containers.new_list(run, shown)
    inside = [*layer_order.seen(run, models.sources_of(run, value)), *models.layers_of(run, value)]
    any_of = [input_layer(run, value, inputs), *inside]
    return containers.new_list(run, (), join(any_of, layer_order.UNORDERED))


def input_layer(run: Interpreter, model: Instance, gives: Value) -> Instance:
    """Return the InputLayer of an input of a model, or one for all."""
    kind = model.kind.name if isinstance(model.kind, Library) else "keras.Model"
    layer = Instance(Library(f"{kind.rsplit('.', 1)[0]}.layers.InputLayer"), run.journal.table(), at=model.at)
    run.journal.write(layer.table, MADE, Made(Build("InputLayer", layer.kind.name, {})))
    for cell in (graphs.TOOK, graphs.GAVE):
        run.journal.write(layer.table, cell, gives)
    return layer
