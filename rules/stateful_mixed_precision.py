"""A stateful layer under mixed precision, whose state has another dtype in this release.

## What it does
Finds recurrent layers with `stateful=True` under a mixed dtype policy, in TensorFlow 2.1 to 2.6, and in Keras 3 before
3.8 on TensorFlow.

## Why it matters
These releases make the state in float32, and the layer computes in float16. It stops when it is called, on every
machine: with "Input 'b' of 'MatMul' Op has type float16 that does not match type float32", in Keras 3 with
"initial_value: Tensor conversion requested dtype float32 for Tensor with dtype float16".

## Bad
```python target=tensorflow@2.5.0
import tensorflow as tf

inputs = tf.keras.Input((10, 4), batch_size=8)
outputs = tf.keras.layers.LSTM(64, stateful=True, dtype="mixed_float16")(inputs)
```

## Good
```python target=keras@2.7.0
import tensorflow as tf

inputs = tf.keras.Input((10, 4), batch_size=8)
outputs = tf.keras.layers.LSTM(64, stateful=True, dtype="mixed_float16")(inputs)
```

## Fix safety
There is no automatic fix. Upgrade to TensorFlow 2.7 or later, in Keras 3 to Keras 3.8 or later, or set
`dtype="float32"` on the layer.

## References
- `tensorflow/python/keras/layers/recurrent.py:RNN.reset_states`; keras issues 14047, 15140 and 20605
- `keras/src/layers/rnn/rnn.py:RNN._create_state_variables`
"""

from __future__ import annotations

from cudnnlint.core.execution_context import policy, policy_name
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.rule import Case, Finding, judge_argument, judge_fact

CODE = "CDN218"
NEEDED = "one dtype for state and computation"
SAYS = "the layer is stateful under {found}, and this release makes its state in float32"
ADVICE = 'Upgrade to TensorFlow 2.7 or later, or set dtype="float32" on this layer.'
IN_KERAS_3 = 'Upgrade to Keras 3.8 or later, or set dtype="float32" on this layer.'


def find(case: Case) -> Finding:
    """Return YES for a stateful layer under a mixed policy."""
    stateful = judge_argument(case, "stateful", bool).truth
    fact, _ = policy(case)
    finding = judge_fact(fact, lambda value: (policy_name(value) or "").startswith("mixed_"))
    return replace(finding, truth=finding.truth & stateful)


def advise(case: Case) -> str | None:
    """Name the release of Keras 3 that cures it, where Keras 3 is the target."""
    return IN_KERAS_3 if case.point.keras_3 else None
