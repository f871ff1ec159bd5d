"""At padded steps cuDNN outputs zeros, but the loop on a CPU repeats the last output.

## What it does
Finds layers outside a Bidirectional that get a mask and return their sequence, without `zero_output_for_mask`.

## Why it matters
After the end of a sequence the kernel outputs zeros. The loop, which a CPU runs, repeats the last output. Layers that
use the mask ignore these steps. Anything that reads the padded steps is affected: a Flatten, a sum over time, a loss
without a mask, or a comparison between CPU and GPU.

## Bad
```python target=tf_keras@2.21.0 also=CDN201
import tensorflow as tf

inputs = tf.keras.Input((None,), dtype="int32")
x = tf.keras.layers.Embedding(1000, 32, mask_zero=True)(inputs)
model = tf.keras.Model(inputs, tf.keras.layers.LSTM(64, return_sequences=True)(x))
```

## Good
```python target=tf_keras@2.21.0
import tensorflow as tf

inputs = tf.keras.Input((None,), dtype="int32")
x = tf.keras.layers.Embedding(1000, 32)(inputs)
model = tf.keras.Model(inputs, tf.keras.layers.LSTM(64, return_sequences=True)(x))
```

## Fix safety
There is no automatic fix. With `zero_output_for_mask=True` the loop outputs zeros too: nothing changes on a GPU, and
padded steps change on a CPU. In TensorFlow 2.0 and 2.1 the loop ignores it, also inside a Bidirectional: there only
another release helps, or a multiplication of the output by the mask.

## References
- tensorflow issues 49241, 30423
- `tf_keras/src/backend.py:rnn` (zero_output_for_mask)
"""

from __future__ import annotations

from cudnnlint.core.execution_context import padding
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_argument, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN606"
NEEDED = "zero_output_for_mask=True, or no padded steps returned"
SAYS = "the layer gets {found}; with cuDNN, padded steps output zeros, but on a CPU they repeat the last output"
ADVICE = "Set zero_output_for_mask=True on the layer, so that a CPU outputs zeros too."
IGNORED = (
    "Upgrade to TensorFlow 2.2 or later and set zero_output_for_mask=True: in this release the loop ignores it. Until "
    "then, multiply the output by the mask where padded steps must be zero."
)
SETTING = "zero_output_for_mask"


def find(case: Case) -> Finding:
    """Return YES where padded steps are returned as the route computes them."""
    if case.layer.direction is not None and SETTING not in case.lost:  # a Bidirectional sets it itself
        return ABSENT_FAULT
    masked = judge_fact(padding(case), lambda value: value in ("right", "data"))
    returned = judge_argument(case, "return_sequences", bool)
    repeated = judge_argument(case, SETTING, lambda value: not value)
    truth = masked.truth & returned.truth & repeated.truth
    if truth is Truth.NO:
        return ABSENT_FAULT
    return Finding(truth, masked.found, returned.place or masked.place, returned.origin, because=masked.because)


def advise(case: Case) -> str | None:
    """Name the release that honours the setting, where this one ignores it."""
    return IGNORED if SETTING in case.lost else None
