"""The layer is pinned to a CPU.

## What it does
Finds layers that are called, or whose model is run, under a device scope that names a CPU. Of a layer that is only
made there, and called nowhere in sight, it says that it may run there.

## Why it matters
In Keras 2, and in Keras 3 on torch, the layer then loops on the CPU. In Keras 3 on TensorFlow the choice asks only
whether a GPU exists: the graph may hold the cuDNN operation, pinned to a device that cannot run it. JAX raises under
jit.

## Bad
```python target=tf_keras@2.21.0
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((10, 4)), tf.keras.layers.LSTM(64)])
with tf.device("/CPU:0"):
    model.predict(tf.zeros((2, 10, 4)))
```

## Good
```python target=tf_keras@2.21.0
import tensorflow as tf

with tf.device("/CPU:0"):
    model = tf.keras.Sequential([tf.keras.Input((10, 4)), tf.keras.layers.LSTM(64)])
model.predict(tf.zeros((2, 10, 4)))
```

## Fix safety
There is no fix: the scope may be meant.

## References
- `tf_keras/src/layers/rnn/gru_lstm_utils.py:get_context_device_type`
- `keras/src/backend/tensorflow/rnn.py:_is_gpu_available`
"""

from __future__ import annotations

from dataclasses import replace

from cudnnlint.core.execution_context import unknown
from cudnnlint.core.rule import Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN404"
NEEDED = "no CPU device scope"
SAYS = "the layer is pinned to {found}"
ADVICE = "Take the layer out of the device scope, or write use_cudnn=False (Keras 3) if the CPU is meant."


def find(case: Case) -> Finding:
    """YES where a device scope names a CPU."""
    finding = judge_fact(case.around("device"), lambda device: device == "cpu")
    words = {Truth.YES: "a CPU", Truth.NO: "no CPU"}
    if not unknown(case.around("device")):
        words[Truth.UNKNOWN] = "a CPU perhaps"
    return replace(finding, found=words.get(finding.truth, finding.found))
