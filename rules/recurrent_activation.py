"""The recurrent activation of an LSTM or GRU is not sigmoid.

## What it does
Finds an LSTM or GRU whose gates do not use Keras's own sigmoid.

## Why it matters
The gates of the cuDNN kernel are sigmoids. The most common other value is `hard_sigmoid`, the default in TensorFlow 1
and in Keras up to 2.2. It still appears in code and files from that time.

## Bad
```python
import keras

layer = keras.layers.GRU(64, recurrent_activation="hard_sigmoid")
```

```json
{"module": "keras", "class_name": "Sequential", "config": {"name": "old", "layers": [
  {"module": "keras.layers", "class_name": "InputLayer", "config": {"name": "x", "batch_shape": [null, 10, 4]}},
  {"module": "keras.layers", "class_name": "LSTM", "config": {
    "name": "lstm", "units": 64, "recurrent_activation": "hard_sigmoid"}}]}}
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
Sigmoid and hard sigmoid are different functions, so the model has to be retrained. If the function is sigmoid under
another name, the numbers stay the same and the fix is safe.

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
SAYS = 'recurrent_activation is {found}, but cuDNN needs recurrent_activation="sigmoid"'
ADVICE = (
    "Remove recurrent_activation; the default is sigmoid. The model then computes different numbers and has to be "
    "retrained, unless the function is sigmoid under another name."
)
MAY_STAY = True


def find(case: Case) -> Finding:
    """Return YES where the settled recurrent activation is not sigmoid."""
    return judge_argument(case, "recurrent_activation", lambda value: value != "sigmoid")


def fix(case: Case) -> Intent | None:
    """Remove the argument: sigmoid is the default."""
    step = DropArgument("recurrent_activation")
    written = values(case.argument("recurrent_activation"))
    if all(isinstance(value, Opaque) and value.like == "sigmoid" for value in written):
        return Intent((step,), Effect.SAME_NUMBERS, "remove recurrent_activation; the default is sigmoid too")
    return Intent((step,), Effect.NEEDS_NEW_WEIGHTS, "remove recurrent_activation; the default is sigmoid")
