"""The layer requires cuDNN, but it cannot run in cuDNN.

## What it does
Finds `use_cudnn=True` on a layer that cannot run in cuDNN on this target. The reason is reported separately, under its
own code.

## Why it matters
With `"auto"` the layer would fall back. With True it stops when it is called, even on a machine without a GPU. The
error message of Keras does not say which condition failed.

## Bad
```python also=CDN103
import keras

layer = keras.layers.LSTM(64, use_cudnn=True, recurrent_dropout=0.2)
```

## Fixed
```python
import keras

layer = keras.layers.LSTM(64, recurrent_dropout=0.2)
```

## Good
```python
import keras

layer = keras.layers.LSTM(64, use_cudnn=True)
```

## Fix safety
Without `use_cudnn` the layer no longer stops with an error; it runs in a loop.

## References
- `keras/src/layers/rnn/lstm.py:LSTM.inner_loop` (`self.use_cudnn is True`)
"""

from __future__ import annotations

from cudnnlint.core.edit import DropArgument, Effect, Intent
from cudnnlint.core.rule import Case, Finding, judge_argument

CODE = "CDN202"
NEEDED = 'use_cudnn="auto"'
SAYS = "use_cudnn is {found}, but this layer cannot run in cuDNN"
ADVICE = "Fix the other finding for this layer, which says why, or remove use_cudnn so that the layer falls back."


def find(case: Case) -> Finding:
    """Return YES where `use_cudnn` is True itself; 1 passes the check of the constructor and never raises."""
    return judge_argument(case, "use_cudnn", lambda value: value is True)


def fix(case: Case) -> Intent | None:
    """Remove the argument."""
    return Intent(
        (DropArgument("use_cudnn"),), Effect.SAME_NUMBERS, "remove use_cudnn, so that the layer can fall back"
    )
