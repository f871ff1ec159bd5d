"""The cuDNN release that this TensorFlow was built with corrupts masked sequences.

## What it does
Finds LSTM and GRU layers that get a mask, in TensorFlow 2.5 to 2.14.

## Why it matters
cuDNN 8.1 to 8.9.1 computes sequences of different lengths wrongly. Results are corrupted at random, at inference too,
and some runs stop with CUDA_ERROR_ILLEGAL_ADDRESS. TensorFlow 2.5 was the first release built with 8.1; from 2.15 on it
requires 8.9.4. Another cuDNN 8 can be installed with any of them: `cudnnlint doctor` shows which one is.

## Bad
```python target=tensorflow@2.12.0 also=CDN201
import tensorflow as tf

model = tf.keras.Sequential([
    tf.keras.layers.Embedding(1000, 32, mask_zero=True),
    tf.keras.layers.LSTM(64),
])
```

## Good
```python target=tf_keras@2.15.0
import tensorflow as tf

model = tf.keras.Sequential([
    tf.keras.layers.Embedding(1000, 32),
    tf.keras.layers.LSTM(64),
])
```

## Fix safety
No change to the layer helps. Install cuDNN 8.9.2 or a later 8.x, which works with these TensorFlow releases.

## References
- tensorflow issues 60192 and 50735
"""

from __future__ import annotations

from cudnnlint.core.execution_context import padding
from cudnnlint.core.rule import Case, Finding, judge_fact

CODE = "CDN604"
NEEDED = "no mask, or cuDNN 8.9.2 or later"
SAYS = "the layer gets {found}, and this TensorFlow was built with a cuDNN 8 that corrupts masked sequences"
ADVICE = "Install cuDNN 8.9.2 or a later 8.x for this TensorFlow; cudnnlint doctor shows which one is installed."


def find(case: Case) -> Finding:
    """Return YES where a mask arrives that the kernel takes."""
    return judge_fact(padding(case), lambda value: value in ("right", "data"))
