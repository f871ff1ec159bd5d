"""A RaggedTensor reaches the layer.

## What it does
Finds recurrent layers that are called with a ragged tensor, where the target cannot take it to cuDNN.

## Why it matters
From 2.3 to 2.7, Keras 2 falls back for ragged input, silently; before, the lengths reached the kernel in the wrong
layout. From 2.8 on it works. Keras 3 does not take ragged input in recurrent layers at all and raises.

## Bad
```python target=tensorflow@2.6.0
import tensorflow as tf

inputs = tf.keras.Input((None, 4), ragged=True)
model = tf.keras.Model(inputs, tf.keras.layers.LSTM(64)(inputs))
```

## Good
```python target=tensorflow@2.8.0
import tensorflow as tf

inputs = tf.keras.Input((None, 4), ragged=True)
model = tf.keras.Model(inputs, tf.keras.layers.LSTM(64)(inputs))
```

## Fix safety
There is no fix in the layer. `to_tensor()` pads on the right; the layer then reads the padding, unless a mask tells it
not to.

## References
- `keras/layers/recurrent_v2.py:LSTM.call` (2.6, 2.7)
- keras issue 15756, tensorflow issue 48838
"""

from __future__ import annotations

from cudnnlint.core.execution_context import flag
from cudnnlint.core.rule import Case, Finding

CODE = "CDN209"
NEEDED = "a dense tensor"
SAYS = "the layer gets {found}, which this target does not take to cuDNN"
ADVICE = (
    "Make it dense (to_tensor() pads on the right) and hand a mask along, or move to Keras 2.8 to 2.15 or tf_keras."
)


def find(case: Case) -> Finding:
    """YES where a RaggedTensor arrives."""
    return flag(case, "ragged", "a RaggedTensor", "a dense tensor")
