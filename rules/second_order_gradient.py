"""A gradient of a gradient is taken through the layer.

## What it does
Finds recurrent layers inside nested gradient tapes, gradient penalties and similar code.

## Why it matters
cuDNN has a first-order gradient but no second-order one. Keras 3 on TensorFlow stops with a LookupError and torch with
an error of its own, both only on a GPU. JAX runs its scan instead.

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
No fix keeps the kernel. With `use_cudnn=False` the layer runs in a loop, which has gradients of any order.

## References
- tensorflow issue 37091, pytorch issue 5261
"""

from __future__ import annotations

from cudnnlint.core.execution_context import flag
from cudnnlint.core.rule import Case, Finding

CODE = "CDN210"
NEEDED = "first-order gradients only"
SAYS = "{found} is taken through the layer, but cuDNN has no second-order gradient"
ADVICE = "Set use_cudnn=False on the layer: the loop has gradients of any order."


def find(case: Case) -> Finding:
    """Return YES where second-order gradients are taken."""
    return flag(case, "second_order", "a gradient of a gradient", "no gradient of a gradient")
