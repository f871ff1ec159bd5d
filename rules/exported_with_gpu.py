"""A model exported where a GPU is visible contains the cuDNN operation, which no CPU can run.

## What it does
Finds SavedModels that contain the cuDNN operation itself, and source code that exports a layer that runs in cuDNN.

## Why it matters
Keras 3 on TensorFlow chooses the kernel while a model is traced. `model.export`, `tf.saved_model.save` and the TFLite
converter keep that choice. A model exported on a machine with a GPU stops on a machine without one, with "No OpKernel
was registered". The converters to TFLite and ONNX and SHAP's explainers read that graph and stop at the operation
("Tensorflow op [CudnnRNNV3] is not supported", "custom implementations", "shap_CudnnRNNV3"). Keras 2 stores both
functions and is safe. So are `.keras` and `.h5` files, which are traced again.

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
There is no automatic fix. To serve on CPUs, export with the GPU hidden (`CUDA_VISIBLE_DEVICES` empty), or set
`use_cudnn=False` on the layer in the exported model. To serve on GPUs, change nothing.

## References
- keras issue 18504, tensorflow issue 77442
- `keras/src/backend/tensorflow/rnn.py:_is_gpu_available`
"""

from __future__ import annotations

from cudnnlint.core.execution_context import export, graph_reader
from cudnnlint.core.fact import place_of
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN207"
NEEDED = "a graph without the cuDNN operation"
SAYS = "{found}: {detail}"
ADVICE = (
    "For a file that runs everywhere, hide the GPU while it is made (CUDA_VISIBLE_DEVICES=-1 before Keras is "
    "imported), or load the weights into a copy of the model with use_cudnn=False on this layer. To serve on GPUs "
    "alone, change nothing."
)
BAKED = "an export made where a GPU is visible contains the cuDNN operation, which no CPU can run"
#: What is said of a program that reads the graph.
READERS = {
    "tflite": "where a GPU is visible the graph contains the cuDNN operation, which TFLite does not have",
    "onnx": "where a GPU is visible the graph contains the cuDNN operation, which the ONNX converter does not know",
    "shap": "where a GPU is visible the graph contains the cuDNN operation, for which SHAP has no rule",
}
#: What no reader of the graph takes, wherever it runs.
READ_ADVICE = (
    "Hide the GPU from this program (CUDA_VISIBLE_DEVICES=-1 before Keras is imported), or give it a copy of the model "
    "with use_cudnn=False on this layer and the same weights."
)


def advise(case: Case) -> str | None:
    """Leave out what holds for an export alone, where a program reads the graph that cannot read the operation."""
    return READ_ADVICE if graph_reader(case) in READERS else None


def find(case: Case) -> Finding:
    """Return YES where the saved graph holds the operation, or source exports a layer that may use it."""
    baked = judge_fact(case.context("exported"), lambda how: how == "op")
    if baked.truth is Truth.YES:
        found = "the graph contains the cuDNN operation"
        return Finding(Truth.YES, found, baked.place, "written", detail="no CPU can run it")
    call = export(case)
    if call is None:
        return ABSENT_FAULT
    detail = READERS.get(graph_reader(case) or "", BAKED)
    return Finding(Truth.YES, f"`{call}`", place_of(case.context("exported_by")), "written", detail=detail)
