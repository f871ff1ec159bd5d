"""The two directions of a Bidirectional cannot share one kernel call.

## What it does
Finds Bidirectional layers whose two directions run in cuDNN one after the other, where the backend could run both at
once.

## Why it matters
From Keras 3.15 on, torch and JAX compute both directions of an LSTM (on torch also of a GRU) in one call. Keras does
this only if the directions match: the same class, units and activations, no dropout, not stateful.

## Bad
```python target=keras@3.15.1:torch
import keras

layer = keras.layers.Bidirectional(keras.layers.LSTM(64, dropout=0.2))
```

## Good
```python target=keras@3.15.1:torch
import keras

layer = keras.layers.Bidirectional(keras.layers.LSTM(64))
```

## Fix safety
There is no automatic fix: the settings that separate the directions are part of the model. Input dropout can be moved
to a Dropout layer in front of the Bidirectional.

## References
- `keras/src/layers/rnn/bidirectional.py:_can_attempt_fused_lstm`, `_can_attempt_fused_gru`
"""

from __future__ import annotations

from cudnnlint.core.directions import apart
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding

CODE = "CDN301"
NEEDED = "two directions with the same settings"
SAYS = "{found}, so the two directions need two kernel calls instead of one"
ADVICE = "Give both directions the same settings. Input dropout can be moved to a Dropout layer in front."


def find(case: Case) -> Finding:
    """Return YES where the target can run both directions at once, but not these two."""
    return apart(case) if case.fuses else ABSENT_FAULT
