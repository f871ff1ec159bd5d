"""A stateful layer has a dtype other than floatx, and this release keeps its state in floatx.

## What it does
Finds recurrent layers with `stateful=True` whose dtype is not that of `keras.backend.floatx()`, in Keras before 2.14.

## Why it matters
These releases make the state of a stateful layer in floatx (float32, unless it is set), whatever the layer's dtype is.
The layer stops with an error about the two dtypes when it is called, on every machine.

## Bad
```python target=keras@2.8.0
import tensorflow as tf

inputs = tf.keras.Input((10, 4), batch_size=8)
outputs = tf.keras.layers.LSTM(64, stateful=True, dtype="float64")(inputs)
```

## Good
```python target=keras@2.8.0
import tensorflow as tf

tf.keras.backend.set_floatx("float64")
inputs = tf.keras.Input((10, 4), batch_size=8)
outputs = tf.keras.layers.LSTM(64, stateful=True)(inputs)
```

## Fix safety
There is no automatic fix: another dtype changes the numbers, and floatx changes every layer of the program.

## References
- `keras/layers/rnn/base_rnn.py:RNN.reset_states` of 2.13.1 (`backend.variable` without a dtype) and of 2.14.0 (with it)
"""

from __future__ import annotations

from cudnnlint.core.execution_context import floatx, policy, policy_name
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.rule import Case, Finding, judge_argument, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN219"
NEEDED = "one dtype for state and weights"
SAYS = "the layer is stateful and has the dtype {found}, and this release makes its state in floatx"
ADVICE = "Set the dtype for all layers with keras.backend.set_floatx, leave it out, or upgrade to Keras 2.14 or later."


def find(case: Case) -> Finding:
    """Return YES for a stateful layer whose weights are not in floatx."""
    stateful = judge_argument(case, "stateful", bool).truth
    fact, _ = policy(case)
    state = floatx(case)
    finding = judge_fact(fact, lambda value: _differs(policy_name(value), state))
    return replace(finding, truth=finding.truth & stateful)


def _differs(name: str | None, state: str | None) -> Truth:
    """Return whether the weights of a layer under a policy are in another dtype than the state."""
    if name is None or state is None:
        return Truth.UNKNOWN
    return Truth.of(("float32" if name.startswith("mixed_") else name) != state)
