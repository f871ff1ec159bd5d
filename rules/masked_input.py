"""A mask reaches the layer, but this target's kernel does not support masks.

## What it does
Finds layers that get a mask (from Embedding(mask_zero=True), Masking or the caller) where the kernel supports no mask.

## Why it matters
On torch and JAX, and in Keras 3.0 and 3.1 on TensorFlow, the layer runs in a loop with any mask, however the sequences
are padded. CuDNNLSTM and CuDNNGRU raise an error instead.

## Bad
```python target=keras@3.15.1:torch
import keras

model = keras.Sequential([
    keras.Input((None,), dtype="int32"),
    keras.layers.Embedding(1000, 32, mask_zero=True),
    keras.layers.LSTM(64),
])
```

## Good
```python target=keras@3.15.1:torch
import keras

model = keras.Sequential([
    keras.Input((None,), dtype="int32"),
    keras.layers.Embedding(1000, 32),
    keras.layers.LSTM(64),
])
```

## Fix safety
There is no automatic fix: without the mask the layer also reads the padding, which is another model.

## References
- `keras/src/backend/torch/rnn.py:lstm`
- `keras/src/backend/jax/rnn.py:lstm`
- `tf_keras/src/layers/rnn/base_cudnn_rnn.py:_CuDNNRNN.call`
"""

from __future__ import annotations

from cudnnlint.core.execution_context import padding
from cudnnlint.core.rule import Case, Finding, judge_fact

CODE = "CDN109"
NEEDED = "no mask"
SAYS = "the layer gets {found}, but this target's kernel does not support masks"
ADVICE = (
    "Group sequences of equal length into batches and drop the mask, or use the TensorFlow backend with Keras 3.2 or "
    "later, which supports right padding."
)
MAY_STAY = True


def find(case: Case) -> Finding:
    """Return YES where a mask arrives, however it is padded."""
    return judge_fact(padding(case), lambda mask: mask != "none")


def advise(case: Case) -> str | None:
    """Name the release for those who are on TensorFlow already."""
    if case.point.backend != "tensorflow" or case.operation not in ("LSTM", "GRU"):
        return None
    return "Upgrade to Keras 3.2 or later, which runs a right-padded mask in cuDNN, or drop the mask."
