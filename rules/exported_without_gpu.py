"""The saved graph was traced where no GPU was visible, so it contains the loop.

## What it does
Finds recurrent layers in a SavedModel whose graph contains a loop, and neither the cuDNN operation nor the pair of
functions (one for GPU, one for CPU) that Keras 2 saves.

## Why it matters
Keras 3 on TensorFlow chooses the kernel while a model is traced. A model that was exported on a machine without a GPU
always runs in a loop, wherever it is served.

## Good
```python
import keras

model = keras.Sequential([keras.Input((10, 4)), keras.layers.LSTM(64)])
```

## Fix safety
The file cannot be fixed. Export the model again where a GPU is visible. Such an export runs on GPUs only.

## References
- `keras/src/backend/tensorflow/rnn.py:_is_gpu_available`
"""

from __future__ import annotations

from dataclasses import replace

from cudnnlint.core.rule import Case, Finding, judge_fact

CODE = "CDN403"
NEEDED = "an export made where a GPU is visible"
SAYS = "the saved graph has a {found}: no GPU was visible when it was traced, or the layer could not use cuDNN"
ADVICE = "If the model is served on GPUs, export it again on a machine where a GPU is visible."


def find(case: Case) -> Finding:
    """Return YES where the saved graph holds the loop."""
    return replace(judge_fact(case.context("exported"), lambda how: how == "loop"), found="loop")
