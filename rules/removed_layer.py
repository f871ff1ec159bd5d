"""The target's Keras has no class of this name.

## What it does
Finds recurrent classes that do not exist in the target's Keras, or not in the module that the code uses. Most of these
are CuDNNLSTM and CuDNNGRU.

## Why it matters
TensorFlow 2 never had `tf.keras.layers.CuDNNLSTM`, only `tf.compat.v1.keras.layers.CuDNNLSTM`. Keras 3 has neither.
LSTM and GRU use cuDNN automatically and also run on a CPU.

## Bad
```python
import keras

layer = keras.layers.CuDNNLSTM(64)
```

```json
{"class_name": "Sequential", "config": {"name": "old", "layers": [
  {"class_name": "InputLayer", "config": {"name": "x", "batch_shape": [null, 10, 4]}},
  {"class_name": "CuDNNGRU", "config": {"name": "gru", "units": 64}}]}}
```

## Fixed
```python
import keras

layer = keras.layers.LSTM(64)
```

## Good
```python target=tf_keras@2.21.0
import tensorflow as tf

layer = tf.compat.v1.keras.layers.CuDNNLSTM(64)
```

## Fix safety
LSTM and GRU compute the same numbers from the same weights, in training and at inference. A CuDNNLSTM adds two biases;
an LSTM has one, their sum. `cudnnlint convert` carries the weights of a saved model over. In further training the
optimizer updates that sum once, where it updated both parts before.

## References
- `tf_keras/src/layers/rnn/cudnn_lstm.py`
- `tf_keras/src/saving/legacy/hdf5_format.py:_convert_rnn_weights`
"""

from __future__ import annotations

from cudnnlint.core.edit import DropArgument, Effect, Intent, PutInput, ReplaceClass, Step
from cudnnlint.core.fact import values
from cudnnlint.core.rule import Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN203"
NEEDED = "a class that the target has"
SAYS = "there is no class {found} in {detail}"
ADVICE = "Use LSTM or GRU: they use cuDNN automatically. For a saved model, cudnnlint convert keeps the weights."
PROPER = {"keras": "Keras", "tensorflow": "TensorFlow"}
SUCCESSORS = {"CuDNNLSTM": "LSTM", "CuDNNGRU": "GRU"}


def find(case: Case) -> Finding:
    """Return YES where the tables say that the target has no such class."""
    made, point = case.construction, case.point
    release = f"{PROPER.get(point.framework, point.framework)} {point.keras}"
    module = made.path.rpartition(".")[0]
    return Finding(
        Truth.of(case.missing), made.class_name, made.place, "assumed" if made.assumed else "written",
        detail=release if case.layer.saved or not module else f"{module} of {release}",
    )  # fmt: skip


def mend(case: Case) -> Intent | None:
    """Replace a CuDNN layer by the layer that came after it."""
    old = case.construction.class_name
    new = SUCCESSORS.get(old)
    if new is None or case.construction.subclass:
        return None
    steps: tuple[Step, ...] = (ReplaceClass(old, new),)
    written = case.construction.arguments
    if not case.layer.saved and case.point.framework == "keras" and case.point.keras.major >= 3:
        if list(values(case.construction.argument("time_major"))) == [False]:
            steps += (DropArgument("time_major"),)
        if "batch_input_shape" in written:
            steps += (PutInput("batch_input_shape"),)
    return Intent(steps, Effect.SAME_NUMBERS, f"use {new}")
