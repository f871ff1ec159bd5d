"""The activation of an LSTM or GRU is not tanh.

## What it does
Finds an LSTM or GRU whose `activation` is not Keras's own tanh.

## Why it matters
The cuDNN kernel can only compute tanh. Keras checks for its own tanh function by identity. A lambda that returns
`tf.tanh(x)`, an `Activation("tanh")` layer or `keras.backend.tanh` computes the same numbers, but Keras does not
recognize it and runs the layer without the kernel.

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
Removing the argument changes what the model computes, so the model has to be retrained. If the function is tanh under
another name, the numbers stay the same and the fix is safe.

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
SAYS = 'activation is {found}, but cuDNN needs activation="tanh"'
ADVICE = (
    "Remove activation; the default is tanh. The model then computes different numbers and has to be retrained, "
    "unless the function is tanh under another name."
)
MAY_STAY = True


def find(case: Case) -> Finding:
    """Return YES where the settled activation is not tanh."""
    return judge_argument(case, "activation", lambda value: value != "tanh")


def fix(case: Case) -> Intent | None:
    """Remove the argument: tanh is the default."""
    if all(isinstance(value, Opaque) and value.like == "tanh" for value in values(case.argument("activation"))):
        return Intent((DropArgument("activation"),), Effect.SAME_NUMBERS, "remove activation; the default is tanh too")
    return Intent((DropArgument("activation"),), Effect.NEEDS_NEW_WEIGHTS, "remove activation; the default is tanh")
