"""What a TimeDistributed gives, and where it stops at what it holds while Keras builds a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.keras import layers, masks, stops
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.sites import Made
from cudnnlint.frontends.source.keras.tensors import Source, tensors_in
from cudnnlint.frontends.source.python import classes
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import NONE, Class, Function, Instance, Value, join, options
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.keras.layer_inputs import LayerInputs
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Classes of Keras that compute no shapes themselves.
BARE = ("Layer", "Model")
SHAPING = ("compute_output_shape", "compute_output_spec")


def output(run: Interpreter, made: Made, given: LayerInputs, source: Source, origin: Origin) -> Value:
    """Return the output of a TimeDistributed.

    A model or a user's layer inside it is called on a step; one of Keras's own layers is followed with the wrapper.
    """
    inside: list[Value] = []
    step = replace(masks.step(run, made.build, given), source=source)
    for option in options(made.build.arguments.get("layer", NONE)):
        inner = layers.made_of(option)
        if isinstance(option, Instance) and (inner is None or inner.site is None):
            inside += tensors_in(layers.call(run, option, Arguments([step]), origin))[:1]
    return replace(masks.output(run, made.build, given, join(inside) if inside else None), source=source)


def stops_at(run: Interpreter, made: Made, given: LayerInputs) -> list[Value]:
    """Return what stops at a call of a TimeDistributed because of what it holds; nothing for any other layer."""
    if made.build.class_name != "TimeDistributed" or made.build.subclass is not None:
        return []
    if not _symbolic(run, given) and not state_of(run).declared:
        return []
    held = made.build.arguments.get("layer", NONE)
    return stops.in_time(run, held, any(map(_unshaped, options(held))))


def _unshaped(held: Value) -> bool:
    """Return whether this is a layer whose shapes are not computed."""
    if not isinstance(held, Instance):
        return False
    made = layers.made_of(held)
    bare = isinstance(held.kind, Class) and not any(_defines(held.kind, name) for name in SHAPING)
    return bare and (made is None or made.build.class_name in BARE)


def _defines(kind: Class, name: str) -> bool:
    found = classes.search(kind, name)
    return found is not None and isinstance(found[0], Function)


def _symbolic(run: Interpreter, given: LayerInputs) -> bool:
    """Return whether the input is certainly one of a graph, which asks for shapes; a call on data does not."""
    tensors = [one for value in given.inputs for one in tensors_in(value)]
    roots = frozenset(root for one in tensors if one.source is not None for root in one.source.roots)
    return bool(roots) and roots <= state_of(run).symbolic
