"""implementation=1 together with dropout stops the training.

## What it does
Finds an LSTM or GRU with `implementation=1` and `dropout` above 0, without `recurrent_dropout`.

## Why it matters
From Keras 3.8 on the cell makes, with `implementation=1`, a list of dropout masks, one for each gate; the way to the
kernel expects one mask and stops with a shape error. It happens in training (in 3.8 at inference too), on every
machine, and also where the layer would have looped in the end. With `recurrent_dropout`, or with `use_cudnn=False`,
that way is not taken.

## Bad
```python
import keras

layer = keras.layers.LSTM(64, implementation=1, dropout=0.2)
```

## Fixed
```python
import keras

layer = keras.layers.LSTM(64, dropout=0.2)
```

## Good
```python
import keras

layer = keras.layers.LSTM(64, implementation=2, dropout=0.2)
```

## Fix safety
`implementation` chooses how the loop multiplies its matrices; the numbers stay the same up to rounding.

## References
- `keras/src/layers/rnn/lstm.py:LSTM.inner_loop` (`ops.expand_dims(dp_mask, axis=1)`)
- `keras/src/layers/rnn/dropout_rnn_cell.py:_create_dropout_mask`
"""

from __future__ import annotations

from cudnnlint.core.edit import DropArgument, Effect, Intent
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_argument
from cudnnlint.core.truth import Truth

CODE = "CDN212"
NEEDED = "implementation=2, or no dropout"
SAYS = "implementation is 1 and {found}; training stops with an error of shapes"
ADVICE = "Leave implementation out: the numbers stay the same up to rounding."


def find(case: Case) -> Finding:
    """YES where both hold and the way to the kernel is tried."""
    one = judge_argument(case, "implementation", lambda value: value == 1)
    rate = judge_argument(case, "dropout", lambda value: isinstance(value, (int, float)) and value > 0)
    tried = judge_argument(case, "recurrent_dropout", lambda value: value == 0)
    allowed = judge_argument(case, "use_cudnn", lambda value: value in ("auto", True))
    truth = one.truth & rate.truth & tried.truth & allowed.truth
    if truth is Truth.NO:
        return ABSENT_FAULT
    because = one.because or rate.because or tried.because or allowed.because
    if truth is Truth.YES and (case.layer.via or case.layer.uncalled):  # perhaps in a model of one's own
        truth, because = Truth.UNKNOWN, "only training stops, and whether the code round the layer hands it on is open"
    return Finding(truth, f"dropout is {rate.found}", one.place, one.origin, because=because)


def mend(case: Case) -> Intent | None:
    """Leave `implementation` out."""
    return Intent((DropArgument("implementation"),), Effect.SAME_NUMBERS, "leave implementation out")
