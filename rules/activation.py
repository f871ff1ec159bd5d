"""The activation of an LSTM or GRU is not tanh.

## What it does
Finds an LSTM or GRU whose `activation` is anything but Keras's own tanh.

## Why it matters
The cuDNN kernel computes tanh and nothing else. Keras compares the function itself: a lambda that returns
`tf.tanh(x)`, an `Activation("tanh")` layer or `keras.backend.tanh` compute the same numbers and still lose the kernel.

## Bad
```python
import keras

layer = keras.layers.LSTM(64, activation="relu")
```

## Fixed
```python
import keras

layer = keras.layers.LSTM(64)
```

## Good
```python
import keras

layer = keras.layers.LSTM(64, activation=keras.activations.tanh)
```

## Fix safety
Leaving the argument out changes the function that the model computes: it has to be trained again. Where the written
function is tanh by another name, the numbers stay the same and the fix is safe.

## References
- `keras/src/backend/tensorflow/rnn.py:cudnn_ok`
- `tf_keras/src/layers/rnn/lstm.py:LSTM.__init__`
"""

from __future__ import annotations

from cudnnlint.core.edit import DropArgument, Effect, Intent
from cudnnlint.core.fact import Opaque, values
from cudnnlint.core.rule import Case, Finding, judge_argument

CODE = "CDN101"
NEEDED = 'activation="tanh"'
SAYS = "activation is {found}; the cuDNN kernel computes tanh and nothing else"
ADVICE = (
    "Leave activation out. The model then computes other numbers and has to be trained again, "
    "unless the function is tanh by another name."
)


def find(case: Case) -> Finding:
    """YES where the settled activation is not tanh."""
    return judge_argument(case, "activation", lambda value: value != "tanh")


def mend(case: Case) -> Intent | None:
    """Leave it out: tanh is the default."""
    if all(isinstance(value, Opaque) and value.like == "tanh" for value in values(case.argument("activation"))):
        return Intent(
            (DropArgument("activation"),), Effect.SAME_NUMBERS, "leave activation out; the default is tanh too"
        )
    return Intent((DropArgument("activation"),), Effect.NEEDS_NEW_WEIGHTS, "leave activation out, so that it is tanh")
