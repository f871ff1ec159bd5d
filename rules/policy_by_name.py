"""A mixed precision policy is given to the layer as a string, which this TensorFlow takes for a dtype.

## What it does
Finds recurrent layers with `dtype="mixed_float16"` or `dtype="mixed_bfloat16"` in TensorFlow before 2.5.

## Why it matters
These releases take a text as the name of a dtype. The layer stops with "Cannot convert value 'mixed_float16' to a
TensorFlow DType" where it is made, on every machine.

## Bad
```python target=tensorflow@2.4.0
import tensorflow as tf

layer = tf.keras.layers.LSTM(64, dtype="mixed_float16")
```

## Good
```python target=tensorflow@2.4.0
import tensorflow as tf

policy = tf.keras.mixed_precision.experimental.Policy("mixed_float16")
layer = tf.keras.layers.LSTM(64, dtype=policy)
```

## Fix safety
There is no automatic fix.

## References
- `tensorflow/python/keras/engine/base_layer.py:Layer._set_dtype_policy` of 2.4.4 and 2.5.3
"""

from __future__ import annotations

from cudnnlint.core.fact import PolicyName
from cudnnlint.core.rule import Case, Finding, judge_argument

CODE = "CDN220"
NEEDED = "a policy object, or the name of a dtype"
SAYS = "this TensorFlow does not accept dtype={found}: it takes a string for the name of a dtype"
ADVICE = "Give the layer a Policy object, set the policy for the whole program, or upgrade to TensorFlow 2.5 or later."


def find(case: Case) -> Finding:
    """Return YES where the name of a mixed policy is a text."""
    return judge_argument(case, "dtype", _is_text)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and not isinstance(value, PolicyName) and value.startswith("mixed_")
