"""A GRU with return_state=True returns its state in the wrong shape on the kernel path.

## What it does
Finds a GRU with `return_state=True`, in releases whose kernel path returns the state without the list around it.

## Why it matters
Up to Keras 3.11.2, the kernel path of the GRU returns the state itself where Keras expects a list of states. In graph
mode, which fit and predict use, Keras then stops with an error. In eager calls the layer returns one output for each
sample of the batch. Both happen on a GPU only. The LSTM is not affected.

## Bad
```python target=keras@3.11.2:tensorflow
import keras

inputs = keras.Input((10, 4))
sequence, state = keras.layers.GRU(64, return_state=True)(inputs)
```

## Good
```python target=keras@3.11.3:tensorflow
import keras

inputs = keras.Input((10, 4))
sequence, state = keras.layers.GRU(64, return_state=True)(inputs)
```

## Fix safety
Upgrade to Keras 3.11.3 or later. In older releases no fix keeps the kernel: with `use_cudnn=False` the layer runs in a
loop and its results are right.

## References
- `keras/src/backend/tensorflow/rnn.py:_cudnn_gru`
- keras issue 20173
"""

from __future__ import annotations

from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_argument

CODE = "CDN602"
NEEDED = "return_state=False"
SAYS = "return_state is {found}, and on the kernel path this release returns a GRU's state in the wrong shape"
ADVICE = "Upgrade to Keras 3.11.3 or later, or set use_cudnn=False on the layer."


def find(case: Case) -> Finding:
    """Return YES for a GRU that returns its state."""
    return judge_argument(case, "return_state", bool) if case.operation == "GRU" else ABSENT_FAULT
