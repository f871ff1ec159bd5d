"""A program exported where a GPU is visible holds the cuDNN operation, and no CPU can run it.

## What it does
Finds SavedModels that hold the cuDNN operation itself, and source that exports a layer which goes to cuDNN.

## Why it matters
Keras 3 on TensorFlow chooses the kernel while a model is traced. `model.export`, `tf.saved_model.save` and the TFLite
converter keep that choice: what was exported on a machine with a GPU stops on one without, with "No OpKernel was
registered". Keras 2 stores both functions and is safe; so are `.keras` and `.h5` files, which are traced anew.

## Bad
```python
import keras

model = keras.Sequential([keras.Input((10, 4)), keras.layers.LSTM(64)])
model.export("served")
```

## Good
```python
import keras

model = keras.Sequential([keras.Input((10, 4)), keras.layers.LSTM(64)])
model.save("model.keras")
```

## Fix safety
There is no fix in the layer. To serve on CPUs, export with the GPU hidden (`CUDA_VISIBLE_DEVICES` empty), or give the
layer `use_cudnn=False` in the model that is exported; to serve on GPUs, leave it as it is.

## References
- keras issue 18504, tensorflow issue 77442
- `keras/src/backend/tensorflow/rnn.py:_is_gpu_available`
"""

from __future__ import annotations

from cudnnlint.core.execution_context import export
from cudnnlint.core.fact import place_of
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_argument, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN207"
NEEDED = "an export that runs on any machine"
SAYS = "{found}: traced where a GPU is visible, the program holds the cuDNN operation, which no CPU can run"
ADVICE = "For CPUs, export with the GPU hidden, or with use_cudnn=False on this layer; on GPUs it runs as it is."


def find(case: Case) -> Finding:
    """YES where the saved graph holds the operation, or source exports a layer that is not kept from it."""
    baked = judge_fact(case.around("exported"), lambda how: how == "op")
    if baked.truth is Truth.YES:
        return Finding(Truth.YES, "the graph names the operation itself", baked.place, "written")
    call = export(case)
    if call is None or judge_argument(case, "use_cudnn", lambda value: value in (False,)).truth is Truth.YES:
        return ABSENT_FAULT
    return Finding(Truth.YES, f"`{call}`", place_of(case.around("saved")), "written")
