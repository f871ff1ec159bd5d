"""Mixed precision wraps the weights of a GRU, and this release then does not use cuDNN.

## What it does
Finds a GRU under a mixed dtype policy in TensorFlow 2.1 to 2.4.

## Why it matters
Under `mixed_float16` the weights are float32 variables that cast themselves (AutoCastVariable). In these releases a
GRU uses cuDNN only with plain variables. It falls back without a warning, after TensorFlow has logged that it will use
cuDNN. The LSTM is not affected.

## Bad
```python target=tensorflow@2.4.0
import tensorflow as tf

policy = tf.keras.mixed_precision.experimental.Policy("mixed_float16")
layer = tf.keras.layers.GRU(64, dtype=policy)
```

## Good
```python target=tensorflow@2.5.0
import tensorflow as tf

layer = tf.keras.layers.GRU(64, dtype="mixed_float16")
```

## Fix safety
No fix keeps the precision. Upgrade to TensorFlow 2.5 or later, or set `dtype="float32"` on the layer.

## References
- `tensorflow/python/keras/layers/recurrent_v2.py:GRU.build` (2.1 to 2.4)
"""

from __future__ import annotations

from cudnnlint.core.execution_context import policy, policy_name
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN114"
NEEDED = "plain variables as weights"
SAYS = "the dtype policy {found} wraps the weights of this GRU, and this TensorFlow needs plain variables for cuDNN"
ADVICE = 'Upgrade to TensorFlow 2.5 or later, or set dtype="float32" on this layer.'


def find(case: Case) -> Finding:
    """Return YES for a GRU under a mixed policy."""
    if case.operation != "GRU":
        return ABSENT_FAULT
    fact, own = policy(case)
    return judge_fact(fact, lambda value: mixed(policy_name(value), own))


def mixed(name: str | None, own: bool) -> Truth:
    """Return whether variables and computations differ in dtype.

    A half dtype that is not the layer's `own` may come from either kind of policy, so it is UNKNOWN.
    """
    if name is None or (name in ("float16", "bfloat16") and not own):
        return Truth.UNKNOWN
    return Truth.of(name.startswith("mixed_"))
