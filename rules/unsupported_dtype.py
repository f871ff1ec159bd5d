"""The layer computes in a dtype that the kernel does not support.

## What it does
Finds LSTM and GRU layers whose dtype (their own or that of the global policy) the kernel does not support, or in which
TensorFlow cannot even create the weights.

## Why it matters
Before TensorFlow 2.13 the cuDNN operation did not support bfloat16: a layer under `mixed_bfloat16` stops with a
TypeError, on a CPU too. From 2.13 on the operation computes in float32 internally. The default orthogonal initializer
cannot create weights in pure bfloat16, as TensorFlow has no QR decomposition in that dtype (nor in float16, in some
releases).

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
- `keras/src/initializers/random_initializers.py:Orthogonal`
"""

from __future__ import annotations

from cudnnlint.core.edit import Effect, Intent, SetArgument
from cudnnlint.core.execution_context import DTYPES, policy, policy_name
from cudnnlint.core.fact import Ref, values
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_argument, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN204"
NEEDED = "a dtype that the kernel supports"
SAYS = "the layer computes in {found}, which does not work with this kernel"
ADVICE = 'Set dtype="float32" on the layer. The numbers change slightly.'


def find(case: Case) -> Finding:
    """Return YES where the row does not list the dtype, or the weights cannot be made in it."""
    if not case.dtypes:
        return ABSENT_FAULT
    fact, own = policy(case)
    return judge_fact(fact, lambda value: refused(case, policy_name(value), own))


def refused(case: Case, name: str | None, own: bool) -> Truth:
    """Return whether a layer under this policy stops; without `own`, the name may mean a mixed policy too."""
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
    """Return whether the orthogonal initializer draws the recurrent weights."""
    return judge_argument(case, "recurrent_initializer", _is_orthogonal).truth


def _is_orthogonal(value: object) -> Truth:
    if isinstance(value, dict):
        value = value.get("class_name")
    if isinstance(value, Ref):
        value = value.name.rpartition(".")[2]
    return Truth.of(value.lower().startswith("orthogonal")) if isinstance(value, str) else Truth.UNKNOWN


def otherwise(case: Case) -> str | None:
    """Name the release whose operation takes bfloat16, where that is the dtype and TensorFlow runs the layer."""
    names = {policy_name(value) for value in values(policy(case)[0])}
    bfloat = names == {"mixed_bfloat16"} and case.point.backend == "tensorflow"
    return "Upgrade to TensorFlow 2.13 or later, whose cuDNN operation takes bfloat16." if bfloat else None


def fix(case: Case) -> Intent | None:
    """Set the dtype to float32."""
    return Intent((SetArgument("dtype", "float32"),), Effect.CHANGES_NUMBERS, 'set dtype="float32" on the layer')
