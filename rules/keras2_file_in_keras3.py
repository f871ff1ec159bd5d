"""Keras 2 wrote this file, and Keras 3 does not load it.

## What it does
Finds recurrent layers in saved models that carry what only Keras 2 writes: `time_major`, or `batch_input_shape` on the
layer itself.

## Why it matters
Every LSTM and GRU that Keras 2 saves carries `time_major`, and the constructors of Keras 3 stop at a name that they do
not know. Besides, Keras 3 computes `hard_sigmoid` in another way, so that dropping the name by hand can give a model
that loads and is wrong.

## Bad
```json
{"class_name": "Sequential", "config": {"name": "old", "layers": [
  {"class_name": "InputLayer", "config": {"name": "x", "batch_input_shape": [null, 10, 4]}},
  {"class_name": "LSTM", "config": {"name": "lstm", "units": 64, "time_major": false}}]},
 "keras_version": "2.15.0", "backend": "tensorflow"}
```

## Good
```json
{"class_name": "Sequential", "config": {"name": "new", "layers": [
  {"class_name": "InputLayer", "config": {"name": "x", "batch_shape": [null, 10, 4]}},
  {"class_name": "LSTM", "config": {"name": "lstm", "units": 64}}]}}
```

## Fix safety
There is no fix in place. `cudnnlint convert` writes a new file that Keras 3 loads, with the weights carried over and
hard sigmoids repaired; `TF_USE_LEGACY_KERAS=1` with tf_keras loads the old one.

## References
- `keras/src/layers/layer.py:Layer.__init__` (Unrecognized keyword arguments)
- keras issue 20750
"""

from __future__ import annotations

from cudnnlint.core.fact import place_of
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN206"
NEEDED = "a file written by Keras 3"
SAYS = "the file carries {found}, which only Keras 2 writes; Keras 3 does not load it"
ADVICE = "Rewrite the file with cudnnlint convert, or load it with tf_keras (TF_USE_LEGACY_KERAS=1)."
MARKS = ("time_major", "batch_input_shape")


def find(case: Case) -> Finding:
    """YES where the saved layer carries a mark of Keras 2; UNKNOWN for a file of Keras 2 without one."""
    made = case.construction
    if not case.layer.saved or case.operation.startswith("graph."):  # a graph is not rebuilt
        return ABSENT_FAULT
    for name in MARKS:
        if name in made.arguments:
            return Finding(Truth.YES, name, place_of(made.argument(name)) or made.place, "written")
    if (case.file_keras or "").startswith(("1.", "2.")):
        because = f"Keras {case.file_keras} wrote the file, and only some of its files load in Keras 3"
        return Finding(Truth.UNKNOWN, f"Keras {case.file_keras}", made.place, "unknown", because=because)
    return ABSENT_FAULT
