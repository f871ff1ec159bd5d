"""Layers whose weights may be made inside fit(): in a traced function, where they are not the variables of eager code.

A model without an Input or an input shape makes its weights when it is first called. What a file calls itself, it calls
eagerly, unless it does so in a `tf.function` of its own; what fit() and predict() call first, they call in one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.context.context_state import context_of
from cudnnlint.frontends.source.keras import casting, graphs, layers, models
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.sites import MADE, Made
from cudnnlint.frontends.source.keras.tensors import Tensor
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.values import Function, Instance, Listing, UnknownValue, Value

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

LATE = "late_weights"
NOT_SHOWN = UnknownValue("it is not shown whether the weights of this GRU are made before fit() or inside it", None)
TRACED = UnknownValue("it is not shown whether the weights of this GRU are made before the tf.function is called", None)
#: First layers that know the shape of what they get.
KNOWING = frozenset({"InputLayer", "Embedding"})


def of_run(model: Instance) -> dict[str, Value]:
    """Return what fit() and the like add to the scope: a model that has a shape is built already."""
    return {} if models.is_functional(model) or _has_shape(model) else {LATE: NOT_SHOWN}


def of_traced(name: str) -> dict[str, Value]:
    """Return what a decorator adds to the scope of a function: `tf.function` traces it."""
    return {LATE: TRACED} if name == "tensorflow.function" else {}


def of_entry(run: Interpreter, function: Function, receiver: Value | None) -> dict[str, Value]:
    """Return what the scope of a function is that no code here calls: Keras calls the `call` of a layer or model."""
    called = function.name == "call" and isinstance(receiver, Instance) and layers.keras_base(run, receiver)
    return {LATE: NOT_SHOWN} if called else {}


def are_open(run: Interpreter) -> bool:
    """Return whether what runs now runs in fit() or the like, in a tf.function, or in a `call` that Keras calls."""
    return LATE in context_of(run).scope


def at_call(run: Interpreter, instance: Instance, symbolic: bool) -> dict[str, Value]:
    """Return the surrounding of a call: its first one makes the weights, and one with an Input makes them eagerly."""
    late = context_of(run).scope.get(LATE)
    if late is None or symbolic or instance.table.get(graphs.TOOK) is not None or _is_built(run, instance):
        return {}
    return {LATE: late}


def _is_built(run: Interpreter, instance: Instance) -> bool:
    """Return whether a layer is in a Sequential that has a shape, so that its weights are made with the model."""
    shaped = (model for model in state_of(run).models if not models.is_functional(model) and _has_shape(model))
    return any(layer.table is instance.table for model in shaped for layer in models.layers_of(run, model))


def _has_shape(model: Instance) -> bool:
    """Return whether a Sequential begins with an Input, an Embedding or a layer that is given its input shape."""
    listing = model.table.get(models.LAYERS)
    first = next(iter(containers.contents_of(listing).items), None) if isinstance(listing, Listing) else None
    if not isinstance(first, Instance):
        return isinstance(first, Tensor)
    made = first.table.get(MADE)
    shaped = isinstance(made, Made) and (
        made.build.class_name in KNOWING or not made.build.arguments.keys().isdisjoint(casting.SHAPES)
    )
    return shaped or models.is_functional(first)
