"""The layer has dropout on its recurrent state.

## What it does
Finds an LSTM or GRU whose `recurrent_dropout` is not 0.

## Why it matters
cuDNN has no dropout on the state that is passed from step to step, so Keras runs its loop, even at inference, where
nothing is dropped. Users report that training is 20 times slower or more.

## Bad
```python
import keras

layer = keras.layers.LSTM(64, recurrent_dropout=0.2)
```

```json
{"module": "keras", "class_name": "Sequential", "config": {"name": "m", "layers": [
  {"module": "keras.layers", "class_name": "InputLayer", "config": {"name": "x", "batch_shape": [null, 10, 4]}},
  {"module": "keras.layers", "class_name": "GRU", "config": {"name": "gru", "units": 64, "recurrent_dropout": 0.2}}]}}
```

## Fixed
```python
import keras

layer = keras.layers.LSTM(64)
```

## Good
```python
import keras

layer = keras.layers.LSTM(64, dropout=0.2, recurrent_dropout=0.0)
```

## Fix safety
At inference the numbers stay the same. Training loses regularization, which `dropout` on the inputs replaces in part.

To regularize and keep the kernel: `dropout=` on the inputs stays in cuDNN (in Keras 3 from Keras 3.9 on), as do
`kernel_regularizer`, `recurrent_regularizer` and layers around it. `Dropout(0.3, noise_shape=(None, 1, UNITS))` behind
a layer with `return_sequences=True` drops the same units at all steps, which is the nearest to `recurrent_dropout` that
a kernel allows. Dropout between the steps themselves needs the loop; `CuDNNLSTM` has none either.

## References
- `keras/src/layers/rnn/lstm.py:LSTM.inner_loop`
- `tf_keras/src/layers/rnn/lstm.py:LSTM.__init__`
- tensorflow issue 40944
"""

from __future__ import annotations

from cudnnlint.core.edit import DropArgument, Effect, Intent
from cudnnlint.core.execution_context import may_be_padded
from cudnnlint.core.rule import Case, Finding, judge_argument
from cudnnlint.core.truth import Truth

CODE = "CDN103"
NEEDED = "recurrent_dropout=0"
SAYS = "recurrent_dropout is {found}, but cuDNN does not support dropout on the recurrent state"
ADVICE = (
    "Set recurrent_dropout to 0. To regularize without it, use dropout= on the inputs, a Dropout layer after it, or "
    "recurrent_regularizer=. Inference computes the same numbers; only training changes."
)
MAY_STAY = True


def find(case: Case) -> Finding:
    """Return YES where the rate is not 0."""
    return judge_argument(case, "recurrent_dropout", drops)


def drops(rate: object) -> Truth:
    """Return whether this is a rate other than 0; some releases take a negative one, or NaN, for 0, others do not."""
    if isinstance(rate, (int, float)) and not rate >= 0:
        return Truth.UNKNOWN
    return Truth.of(rate != 0)


def fix(case: Case) -> Intent | None:
    """Remove the argument, unless a mask may arrive that the kernel would refuse."""
    if may_be_padded(case):
        return None
    says = (
        "remove recurrent_dropout. To regularize without it, use dropout= on the inputs, a Dropout layer after it, or "
        "recurrent_regularizer="
    )
    return Intent((DropArgument("recurrent_dropout"),), Effect.SAME_AT_INFERENCE, says)
