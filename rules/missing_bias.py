"""The layer has no bias, which the cuDNN kernel needs.

## What it does
Finds an LSTM or GRU with `use_bias=False`.

## Why it matters
The kernel always adds a bias. Keras uses it only for layers that have one; it does not substitute a bias of zeros.

## Bad
```python
import keras

layer = keras.layers.LSTM(64, use_bias=False)
```

## Fixed
```python
import keras

layer = keras.layers.LSTM(64, unit_forget_bias=False)
```

## Good
```python
import keras

layer = keras.layers.LSTM(64, use_bias=True)
```

## Fix safety
A bias of zeros computes the same numbers, so a saved model stays the same at inference. Further training changes the
bias. In source code the layer gets one more weight: old weights do not fit, and the model has to be retrained.

## References
- `keras/src/backend/tensorflow/rnn.py:_do_lstm_arguments_support_cudnn`
- `tf_keras/src/layers/rnn/lstm.py:LSTM.__init__`
"""

from __future__ import annotations

from cudnnlint.core.edit import DropArgument, Effect, Intent, SetArgument, Step
from cudnnlint.core.execution_context import may_be_padded
from cudnnlint.core.rule import Case, Finding, judge_argument

CODE = "CDN106"
NEEDED = "use_bias=True"
SAYS = "use_bias is {found}, but Keras uses cuDNN only for layers with a bias"
ADVICE = "Remove use_bias. A bias that starts at zero computes the same numbers until it is trained."
MAY_STAY = True


def find(case: Case) -> Finding:
    """Return YES where `use_bias` counts as false."""
    return judge_argument(case, "use_bias", lambda value: not value)


def fix(case: Case) -> Intent | None:
    """Give the layer a bias of zeros, unless a mask may arrive that the kernel would refuse."""
    if may_be_padded(case):
        return None
    steps: tuple[Step, ...] = (DropArgument("use_bias"),)
    if case.operation == "LSTM":  # else the forget gate's bias would start at 1
        steps = (*steps, SetArgument("unit_forget_bias", False))
    effect = Effect.SAME_AT_INFERENCE if case.layer.saved else Effect.NEEDS_NEW_WEIGHTS
    return Intent(steps, effect, "give the layer a bias that starts at zero")
