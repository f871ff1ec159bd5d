"""A RaggedTensor reaches the layer.

## What it does
Finds recurrent layers that are called with a ragged tensor, where cuDNN cannot be used for it on this target.

## Why it matters
From 2.3 to 2.7, Keras 2 silently falls back for ragged input. Before 2.3, the kernel got the lengths in the wrong
layout. From 2.8 on it works. Recurrent layers of Keras 3 do not support ragged input at all and raise an error.

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

```python target=tensorflow@2.6.0
import tensorflow as tf

inputs = tf.keras.Input((None, 4))  # fed with ragged.to_tensor()
model = tf.keras.Model(inputs, tf.keras.layers.LSTM(64)(inputs))
```

## Fix safety
No change to the layer helps. `to_tensor()` pads on the right; the layer then also reads the padding, unless it gets a
mask.

## References
- `keras/layers/recurrent_v2.py:LSTM.call` (2.6, 2.7)
- keras issue 15756, tensorflow issue 48838
"""

from __future__ import annotations

from cudnnlint.core.execution_context import flag
from cudnnlint.core.rule import Case, Finding

CODE = "CDN209"
NEEDED = "a dense tensor"
SAYS = "the layer gets {found}, which cannot run in cuDNN on this target"
ADVICE = "Make it dense (to_tensor() pads on the right) and pass a mask, or use Keras 2.8 to 2.15 or tf_keras."


def find(case: Case) -> Finding:
    """Return YES where a RaggedTensor arrives."""
    return flag(case, "ragged", "a RaggedTensor", "a dense tensor")
