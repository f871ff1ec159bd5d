"""The file was written by a Keras that cannot read it back.

## What it does
Finds the layers of a saved model that the Keras which wrote it does not load: the `.h5` of a functional Keras 3
model in which a bare operation stands between layers, such as the comparison that makes a mask.

## Why it matters
Saving works without a word; loading stops with "Unknown layer", on every machine. The weights are safe in the file.

## Good
```python
import keras

inputs = keras.Input((10, 4))
mask = keras.ops.any(keras.ops.not_equal(inputs, 0.0), axis=-1)
model = keras.Model(inputs, keras.layers.LSTM(8)(inputs, mask=mask))
model.save("model.keras")
```

## Fix safety
There is no fix: the file has to be written again, as `.keras`.

## References
- `keras/src/legacy/saving/legacy_h5_format.py` (looks operations up among the layers)
"""

from __future__ import annotations

from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN214"
NEEDED = "a file that its own Keras loads"
SAYS = "{found}"
ADVICE = "Save the model again as .keras, which holds operations; the .h5 format does not."


def find(case: Case) -> Finding:
    """YES where the front end saw that the file does not load."""
    broken = case.layer.unbuildable
    return Finding(Truth.YES, broken, case.layer.place, "written") if broken else ABSENT_FAULT
