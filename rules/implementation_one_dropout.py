"""implementation=1 together with dropout stops training with an error.

## What it does
Finds an LSTM or GRU with `implementation=1` and `dropout` above 0, without `recurrent_dropout`.

## Why it matters
From Keras 3.8 on, a cell with `implementation=1` makes a list of dropout masks, one for each gate. The code that
prepares the kernel call expects one mask and stops with a shape error. This happens in training (in 3.8 at inference
too), on every machine, even where the layer would have run in a loop in the end. With `recurrent_dropout` or
`use_cudnn=False`, that code does not run.

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
SAYS = "implementation is 1 and {found}; with both, training stops with a shape error"
ADVICE = "Remove implementation. The numbers stay the same up to rounding."


def find(case: Case) -> Finding:
    """Return YES where both hold and Keras tries the kernel path."""
    one = judge_argument(case, "implementation", lambda value: value == 1)
    rate = judge_argument(case, "dropout", lambda value: isinstance(value, (int, float)) and value > 0)
    tried = judge_argument(case, "recurrent_dropout", lambda value: value == 0)
    allowed = judge_argument(case, "use_cudnn", lambda value: value in ("auto", True))
    truth = one.truth & rate.truth & tried.truth & allowed.truth
    if truth is Truth.NO:
        return ABSENT_FAULT
    because = one.because or rate.because or tried.because or allowed.because
    if truth is Truth.YES and (case.layer.via or case.layer.uncalled):  # perhaps in a user's own model
        because = "only training stops, and it is not known whether the code that calls the layer passes training on"
        truth = Truth.UNKNOWN
    return Finding(truth, f"dropout is {rate.found}", one.place, one.origin, because=because)


def fix(case: Case) -> Intent | None:
    """Remove `implementation`."""
    return Intent((DropArgument("implementation"),), Effect.SAME_NUMBERS, "remove implementation")
