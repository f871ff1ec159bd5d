"""The target has no class of this name, or not where it is imported from.

## What it does
Finds recurrent classes that the target does not have where they are looked for: CuDNNLSTM and CuDNNGRU above all, and
those imported from modules of old Keras (`keras.layers.recurrent`).

## Why it matters
`tf.keras.layers.CuDNNLSTM` never existed in TensorFlow 2, only `tf.compat.v1.keras.layers.CuDNNLSTM`; Keras 3 has
neither. LSTM and GRU reach cuDNN by themselves and run on a CPU as well. `keras.layers.recurrent` and its neighbours
are gone since Keras 2.9: the import stops the program, while the layer still stands in `keras.layers`.

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
LSTM and GRU compute the same numbers from the same weights, in training and at inference. A CuDNNLSTM has two biases
that are added up, an LSTM has their sum: `cudnnlint convert` carries the weights of a saved model over, and in further
training an optimiser moves that sum once where it moved each part. An import that is mended changes nothing in the
layer; what defaults it has is the target's doing (old Keras had `recurrent_activation="hard_sigmoid"`).

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
SAYS = "{detail}"
ADVICE = (
    "Import the class from keras.layers; in place of CuDNNLSTM and CuDNNGRU use LSTM or GRU, which reach cuDNN by "
    "themselves: cudnnlint convert carries the weights of a saved model over."
)
SUCCESSORS = {"CuDNNLSTM": "LSTM", "CuDNNGRU": "GRU"}


def find(case: Case) -> Finding:
    """YES where the tables say that the target has no such class."""
    made = case.construction
    origin = "assumed" if made.assumed else "written"
    if case.moved is None:
        says = f"this target has no class {made.class_name} there"
        return Finding(Truth.of(case.missing), made.class_name, made.place, origin, detail=says)
    module = made.path.rpartition(".")[0]
    says = f"{made.class_name} is imported from {module}, which this target does not have; there it is {case.moved}"
    return Finding(Truth.YES, made.path, made.place, origin, detail=says)


def mend(case: Case) -> Intent | None:
    """The module that has the class now, or the layer that came after a CuDNN layer."""
    old = case.construction.class_name
    if case.moved is not None:
        steps: tuple[Step, ...] = (ReplaceClass(case.construction.path, case.moved),)
        return Intent(steps, Effect.SAME_NUMBERS, f"import {old} from {case.moved.rpartition('.')[0]}")
    new = SUCCESSORS.get(old)
    if new is None or case.construction.subclass:
        return None
    steps = (ReplaceClass(old, new),)
    written = case.construction.arguments
    if not case.layer.saved and case.point.framework == "keras" and case.point.keras.major >= 3:
        if list(values(case.construction.argument("time_major"))) == [False]:
            steps += (DropArgument("time_major"),)
        if "batch_input_shape" in written:
            steps += (PutInput("batch_input_shape"),)
    return Intent(steps, Effect.SAME_NUMBERS, f"use {new}")
