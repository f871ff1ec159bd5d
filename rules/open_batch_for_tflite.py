"""A model whose batch size is open is converted to TFLite.

## What it does
Finds programs that give a model to the TFLite converter while the model's Input leaves the batch size open.

## Why it matters
TFLite has an LSTM of its own, and a loop for other recurrent layers; both need fixed sizes. With an open batch size or
number of steps the converter can stop ("'tf.TensorListReserve' op requires element_shape to be static"), or it needs
operations of TensorFlow, which a device only runs with the Flex delegate. On a GPU the layer itself is not affected.

## Bad
```python target=tf_keras@2.21.0
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((10, 4)), tf.keras.layers.LSTM(64)])
converter = tf.lite.TFLiteConverter.from_keras_model(model)
```

## Good
```python target=tf_keras@2.21.0
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((10, 4), batch_size=1), tf.keras.layers.LSTM(64)])
converter = tf.lite.TFLiteConverter.from_keras_model(model)
```

## Fix safety
There is no automatic fix: a model that is trained with other batches needs a copy with a fixed batch size, which takes
its weights.

## References
- tensorflow issues 58668, 62849
- `tensorflow/compiler/mlir/lite/transforms/lower_static_tensor_list.cc`
"""

from __future__ import annotations

from cudnnlint.core.execution_context import export, graph_reader
from cudnnlint.core.fact import place_of
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN408"
NEEDED = "an Input with a batch size and a number of steps"
SAYS = "{found}: TFLite's recurrent operations need fixed sizes, and the Input leaves the batch size open"
ADVICE = (
    "If the conversion stops, or must do without Flex operations: build the same model with "
    "Input(batch_shape=(1, STEPS, FEATURES)), give it the weights (copy.set_weights(model.get_weights())), and convert "
    "that. Otherwise allow tf.lite.OpsSet.SELECT_TF_OPS."
)


def find(case: Case) -> Finding:
    """Return YES where the TFLite converter reads a model whose Input has no batch size."""
    call = export(case)
    if call is None or graph_reader(case) != "tflite":
        return ABSENT_FAULT
    if judge_fact(case.context("batch"), lambda batch: batch == "open").truth is not Truth.YES:
        return ABSENT_FAULT
    return Finding(Truth.YES, f"`{call}`", place_of(case.context("exported_by")), "written")
