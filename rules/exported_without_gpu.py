"""The saved program was traced where no GPU was visible, and holds the loop.

## What it does
Finds recurrent layers in a SavedModel whose graph holds a loop, and neither the cuDNN operation nor Keras 2's pair of
functions.

## Why it matters
Keras 3 on TensorFlow chooses the kernel while a model is traced. A model that was exported on a machine without a GPU
loops for ever, wherever it is served.

## Good
```python
import keras

model = keras.Sequential([keras.Input((10, 4)), keras.layers.LSTM(64)])
```

## Fix safety
There is no fix in the file: export the model again where a GPU is visible. Such an export runs on GPUs only.

## References
- `keras/src/backend/tensorflow/rnn.py:_is_gpu_available`
"""

from __future__ import annotations

from dataclasses import replace

from cudnnlint.core.rule import Case, Finding, judge_fact

CODE = "CDN403"
NEEDED = "an export made where a GPU is visible"
SAYS = "the saved graph holds the {found}; it was traced where no GPU was visible, or the layer did not fit the kernel"
ADVICE = "Export the model again where a GPU is visible, if it is served on GPUs."


def find(case: Case) -> Finding:
    """YES where the saved graph holds the loop."""
    return replace(judge_fact(case.around("exported"), lambda how: how == "loop"), found="loop")
