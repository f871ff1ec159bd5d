"""Another layer of the model is refused by Keras 3.

## What it does
Looks at the other layers of a recurrent layer's model, and at those that lead to it: arguments that the release does
not know (`border_mode`, `output_dim`, `init` and other names of Keras 1), classes that it does not have yet, and plain
values that it refuses.

## Why it matters
The program stops where that layer is made, on every machine. Whether the recurrent layer would run in cuDNN is seen
once that is mended.

## Bad
```python
import keras

model = keras.Sequential()
model.add(keras.layers.Conv1D(filters=16, kernel_size=3, border_mode="same"))
model.add(keras.layers.LSTM(64))
```

## Good
```python
import keras

model = keras.Sequential()
model.add(keras.layers.Conv1D(filters=16, kernel_size=3, padding="same"))
model.add(keras.layers.LSTM(64))
```

## Fix safety
There is no automatic fix: cudnnlint rewrites recurrent layers alone.

## References
- `keras/src/layers/layer.py:Layer.__init__` (unrecognized keyword arguments)
- `fixtures/evidence/layer_constructors.json`, `layer_arguments.json`: what each release was asked
"""

from __future__ import annotations

from cudnnlint.core.fault_lines import worst_line
from cudnnlint.core.layer_refusals import refuses
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN245"
NEEDED = "layers that this release makes"
SAYS = "this release does not make another layer of the model, {found}"
ADVICE = "Write the argument as this release names it, or leave it out; keras.io lists the arguments of each layer."


def find(case: Case) -> Finding:
    """Return YES where a layer before this one, or beside it in its model, certainly stops the target."""
    worst = worst_line(case.context("refused_beside"), lambda line: refuses(case, line))
    if worst is None:
        return ABSENT_FAULT
    line, truth, stops = worst
    because = (
        f"the program may register what {line} names"
        if truth is Truth.UNKNOWN
        else "it is not certain that the layer which is refused is in the model of this one"
    )
    return replace(stops, found=line, origin="written", because=because)
