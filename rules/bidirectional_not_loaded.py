"""Keras cannot load the weights of a Bidirectional in this release.

## What it does
Finds an LSTM or GRU inside a Bidirectional in a file that Keras 3 wrote, where the target is Keras 3 before 3.3.3.

## Why it matters
These releases save a Bidirectional and cannot load it again: the layers inside have no weights yet when the file is
read. Loading stops with "Layer 'lstm_cell' expected 3 variables, but received 0 variables during loading", on every
machine. The file itself is sound.

## Good
```python
import keras

inputs = keras.Input((10, 4))
outputs = keras.layers.Bidirectional(keras.layers.LSTM(8))(inputs)
keras.Model(inputs, outputs).save("model.keras")
```

## Fix safety
There is nothing to fix in the file: Keras 3.3.3 and later load it, with the same numbers.

## References
- tensorflow issue 65395, keras issue 18913
"""

from __future__ import annotations

from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN222"
NEEDED = "a release that loads it"
SAYS = "this release cannot load the weights of {found}, although the file is sound"
ADVICE = "Load the file with Keras 3.3.3 or later."


def find(case: Case) -> Finding:
    """Return YES for a direction of a Bidirectional in a file that names the Keras that wrote it."""
    inside = case.layer.saved and case.layer.direction is not None and not case.operation.startswith("graph.")
    if not inside or case.file_keras is None:
        return ABSENT_FAULT
    return Finding(Truth.YES, "a Bidirectional", case.layer.place, "written")
