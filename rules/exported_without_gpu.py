"""The saved graph holds the loop: no GPU was visible, or the layer could not use cuDNN.

## What it does
Finds recurrent layers in a SavedModel whose graph contains a loop, and neither the cuDNN operation nor the pair of
functions (one for GPU, one for CPU) that Keras 2 saves.

## Why it matters
Keras 3 on TensorFlow chooses the kernel while a model is traced. A model that was exported on a machine without a GPU
always runs in a loop, wherever it is served. Keras 2 saves both ways, even on a machine without a GPU: where its graph
has the loop alone, the layer could not use cuDNN.

## Good
```python
import keras

model = keras.Sequential([keras.Input((10, 4)), keras.layers.LSTM(64)])
```

## Fix safety
The file cannot be fixed. With Keras 3, export the model again where a GPU is visible; such an export runs on GPUs only.
With Keras 2, check the code that builds the model: an argument of the layer, or disabled eager execution, rules cuDNN
out.

## References
- `keras/src/backend/tensorflow/rnn.py:_is_gpu_available`
"""

from __future__ import annotations

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.rule import Case, Finding, judge_fact

CODE = "CDN403"
NEEDED = "a graph that contains the kernel"
SAYS = "the saved graph has a {found}: {detail}"
ADVICE = "If the model is served on GPUs, export it again on a machine where a GPU is visible."
IN_KERAS_2 = (
    "Run cudnnlint on the code that builds the model: an argument of the layer, or disabled eager execution, rules "
    "cuDNN out. Exporting on another machine does not help."
)


def find(case: Case) -> Finding:
    """Return YES where the saved graph holds the loop."""
    detail = "no GPU was visible when it was traced, or the layer could not use cuDNN"
    if not case.point.keras_3:
        detail = "the layer could not use cuDNN where it was made (Keras 2 saves the kernel even without a GPU)"
    return replace(judge_fact(case.context("exported"), lambda how: how == "loop"), found="loop", detail=detail)


def advise(case: Case) -> str | None:
    """Name the code as the place to look at, where an export from Keras 2 has the loop."""
    return None if case.point.keras_3 else IN_KERAS_2
