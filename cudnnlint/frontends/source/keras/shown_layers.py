"""What `model.layers` of a functional model shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import graphs, input_tensors, layer_order, models
from cudnnlint.frontends.source.keras.sites import MADE, Build, Made
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.values import NONE, Instance, Library, Value, join

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def in_graph(run: Interpreter, value: Instance) -> Value | None:
    """Return `functional.layers`: in their order if that is known; else each entry may be any of them."""
    inputs, outputs = value.table.get(models.INPUTS) or NONE, value.table.get(models.OUTPUTS)
    if outputs is None:
        return None
    known = layer_order.in_order(run, inputs, outputs)
    if known is not None:
        entering = {tensor.source: tensor for tensor in input_tensors.every(inputs)}
        shown = (one if isinstance(one, Instance) else _input_layer(run, value, entering[one]) for one in known)
        return containers.new_list(run, shown)
    inside = [*layer_order.seen(run, models.sources_of(run, value)), *models.layers_of(run, value)]
    any_of = [_input_layer(run, value, inputs), *inside]
    return containers.new_list(run, (), join(any_of, layer_order.UNORDERED))


def _input_layer(run: Interpreter, model: Instance, gives: Value) -> Instance:
    """Return the InputLayer of an input of a model, or one for all."""
    kind = model.kind.name if isinstance(model.kind, Library) else "keras.Model"
    layer = Instance(Library(f"{kind.rsplit('.', 1)[0]}.layers.InputLayer"), run.journal.table(), at=model.at)
    run.journal.write(layer.table, MADE, Made(Build("InputLayer", layer.kind.name, {})))
    for cell in (graphs.TOOK, graphs.GAVE):
        run.journal.write(layer.table, cell, gives)
    return layer
