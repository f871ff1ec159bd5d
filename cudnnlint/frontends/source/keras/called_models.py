"""A model that is called: what it is made of runs, inside of what the call is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import handed_out, layer_inputs, layer_order, masks, models, run_time_masks, stops
from cudnnlint.frontends.source.keras.tensors import Tensor
from cudnnlint.frontends.source.python.values import Const, Instance, Value

if TYPE_CHECKING:
    from cudnnlint.frontends.source.keras.layer_inputs import LayerInputs
    from cudnnlint.frontends.source.python.arguments import Arguments
    from cudnnlint.frontends.source.python.interpreter import Interpreter
    from cudnnlint.frontends.source.syntax.unit import Origin


def output(run: Interpreter, model: Instance, arguments: Arguments, given: LayerInputs, origin: Origin) -> Value:
    """Call a model with arguments, of which `given` is what a layer takes; return what comes out."""
    inputs = layer_inputs.first_of(arguments)
    run.journal.write(model.table, models.CALLED, Const(True))
    handed_out.fed(run, model, inputs)
    entering = masks.with_mask(run, given) if isinstance(inputs, Tensor) else inputs
    bare = inputs if isinstance(inputs, Tensor) and given.mask is not None else None
    if bare is not None:
        run_time_masks.put(run, bare)
    with stops.within(run, stops.entering(run, model, inputs)):
        whole = run_time_masks.leaving(models.run_model(run, model, entering, origin, bare))
    layer_order.seen_from_outside(run, model, arguments, whole)
    return whole
