"""A GRU applies its reset gate before the matrix product.

## What it does
Finds a GRU with `reset_after=False`.

## Why it matters
The cuDNN GRU applies the reset gate after the matrix product. `reset_after=False` was the default of TensorFlow 1 and
of Keras up to 2.2: code and files from that time carry it on.

## Bad
```python
import keras

layer = keras.layers.GRU(64, reset_after=False)
```

## Fixed
```python
import keras

layer = keras.layers.GRU(64)
```

## Good
```python
import keras

layer = keras.layers.GRU(64, reset_after=True)
```

## Fix safety
The two kinds of GRU have biases of different shapes: no weights can be carried over, the model has to be trained again.

## References
- `keras/src/layers/rnn/gru.py:GRU.inner_loop`
- `tf_keras/src/layers/rnn/gru.py:GRU.__init__`
"""

from __future__ import annotations

from cudnnlint.core.edit import DropArgument, Effect, Intent
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_argument

CODE = "CDN107"
NEEDED = "reset_after=True"
SAYS = "reset_after is {found}; the cuDNN GRU applies the reset gate after the matrix product"
ADVICE = "Leave reset_after out. The bias has another shape then, and the model has to be trained again."


def find(case: Case) -> Finding:
    """YES where `reset_after` counts as false; only a GRU has it."""
    if case.operation != "GRU":
        return ABSENT_FAULT
    return judge_argument(case, "reset_after", lambda value: not value)


def mend(case: Case) -> Intent | None:
    """Leave it out: True is the default."""
    return Intent((DropArgument("reset_after"),), Effect.NEEDS_NEW_WEIGHTS, "leave reset_after out, so that it is True")
