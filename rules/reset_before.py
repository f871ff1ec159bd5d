"""A GRU applies its reset gate before the matrix product.

## What it does
Finds a GRU with `reset_after=False`.

## Why it matters
The cuDNN GRU applies the reset gate after the matrix product. `reset_after=False` was the default in TensorFlow 1 and
in Keras up to 2.2. It still appears in code and files from that time. With `reset_after=True` the layer keeps one bias
for its input and one for its state: an array of the shape (2, 3 * units), otherwise (3 * units,).

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
The two kinds of GRU have biases of different shapes. Weights cannot be carried over, and the model has to be retrained.

## References
- `keras/src/layers/rnn/gru.py:GRU.inner_loop`
- `tf_keras/src/layers/rnn/gru.py:GRU.__init__`
"""

from __future__ import annotations

from cudnnlint.core.edit import DropArgument, Effect, Intent
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_argument

CODE = "CDN107"
NEEDED = "reset_after=True"
SAYS = "reset_after is {found}, but the cuDNN GRU applies the reset gate after the matrix product"
ADVICE = "Remove reset_after; the default is True. The bias then has another shape, and the model has to be retrained."
MAY_STAY = True


def find(case: Case) -> Finding:
    """Return YES where `reset_after` counts as false; only a GRU has it."""
    if case.operation != "GRU":
        return ABSENT_FAULT
    return judge_argument(case, "reset_after", lambda value: not value)


def fix(case: Case) -> Intent | None:
    """Remove the argument: True is the default."""
    return Intent((DropArgument("reset_after"),), Effect.NEEDS_NEW_WEIGHTS, "remove reset_after; the default is True")
