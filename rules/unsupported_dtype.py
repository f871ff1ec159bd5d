"""The layer computes in a dtype that the kernel does not take.

## What it does
Finds LSTM and GRU whose dtype, their own or that of the global policy, is not one that the kernel takes, or in which
TensorFlow cannot even make the weights.

## Why it matters
Before TensorFlow 2.13 the cuDNN operation knew no bfloat16: a layer under `mixed_bfloat16` stops with a TypeError, on
the CPU too. From then on it computes in float32 inside. Weights in pure bfloat16 cannot be made with the usual
orthogonal initialiser, as TensorFlow has no QR decomposition in that dtype (nor in float16, in some releases).

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
The layer then computes in another precision: the numbers change a little.

## References
- `tensorflow/python/ops/gen_cudnn_rnn_ops.py` (the attribute T)
- `keras/src/initializers/random_initializers.py:Orthogonal`
"""

from __future__ import annotations

from cudnnlint.core.edit import Effect, Intent, SetArgument
from cudnnlint.core.execution_context import DTYPES, policy, policy_name
from cudnnlint.core.fact import Ref
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_argument, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN204"
NEEDED = "a dtype that the kernel takes"
SAYS = "the layer computes in {found}, which does not work with this kernel"
ADVICE = 'Give the layer dtype="float32"; the numbers change a little.'


def find(case: Case) -> Finding:
    """YES where the row does not list the dtype, or the weights cannot be made in it."""
    if not case.dtypes:
        return ABSENT_FAULT
    fact, own = policy(case)
    return judge_fact(fact, lambda value: refused(case, policy_name(value), own))


def refused(case: Case, name: str | None, own: bool) -> Truth:
    """Does a layer under this policy stop? `own` False: the name may stand for a mixed policy too."""
    if name is None:
        return Truth.UNKNOWN
    mixed, computes = name.startswith("mixed_"), name.removeprefix("mixed_")
    if computes not in DTYPES:
        return Truth.of(computes.startswith(("int8", "float8"))) | Truth.UNKNOWN
    if computes not in case.dtypes and f"mixed_{computes}" not in case.dtypes:
        return Truth.YES
    answer = Truth.NO if mixed or computes in case.dtypes else orthogonal(case)
    return Truth.UNKNOWN if answer is Truth.YES and not own else answer


def orthogonal(case: Case) -> Truth:
    """Are the recurrent weights drawn by the orthogonal initialiser?"""
    return judge_argument(case, "recurrent_initializer", _is_orthogonal).truth


def _is_orthogonal(value: object) -> Truth:
    if isinstance(value, dict):
        value = value.get("class_name")
    if isinstance(value, Ref):
        value = value.name.rsplit(".", 1)[-1]
    return Truth.of(value.lower().startswith("orthogonal")) if isinstance(value, str) else Truth.UNKNOWN


def mend(case: Case) -> Intent | None:
    """Give the layer float32."""
    return Intent((SetArgument("dtype", "float32"),), Effect.CHANGES_NUMBERS, "give the layer the dtype float32")
