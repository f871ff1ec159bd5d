"""Keras 2 wrote this file, and Keras 3 cannot load it.

## What it does
Finds recurrent layers in saved models with settings that only Keras 2 writes: `time_major`, or `batch_input_shape` on
the layer itself.

## Why it matters
Keras 2 saves `time_major` for every LSTM and GRU, and the constructors of Keras 3 raise an error for a name that they
do not know. Do not just delete the name by hand: Keras 3 also computes `hard_sigmoid` in another way, so the model may
load and give wrong results.

## Bad
```json also=CDN214
{"class_name": "Sequential", "config": {"name": "old", "layers": [
  {"class_name": "InputLayer", "config": {"name": "x", "batch_input_shape": [null, 10, 4]}},
  {"class_name": "LSTM", "config": {"name": "lstm", "units": 64, "time_major": false}}]},
 "keras_version": "2.15.0", "backend": "tensorflow"}
```

## Good
```json
{"module": "keras", "class_name": "Sequential", "config": {"name": "new", "layers": [
  {"module": "keras.layers", "class_name": "InputLayer", "config": {"name": "x", "batch_shape": [null, 10, 4]}},
  {"module": "keras.layers", "class_name": "LSTM", "config": {"name": "lstm", "units": 64}}]}}
```

## Fix safety
The file is not changed in place. `cudnnlint convert` writes a new file that Keras 3 loads: it keeps the weights and
adjusts them where hard_sigmoid differs. tf_keras, with `TF_USE_LEGACY_KERAS=1`, loads the old file.

## References
- `keras/src/layers/layer.py:Layer.__init__` (Unrecognized keyword arguments)
- keras issue 20750
"""

from __future__ import annotations

from cudnnlint.core.fact import place_of
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding
from cudnnlint.core.target import is_keras_3
from cudnnlint.core.truth import Truth

CODE = "CDN206"
NEEDED = "a file written by Keras 3"
SAYS = "the file contains {found}, which only Keras 2 writes, and Keras 3 cannot load it"
ADVICE = "Rewrite the file with cudnnlint convert, or load it with tf_keras (TF_USE_LEGACY_KERAS=1)."
MARKS = ("time_major", "batch_input_shape")


def find(case: Case) -> Finding:
    """Return YES where the saved layer has a setting of Keras 2; UNKNOWN where its file is not known to load."""
    made = case.construction
    if not case.layer.saved or case.operation.startswith("graph."):  # a graph is not rebuilt
        return ABSENT_FAULT
    for name in MARKS:
        if name in made.arguments:
            return Finding(Truth.YES, name, place_of(made.argument(name)) or made.place, "written")
    if case.file_keras and not is_keras_3(case.file_keras) and case.layer.unproved is not None:
        wrote = f"Keras {case.file_keras} wrote the file, and only some of its files load in Keras 3"
        because = f"{wrote}: it is not known of {case.layer.unproved}"
        return Finding(Truth.UNKNOWN, f"Keras {case.file_keras}", made.place, "unknown", because=because)
    return ABSENT_FAULT
