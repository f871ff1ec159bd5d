"""What a TimeDistributed gives, and where it stops at what it holds while Keras builds a graph."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cudnnlint.core.masking import Epoch
from cudnnlint.frontends.source.keras import layers, masks, models
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.sites import Made
from cudnnlint.frontends.source.keras.tensors import Source, Tensor, tensors_in
from cudnnlint.frontends.source.python import classes
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import NONE, Class, Function, Instance, UnknownValue, Value, join, options
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.keras.layer_inputs import LayerInputs
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: What the rows [[stop]] of tables/masks.toml call a TimeDistributed, by what it holds.
OF_MODEL = "TimeDistributed around a model"
OF_UNSHAPED = "TimeDistributed around a layer without compute_output_shape"
#: Classes of Keras that compute no shapes themselves.
BARE = ("Layer", "Model")
SHAPING = ("compute_output_shape", "compute_output_spec")


def output(run: Interpreter, made: Made, given: LayerInputs, source: Source, origin: Origin) -> Value:
    """Return the output of a TimeDistributed.

    A model or a user's layer inside it is called on a step; one of Keras's own layers is followed with the wrapper.
    """
    inside: list[Value] = []
    held = options(made.build.arguments.get("layer", NONE))
    kinds = [kind for one in held if (kind := _kind(one)) is not None] if _symbolic(run, given) else []
    step = _stopping(run, replace(masks.step(run, made.build, given), source=source), kinds)
    for option in held:
        inner = layers.made_of(option)
        if isinstance(option, Instance) and (inner is None or inner.site is None):
            inside += tensors_in(layers.call(run, option, Arguments([step]), origin))[:1]
    followed = join(inside) if inside else None
    return _stopping(run, replace(masks.output(run, made.build, given, followed), source=source), kinds)


def _kind(held: Value) -> str | None:
    """Return what the table calls a TimeDistributed around a model, or around a layer whose shapes are not computed."""
    if not isinstance(held, Instance):
        return None
    if models.is_model(held):
        return OF_MODEL
    made = layers.made_of(held)
    bare = isinstance(held.kind, Class) and not any(_defines(held.kind, name) for name in SHAPING)
    return OF_UNSHAPED if bare and (made is None or made.build.class_name in BARE) else None


def _defines(kind: Class, name: str) -> bool:
    found = classes.search(kind, name)
    return found is not None and isinstance(found[0], Function)


def _symbolic(run: Interpreter, given: LayerInputs) -> bool:
    """Return whether the input is certainly one of a graph, which asks for shapes; a call on data does not."""
    tensors = [one for value in given.inputs for one in tensors_in(value)]
    roots = frozenset(root for one in tensors if one.source is not None for root in one.source.roots)
    return bool(roots) and roots <= state_of(run).symbolic


def _stopping(run: Interpreter, tensor: Tensor, kinds: list[str]) -> Tensor:
    """Return the tensor, with a mask that is not known in releases in which no graph with such a layer is built."""

    def mask(epoch: Epoch, index: int) -> Value:
        stop = next((epoch.stops[kind] for kind in kinds if kind in epoch.stops), None)
        kept = masks.in_epoch(tensor.mask, index)
        return kept if stop is None else UnknownValue(f"is open: {stop} stop with an error at this TimeDistributed")

    return replace(tensor, mask=masks.by_epoch(run, mask)) if kinds else tensor
