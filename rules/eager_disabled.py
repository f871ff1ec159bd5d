"""Eager execution is off where the layer is made.

## What it does
Finds layers made after `disable_eager_execution` or `disable_v2_behavior`, inside `tf.Graph().as_default()`, or in an
Estimator's model function.

## Why it matters
Keras 2 checks at construction whether eager execution is on in the outermost context. If it is off, the layer is made
without the kernel for good.

## Bad
```python target=tf_keras@2.21.0
import tensorflow as tf

tf.compat.v1.disable_eager_execution()
layer = tf.keras.layers.LSTM(64)
```

## Good
```python target=tf_keras@2.21.0
import tensorflow as tf

layer = tf.keras.layers.LSTM(64)
```

## Fix safety
There is no automatic fix: the switch applies to the whole program, and other code may depend on it.

## References
- `tf_keras/src/layers/rnn/lstm.py:LSTM.__init__` (executing_eagerly_outside_functions)
- tensorflow issue 35501
"""

from __future__ import annotations

from cudnnlint.core.execution_context import flag
from cudnnlint.core.rule import Case, Finding

CODE = "CDN401"
NEEDED = "eager execution where the layer is made"
SAYS = "the layer is made with {found}, and Keras 2 then does not use cuDNN"
ADVICE = "Leave eager execution on: fit and predict build graphs anyway."


def find(case: Case) -> Finding:
    """Return YES where TensorFlow 1's graph mode is on."""
    return flag(case, "eager_disabled", "eager execution off", "eager execution on")
