"""The Keras release that wrote this file cannot load it.

## What it does
Finds the layers of a saved model that even the Keras release that wrote it cannot load: the `.h5` file of a functional
Keras 3 model that uses an operation between layers, such as the comparison that makes a mask.

## Why it matters
Saving gives no warning; loading stops with "Unknown layer", on every machine. The weights in the file are intact.

## Good
```python
import keras

inputs = keras.Input((10, 4))
mask = keras.ops.any(keras.ops.not_equal(inputs, 0.0), axis=-1)
model = keras.Model(inputs, keras.layers.LSTM(8)(inputs, mask=mask))
model.save("model.keras")
```

## Fix safety
The file cannot be fixed. Save the model again, as `.keras`.

## References
- `keras/src/legacy/saving/legacy_h5_format.py` (looks operations up among the layers)
"""

from __future__ import annotations

from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN214"
NEEDED = "a file that Keras can load"
SAYS = "{found}"
ADVICE = "Save the model again as .keras. That format can store operations; the .h5 format cannot."


def find(case: Case) -> Finding:
    """Return YES where the front end saw that the file does not load."""
    broken = case.layer.unbuildable
    return Finding(Truth.YES, broken, case.layer.place, "written") if broken else ABSENT_FAULT
