"""A stateful layer cannot be trained on torch: its state is overwritten too early.

## What it does
Finds an LSTM or GRU with `stateful=True` on torch, in releases that hand the layer's state itself to the kernel.

## Why it matters
Keras 3.15 computes from the state variable itself, and writes the new state into it before torch computes the
gradients. `fit` and `train_on_batch` stop with "one of the variables needed for gradient computation has been modified
by an inplace operation", on a CPU too. `predict` and `evaluate` run, and so does the loop of `use_cudnn=False`, which
copies the state.

## Bad
```python target=keras@3.15.1:torch
import keras

inputs = keras.Input(batch_shape=(8, 10, 4))
outputs = keras.layers.LSTM(64, stateful=True)(inputs)
```

## Good
```python target=keras@3.15.1:torch
import keras

inputs = keras.Input(batch_shape=(8, 10, 4))
outputs = keras.layers.LSTM(64, stateful=True, use_cudnn=False)(inputs)
```

## Fix safety
There is no automatic fix: `use_cudnn=False` trains, but in a loop, and a model that only predicts needs no change.

## References
- `keras/src/backend/torch/core.py:Variable._direct_assign` (copies in place)
- `keras/src/layers/rnn/rnn.py:RNN.call` (takes the states as they are, and assigns the new ones)
"""

from __future__ import annotations

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.rule import Case, Finding, judge_argument, judge_fact

CODE = "CDN607"
NEEDED = "stateful=False"
SAYS = "stateful is {found}, and on torch this release cannot train such a layer: fit() stops, predict() runs"
ADVICE = "Set use_cudnn=False to train the layer, in a loop. A model that only predicts can stay as it is."


def find(case: Case) -> Finding:
    """Return YES for a stateful layer with weights to train, which starts from its own state."""
    stateful = judge_argument(case, "stateful", bool)
    frozen = judge_argument(case, "trainable", lambda trainable: not trainable)
    given = judge_fact(case.context("initial_state"), bool)
    return replace(stateful, truth=stateful.truth & ~frozen.truth & ~given.truth)
