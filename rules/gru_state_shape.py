"""A GRU that returns its state gives it in the wrong shape on the kernel path.

## What it does
Finds a GRU with `return_state=True`, in releases whose kernel path hands the state back bare.

## Why it matters
Up to Keras 3.11.2 the GRU's kernel path returns the state where a list of states is expected. Inside a graph, which is
what fit and predict build, Keras then stops; in eager calls the layer returns one output for each sample of the batch.
Both happen on a GPU only. The LSTM is right.

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
There is no fix that keeps the kernel: move to Keras 3.11.3 or later. With `use_cudnn=False` the layer loops and is
right.

## References
- `keras/src/backend/tensorflow/rnn.py:_cudnn_gru`
- keras issue 20173
"""

from __future__ import annotations

from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_argument

CODE = "CDN602"
NEEDED = "return_state=False"
SAYS = "return_state is {found}, and the kernel path of this release hands a GRU's state back in the wrong shape"
ADVICE = "Move to Keras 3.11.3 or later, or give the layer use_cudnn=False."


def find(case: Case) -> Finding:
    """YES for a GRU that returns its state."""
    return judge_argument(case, "return_state", bool) if case.operation == "GRU" else ABSENT_FAULT
