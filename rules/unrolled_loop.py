"""The layer is unrolled: Keras builds its steps one by one.

## What it does
Finds an LSTM or GRU with `unroll=True`.

## Why it matters
Keras puts each step of an unrolled layer into the graph separately and never uses cuDNN for it. Unrolling can speed up
short sequences on a CPU. On a GPU it is slower than cuDNN, and the graph grows with the length of the sequence.

## Bad
```python
import keras

layer = keras.layers.LSTM(64, unroll=True)
```

## Fixed
```python
import keras

layer = keras.layers.LSTM(64)
```

## Good
```python
import keras

layer = keras.layers.LSTM(64, unroll=False)
```

## Fix safety
The numbers stay the same; in Keras 3 also with dropout. With dropout, Keras 2 draws other random numbers in training,
so the fix is unsafe there.

## References
- `keras/src/backend/tensorflow/rnn.py:cudnn_ok`
- `tf_keras/src/layers/rnn/lstm.py:LSTM.__init__`
"""

from __future__ import annotations

from cudnnlint.core.edit import DropArgument, Effect, Intent
from cudnnlint.core.execution_context import may_be_padded
from cudnnlint.core.fact import Assumed, Known, alternatives
from cudnnlint.core.rule import Case, Finding, judge_argument

CODE = "CDN105"
NEEDED = "unroll=False"
SAYS = "unroll is {found}, and Keras never uses cuDNN for an unrolled layer"
ADVICE = "Remove unroll. The numbers stay the same; with dropout, training may draw other random numbers."


def find(case: Case) -> Finding:
    """Return YES where `unroll` counts as true."""
    return judge_argument(case, "unroll", bool)


def fix(case: Case) -> Intent | None:
    """Remove the argument, unless a mask may arrive that the kernel would refuse."""
    if may_be_padded(case):
        return None
    same_draws = case.point.keras_3 and case.operation in ("LSTM", "GRU")
    draws = not same_draws and any(
        not isinstance(fact, (Known, Assumed)) or fact.value != 0
        for name in ("dropout", "recurrent_dropout")
        for fact in alternatives(case.argument(name))
    )
    effect = Effect.SAME_AT_INFERENCE if draws else Effect.SAME_NUMBERS
    return Intent((DropArgument("unroll"),), effect, "remove unroll")
