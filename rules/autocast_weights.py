"""Mixed precision or a strategy wraps the weights of a GRU, and this release then does not use cuDNN.

## What it does
Finds a GRU under a mixed dtype policy, or in the scope of a strategy for several devices, in TensorFlow 2.1 to 2.4. A
GRU of a model that has neither an Input nor an input shape is unknown there, unless the file calls it before `fit()`.

## Why it matters
Under `mixed_float16` the weights are float32 variables that cast themselves (AutoCastVariable); under
`MirroredStrategy` they are copies on several devices (MirroredVariable), even with one GPU. Weights that are first made
inside `fit()` are of another kind, too, since `fit()` is traced (UnliftedInitializerVariable). In these releases a GRU
uses cuDNN only with plain variables. It falls back without a warning, after TensorFlow has logged that it will use
cuDNN. The LSTM is not affected.

## Bad
```python target=tensorflow@2.4.0
import tensorflow as tf

policy = tf.keras.mixed_precision.experimental.Policy("mixed_float16")
layer = tf.keras.layers.GRU(64, dtype=policy)
```

```python target=tensorflow@2.2.3
import tensorflow as tf

with tf.distribute.MirroredStrategy().scope():
    model = tf.keras.Sequential([tf.keras.layers.GRU(64, input_shape=(20, 3))])
```

## Good
```python target=tensorflow@2.5.0
import tensorflow as tf

layer = tf.keras.layers.GRU(64, dtype="mixed_float16")
```

## Fix safety
No fix keeps the precision or the strategy. Upgrade to TensorFlow 2.5 or later, or set `dtype="float32"` on the layer
and build the model outside of the scope.

## References
- `tensorflow/python/keras/layers/recurrent_v2.py:GRU.build` (2.1 to 2.4)
- tensorflow issue 40421
"""

from __future__ import annotations

from cudnnlint.core.execution_context import flag, policy, policy_name
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN114"
NEEDED = "plain variables as weights"
SAYS = "{detail} wraps the weights of this GRU, and this TensorFlow needs plain variables for cuDNN"
ADVICE = 'Upgrade to TensorFlow 2.5 or later, or set dtype="float32" on this layer.'
WITHOUT_STRATEGY = "Upgrade to TensorFlow 2.5 or later, or build the model outside of the strategy, on one GPU."


def find(case: Case) -> Finding:
    """Return YES for a GRU under a mixed policy, or whose weights a strategy keeps on several devices."""
    if case.operation != "GRU":
        return ABSENT_FAULT
    fact, own = policy(case)
    found = judge_fact(fact, lambda value: mixed(policy_name(value), own))
    spread = flag(case, "distributed", "a strategy", "no strategy")
    late = flag(case, "late_weights", "inside fit()", "before fit()")
    ways = {f"the dtype policy {found.found}": found, "the strategy": spread, "the function that fit() traces": late}
    worst = max(ways, key=lambda way: (ways[way].truth is Truth.YES, ways[way].truth is Truth.UNKNOWN))
    return replace(ways[worst], detail=worst)


def advise(case: Case) -> str | None:
    """Return the way out of a strategy's scope, where that alone wraps the weights."""
    return WITHOUT_STRATEGY if find(case).detail == "the strategy" else None


def mixed(name: str | None, own: bool) -> Truth:
    """Return whether variables and computations differ in dtype.

    A half dtype that is not the layer's `own` may come from either kind of policy, so it is UNKNOWN.
    """
    if name is None or (name in ("float16", "bfloat16") and not own):
        return Truth.UNKNOWN
    return Truth.of(name.startswith("mixed_"))
