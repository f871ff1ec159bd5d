"""Keras 3 refuses a Bidirectional around a layer with go_backwards=True, or with batch_input_shape.

## What it does
Finds `Bidirectional(LSTM(..., go_backwards=True))` without a `backward_layer`, and `Bidirectional(...,
batch_input_shape=...)`. Keras 3 only.

## Why it matters
The constructor stops with an error, on every machine. Keras 3 gives `go_backwards=True` to the second layer, which it
makes itself, and then finds that both run backwards; Keras 2 turns the setting round. `batch_input_shape` is gone.

## Bad
```python target=keras@3.15.1
import keras

layer = keras.layers.Bidirectional(keras.layers.LSTM(64, go_backwards=True))
```

## Good
```python target=keras@3.15.1
import keras

layer = keras.layers.Bidirectional(keras.layers.LSTM(64))
```

## Fix safety
There is no automatic fix: without `go_backwards=True` the two directions change places.

## References
- `keras/src/layers/rnn/bidirectional.py:Bidirectional.__init__`, `_verify_layer_config`
"""

from __future__ import annotations

from dataclasses import replace

from cudnnlint.core.fact import Absent
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_argument
from cudnnlint.core.truth import Truth

CODE = "CDN233"
NEEDED = "a layer that runs forwards, and an Input for the shape"
SAYS = "Keras 3 refuses this Bidirectional: {found}"
ADVICE = (
    "Take go_backwards=True off the layer inside: a Bidirectional runs both ways anyway. Write Input(batch_shape=...) "
    "for batch_input_shape."
)


def find(case: Case) -> Finding:
    """Return YES where the constructor of the Bidirectional certainly stops in Keras 3."""
    direction = case.layer.direction
    if direction is None or case.layer.saved:
        return ABSENT_FAULT
    if not isinstance(direction.arguments.get("batch_input_shape", Absent()), Absent):
        return Finding(Truth.YES, "it is given batch_input_shape", case.construction.place, "written")
    if direction.explicit:
        return ABSENT_FAULT
    finding = judge_argument(case, "go_backwards", bool)
    return replace(finding, found=f"go_backwards of the layer inside is {finding.found}")
