"""The layer is placed on a CPU.

## What it does
Finds layers that are called, or whose model is run, under a device scope or in a distribution strategy that names a
CPU. If a layer is only made there and no call is visible, the rule says that it may run there.

## Why it matters
In Keras 2, and in Keras 3 on torch, the layer then runs in a loop on the CPU. Keras 3 on TensorFlow only checks whether
a GPU exists: the graph may contain the cuDNN operation, placed on a device that cannot run it. JAX raises an error
under jit.

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
There is no automatic fix: the scope may be intended.

## References
- `tf_keras/src/layers/rnn/gru_lstm_utils.py:get_context_device_type`
- `keras/src/backend/tensorflow/rnn.py:_is_gpu_available`
"""

from __future__ import annotations

from cudnnlint.core.execution_context import unknown
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.rule import Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN404"
NEEDED = "no device scope or strategy that names a CPU"
SAYS = "a device scope or a strategy places the layer on {found}"
ADVICE = "Call the layer outside that scope."


def find(case: Case) -> Finding:
    """Return YES where a device scope names a CPU."""
    finding = judge_fact(case.context("device"), lambda device: device == "cpu")
    words = {Truth.YES: "a CPU", Truth.NO: "no CPU"}
    if not unknown(case.context("device")):
        words[Truth.UNKNOWN] = "possibly a CPU"
    return replace(finding, found=words.get(finding.truth, finding.found))


def advise(case: Case) -> str | None:
    """Name the switch where there is one."""
    if "use_cudnn" not in case.defaults:
        return None
    return "Call the layer outside that scope, or set use_cudnn=False if it should run on the CPU."
