"""The layer is stateful, and the model's Input leaves the batch size open.

## What it does
Finds recurrent layers with `stateful=True` behind an Input that has no batch size.

## Why it matters
A stateful layer keeps one state for each row of the batch, so it needs to know how many rows there are. Keras stops
with a ValueError when the layer is called, on every machine.

## Bad
```python
import keras

inputs = keras.Input((10, 4))
model = keras.Model(inputs, keras.layers.LSTM(64, stateful=True)(inputs))
```

## Good
```python
import keras

inputs = keras.Input((10, 4), batch_size=8)
model = keras.Model(inputs, keras.layers.LSTM(64, stateful=True)(inputs))
```

## Fix safety
There is no automatic fix: only you know how many rows a batch has. Every batch, the last one too, must then have that
many rows.

## References
- `keras/src/layers/rnn/rnn.py:RNN.build` ("the batch size must be static")
- `tf_keras/src/layers/rnn/base_rnn.py:RNN.reset_states`
"""

from __future__ import annotations

from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_argument, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN217"
NEEDED = "an Input with a batch size"
SAYS = "the layer has stateful={found}, but its Input leaves the batch size open"
ADVICE = "Give the Input a batch_size, or drop stateful=True."


def find(case: Case) -> Finding:
    """Return YES where the layer is stateful and its Input is seen to have no batch size."""
    batch = judge_fact(case.context("batch"), lambda batch: batch == "open")
    stateful = judge_argument(case, "stateful", bool)
    if Truth.NO in (batch.truth, stateful.truth):
        return ABSENT_FAULT
    return stateful if batch.truth is Truth.YES else batch
