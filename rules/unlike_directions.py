"""The two directions of a Bidirectional cannot share one kernel call.

## What it does
Finds Bidirectional layers whose two directions Keras hands to cuDNN one after the other, where the backend could take
both at once.

## Why it matters
From Keras 3.15 on, torch and JAX compute both directions of an LSTM (on torch of a GRU too) in one call. Keras hands
them over together only if they are alike: the same class, units and activations, no dropout, not stateful.

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
There is no fix: what keeps the directions apart is part of the model. Dropout can stand in front of the Bidirectional.

## References
- `keras/src/layers/rnn/bidirectional.py:_can_attempt_fused_lstm`, `_can_attempt_fused_gru`
"""

from __future__ import annotations

from cudnnlint.core.directions import apart
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding

CODE = "CDN301"
NEEDED = "two directions that are alike"
SAYS = "{found}; the two directions take two kernel calls instead of one"
ADVICE = "Make the directions alike; input dropout can stand in front as a Dropout layer."


def find(case: Case) -> Finding:
    """YES where the target can serve both directions at once, but not these two."""
    return apart(case) if case.fuses else ABSENT_FAULT
