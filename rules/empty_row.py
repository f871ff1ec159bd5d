"""A mask with an empty row reaches the layer, and in this release cuDNN stops with an error on it.

## What it does
Finds masks in which a row has no step at all, in TensorFlow 2.0 to 2.3.

## Why it matters
An empty text gives a sequence of length 0. These releases only check that the padding is on the right, and cuDNN stops
with CUDNN_STATUS_BAD_PARAM. From 2.4 on such a batch falls back.

## Bad
```python target=tensorflow@2.3.0 also=CDN201
import tensorflow as tf

ids = tf.keras.preprocessing.sequence.pad_sequences([[3, 4], []], padding="post")
model = tf.keras.Sequential([
    tf.keras.layers.Embedding(1000, 32, mask_zero=True),
    tf.keras.layers.LSTM(64),
])
model.predict(ids)
```

## Good
```python target=tensorflow@2.3.0
import tensorflow as tf

model = tf.keras.Sequential([
    tf.keras.layers.Embedding(1000, 32),
    tf.keras.layers.LSTM(64),
])
```

## Fix safety
No change to the layer helps. Remove empty sequences from the data.

## References
- `tensorflow/python/keras/layers/recurrent_v2.py:is_sequence_right_padded` (2.0 to 2.3)
- tensorflow issue 33148
"""

from __future__ import annotations

from cudnnlint.core.execution_context import padding, unknown
from cudnnlint.core.fact import values
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.rule import Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN213"
NEEDED = "no mask, or one without empty rows"
SAYS = "the layer gets {found}, and in this release cuDNN stops with CUDNN_STATUS_BAD_PARAM on an empty row"
ADVICE = "Remove empty sequences from the data, or upgrade to TensorFlow 2.4 or later, where such a batch falls back."
CONDITION = "a right-padded mask with an empty row"


def find(case: Case) -> Finding:
    """Return YES where right padding with an empty row is shown; run-time data decide where the padding is open."""
    mask = padding(case)
    padded = set(values(mask))
    shown = judge_fact(case.context("mask_with_empty_row"), bool)
    if padded <= {"none", "left"} and not unknown(mask):
        return judge_fact(mask, lambda value: False)
    if shown.truth is not Truth.NO:
        right = padded == {"right"} and not unknown(mask)  # any other mask may leave cuDNN before
        because = shown.because if right else "it is not clear whether the mask with the empty row is right-padded"
        truth = shown.truth if right else Truth.UNKNOWN
        return replace(shown, truth=truth, found="a mask with an empty row", because=because)
    finding = judge_fact(mask, lambda value: Truth.UNKNOWN if value == "data" else Truth.NO)
    if finding.truth is Truth.UNKNOWN and not unknown(mask):
        return replace(finding, run_time=True, condition=CONDITION)
    return finding
