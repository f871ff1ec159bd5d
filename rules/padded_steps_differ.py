"""At padded steps the kernel gives zeros, where the loop repeats the last output.

## What it does
Finds masked layers that return their sequence, without `zero_output_for_mask`, outside a Bidirectional.

## Why it matters
Behind the end of a sequence the kernel fills in zeros; the loop, and so a CPU, repeats the last output. Layers that
heed the mask do not see the difference. What reads the padded steps does: a Flatten, a sum over time, a plain loss, or
a comparison between CPU and GPU.

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
With `zero_output_for_mask=True` the loop gives zeros too: nothing changes on the GPU, padded steps change on the CPU.

## References
- tensorflow issue 49241
- `tf_keras/src/backend.py:rnn` (zero_output_for_mask)
"""

from __future__ import annotations

from cudnnlint.core.execution_context import padding
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_argument, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN606"
NEEDED = "zero_output_for_mask=True, or no padded steps returned"
SAYS = "the layer gets {found} and returns its sequence: padded steps are zero here and repeat the last output on a CPU"
ADVICE = "Give the layer zero_output_for_mask=True, so that a CPU gives zeros too."


def find(case: Case) -> Finding:
    """YES where padded steps are returned as they come."""
    if case.layer.direction is not None:  # a Bidirectional sets zero_output_for_mask itself
        return ABSENT_FAULT
    masked = judge_fact(padding(case), lambda value: value in ("right", "data"))
    returned = judge_argument(case, "return_sequences", bool)
    repeated = judge_argument(case, "zero_output_for_mask", lambda value: not value)
    truth = masked.truth & returned.truth & repeated.truth
    if truth is Truth.NO:
        return ABSENT_FAULT
    return Finding(truth, masked.found, returned.place or masked.place, returned.origin, because=masked.because)
