"""A gradient of a gradient is taken through the layer.

## What it does
Finds recurrent layers inside nested gradient tapes, gradient penalties and the like.

## Why it matters
The kernel has a gradient, but that gradient has none. Keras 3 on TensorFlow stops with a LookupError, torch with an
error of its own, and both only on a GPU. JAX takes its scan instead.

## Bad
```python
import keras
import tensorflow as tf

layer = keras.layers.LSTM(64)

def penalty(x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_sum(layer(x))
        gradient = inner.gradient(y, x)
    return outer.gradient(gradient, x)
```

## Good
```python
import keras
import tensorflow as tf

layer = keras.layers.LSTM(64)

def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(layer(x))
    return tape.gradient(y, x)
```

## Fix safety
There is no fix that keeps the kernel: `use_cudnn=False` makes the layer loop, and the loop has gradients of any order.

## References
- tensorflow issue 37091, pytorch issue 5261
"""

from __future__ import annotations

from cudnnlint.core.execution_context import flag
from cudnnlint.core.rule import Case, Finding

CODE = "CDN210"
NEEDED = "gradients of the first order"
SAYS = "{found} is taken through the layer, and the kernel's gradient has none"
ADVICE = "Give the layer use_cudnn=False: the loop has gradients of any order."


def find(case: Case) -> Finding:
    """YES where second-order gradients are taken."""
    return flag(case, "second_order", "a gradient of a gradient", "no gradient of a gradient")
