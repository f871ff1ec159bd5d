"""On the kernel path, dropout is applied at inference too.

## What it does
Finds an LSTM or GRU with `dropout` that runs in cuDNN in a release that applies dropout at inference.

## Why it matters
Keras 3.4 to 3.8 drops inputs before it calls the kernel, during training or not. On a GPU, `predict` and `evaluate`
give random results; on a CPU the same model is right.

## Bad
```python target=keras@3.8.0:tensorflow
import keras

layer = keras.layers.LSTM(64, dropout=0.2)
```

## Good
```python target=keras@3.9.0:tensorflow
import keras

layer = keras.layers.LSTM(64, dropout=0.2)
```

## Fix safety
No change to the layer keeps its dropout. Upgrade to Keras 3.9 or later, or put a Dropout layer before it.

## References
- `keras/src/layers/rnn/lstm.py:LSTM.inner_loop` (3.8: `if self.dropout`)
- keras issue 20983
"""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding, judge_argument

CODE = "CDN601"
NEEDED = "dropout=0"
SAYS = "dropout is {found}, and on a GPU this release applies it at inference too, so predictions are random"
ADVICE = "Upgrade to Keras 3.9 or later, or set dropout to 0 and put a Dropout layer before it."


def find(case: Case) -> Finding:
    """Return YES where the rate is above 0."""
    return judge_argument(case, "dropout", lambda rate: isinstance(rate, (int, float)) and rate > 0)
