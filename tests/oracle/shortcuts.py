"""What makes a wide model quick to build and to trace, and changes no route.

Every loop over the steps is its first step, and drawn weights are all the same number: the draw of a recurrent layer's
weights (a QR decomposition, eagerly) costs more than its trace.
"""

from __future__ import annotations

import sys
from typing import Any, Iterator

import tensorflow as tf

# Where Keras has the loop over the steps.
LOOPS = ("keras.src.backend", "tf_keras.src.backend")
# Where Keras draws weights, and the classes that do.
INITIALIZERS = ("keras.src.initializers.random_initializers", "tf_keras.src.initializers.initializers")
DRAWN = ("RandomNormal", "TruncatedNormal", "RandomUniform", "VarianceScaling", "Orthogonal")
WEIGHT = 0.05


def shortcuts() -> Iterator[tuple[Any, str, Any]]:
    """Every attribute to replace: (owner, name, value)."""
    for module in LOOPS:
        if hasattr(found(module), "rnn"):
            yield found(module), "rnn", one_step(found(module).rnn)
    for module in INITIALIZERS:
        for name in DRAWN:
            if hasattr(found(module), name):
                kind = getattr(found(module), name)
                yield kind, "__call__", one_number(kind.__call__)


def one_number(real: Any) -> Any:
    """A draw of weights that gives one number everywhere; of the half types the real one, which may stop."""

    def draw(self: Any, shape: Any, dtype: Any = None, **named: Any) -> Any:
        kind = tf.as_dtype(dtype or "float32")
        if kind not in (tf.float32, tf.float64) or named or len(shape) < 2:
            return real(self, shape, dtype=dtype, **named)
        return tf.fill(list(shape), tf.constant(WEIGHT, kind))

    return draw


def one_step(real: Any) -> Any:
    """A loop over the steps that runs its first step and repeats what that gives."""

    def rnn(step: Any, inputs: Any, states: Any, **named: Any) -> Any:
        mask, first = named.get("mask"), tf.nest.flatten(inputs)[0]
        if not list(states) or named.get("unroll") or (mask is not None and len(mask.shape) != 2):
            return real(step, inputs, states, **named)
        at_first = (lambda part: part[0]) if named.get("time_major") else (lambda part: part[:, 0])
        once, after = step(tf.nest.map_structure(at_first, inputs), (*states, *(named.get("constants") or ())))
        axis = 0 if named.get("time_major") else 1
        every = first.shape[axis] if named.get("return_all_outputs", True) else 1
        count = tf.shape(first)[axis] if every is None else every
        outputs = tf.nest.map_structure(lambda part: repeated(part, axis, count, every), once)
        return once, outputs, after

    return rnn


def repeated(part: Any, axis: int, count: Any, every: int | None) -> Any:
    """One step's output, for every step."""
    whole = tf.repeat(tf.expand_dims(part, axis), count, axis=axis)
    shape = list(part.shape)
    whole.set_shape([*shape[:axis], every, *shape[axis:]])
    return whole


def found(module: str) -> Any:
    """A module that the Keras being asked has loaded, or None: to load another's would mix the two (both Keras 2.15
    and tf_keras 2.15 enter their functions as `keras.activations.tanh`, and the later one wins)."""
    return sys.modules.get(module)
