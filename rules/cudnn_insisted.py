"""The layer insists on cuDNN, which it cannot have.

## What it does
Finds `use_cudnn=True` on a layer that the target does not take to cuDNN. The reason stands beside it, under its own
code.

## Why it matters
`"auto"` would fall back. True makes the layer stop when it is called, also on a machine without a GPU. The message of
Keras does not say which condition failed.

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
Leaving `use_cudnn` out changes an error into the loop.

## References
- `keras/src/layers/rnn/lstm.py:LSTM.inner_loop` (`self.use_cudnn is True`)
"""

from __future__ import annotations

from cudnnlint.core.edit import DropArgument, Effect, Intent
from cudnnlint.core.rule import Case, Finding, judge_argument

CODE = "CDN202"
NEEDED = 'use_cudnn="auto"'
SAYS = "use_cudnn is {found}, but this layer cannot run in cuDNN"
ADVICE = "Mend the fault that stands beside this one, or leave use_cudnn out: the layer then falls back."


def find(case: Case) -> Finding:
    """YES where `use_cudnn` is True itself; 1 passes the check of the constructor and never raises."""
    return judge_argument(case, "use_cudnn", lambda value: value is True)


def mend(case: Case) -> Intent | None:
    """Leave it out."""
    return Intent(
        (DropArgument("use_cudnn"),), Effect.SAME_NUMBERS, "leave use_cudnn out, so that the layer may fall back"
    )
