"""The recurrent activation of an LSTM or GRU is not sigmoid.

## What it does
Finds an LSTM or GRU whose gates use anything but Keras's own sigmoid.

## Why it matters
The gates of the cuDNN kernel are sigmoids. The usual other value is `hard_sigmoid`, the default of the layers of
TensorFlow 1 and of Keras up to 2.2: code and files from that time carry it on.

## Bad
```python
import keras

layer = keras.layers.GRU(64, recurrent_activation="hard_sigmoid")
```

```json
{"class_name": "Sequential", "config": {"name": "old", "layers": [
  {"class_name": "InputLayer", "config": {"name": "x", "batch_shape": [null, 10, 4]}},
  {"class_name": "LSTM", "config": {"name": "lstm", "units": 64, "recurrent_activation": "hard_sigmoid"}}]}}
```

## Fixed
```python
import keras

layer = keras.layers.GRU(64)
```

## Good
```python
import keras

layer = keras.layers.GRU(64, recurrent_activation="sigmoid")
```

## Fix safety
Sigmoid and hard sigmoid are different functions: the model has to be trained again. Where the written function is
sigmoid by another name, the numbers stay the same and the fix is safe.

## References
- `keras/src/backend/tensorflow/rnn.py:cudnn_ok`
- `tf_keras/src/layers/rnn/lstm_v1.py` (the old default)
"""

from __future__ import annotations

from cudnnlint.core.edit import DropArgument, Effect, Intent
from cudnnlint.core.fact import Opaque, values
from cudnnlint.core.rule import Case, Finding, judge_argument

CODE = "CDN102"
NEEDED = 'recurrent_activation="sigmoid"'
SAYS = "recurrent_activation is {found}; the gates of the cuDNN kernel are sigmoids"
ADVICE = (
    "Leave recurrent_activation out. The model then computes other numbers and has to be trained again, "
    "unless the function is sigmoid by another name."
)


def find(case: Case) -> Finding:
    """YES where the settled recurrent activation is not sigmoid."""
    return judge_argument(case, "recurrent_activation", lambda value: value != "sigmoid")


def mend(case: Case) -> Intent | None:
    """Leave it out: sigmoid is the default."""
    step = DropArgument("recurrent_activation")
    written = values(case.argument("recurrent_activation"))
    if all(isinstance(value, Opaque) and value.like == "sigmoid" for value in written):
        return Intent((step,), Effect.SAME_NUMBERS, "leave recurrent_activation out; the default is sigmoid too")
    return Intent((step,), Effect.NEEDS_NEW_WEIGHTS, "leave recurrent_activation out, so that it is sigmoid")
