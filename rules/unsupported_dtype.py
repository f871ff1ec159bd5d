"""The layer computes in a dtype that the kernel does not support.

## What it does
Finds LSTM and GRU layers whose dtype (their own or that of the global policy) the kernel does not support.

## Why it matters
Before TensorFlow 2.13 the cuDNN operation did not support bfloat16: a layer under `mixed_bfloat16` stops with a
TypeError, on a CPU too. From 2.13 on the operation computes in float32 internally. On JAX the kernel takes float32 and
float64 alone: under `mixed_float16` or `mixed_bfloat16` an LSTM stops on a GPU with "Unknown output type" and runs on a
CPU.

## Bad
```python target=tensorflow@2.10.0
import tensorflow as tf

layer = tf.keras.layers.LSTM(64, dtype="mixed_bfloat16")
```

## Fixed
```python target=tensorflow@2.10.0
import tensorflow as tf

layer = tf.keras.layers.LSTM(64, dtype="float32")
```

## Good
```python
import keras

layer = keras.layers.LSTM(64, dtype="mixed_bfloat16")
```

## Fix safety
With float32 the layer computes in another precision, and the numbers change slightly.

## References
- `tensorflow/python/ops/gen_cudnn_rnn_ops.py` (the attribute T)
- `jaxlib/gpu_rnn.py:cudnn_rnn_lowering`
"""

from __future__ import annotations

from cudnnlint.core.edit import Effect, Intent, SetArgument
from cudnnlint.core.execution_context import DTYPES, policy, policy_name
from cudnnlint.core.fact import values
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN204"
NEEDED = "a dtype that the kernel supports"
SAYS = "the layer computes in {found}, which does not work with this kernel"
ADVICE = 'Set dtype="float32" on the layer. The numbers change slightly.'


def find(case: Case) -> Finding:
    """Return YES where the row does not list the dtype."""
    if not case.dtypes:
        return ABSENT_FAULT
    return judge_fact(policy(case)[0], lambda value: refused(case, policy_name(value)))


def refused(case: Case, name: str | None) -> Truth:
    """Return whether the kernel refuses to compute under this policy; a row marks with "?" what it takes at times."""
    if name is None:
        return Truth.UNKNOWN
    computes = name.removeprefix("mixed_")
    if computes not in DTYPES:
        return Truth.of(computes.startswith(("int8", "float8"))) | Truth.UNKNOWN
    return Truth.UNKNOWN if f"{computes}?" in case.dtypes else Truth.of(computes not in case.dtypes)


def otherwise(case: Case) -> str | None:
    """Name the release whose operation takes bfloat16, where that is the dtype and TensorFlow runs the layer."""
    names = {policy_name(value) for value in values(policy(case)[0])}
    bfloat = names == {"mixed_bfloat16"} and case.point.backend == "tensorflow"
    return "Upgrade to TensorFlow 2.13 or later, whose cuDNN operation takes bfloat16." if bfloat else None


def fix(case: Case) -> Intent | None:
    """Set the dtype to float32."""
    return Intent((SetArgument("dtype", "float32"),), Effect.CHANGES_NUMBERS, 'set dtype="float32" on the layer')
