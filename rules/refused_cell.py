"""An RNN is given something that is no cell.

## What it does
Finds `RNN(LSTMCell)`, where the class stands in place of a cell, `RNN(LSTM(64))`, and an RNN that is given a number, a
text or None, or a list with one of them.

## Why it matters
An RNN takes an object with a `call` method and a `state_size`. A class has to be called first: `LSTMCell(64)`. Keras
stops where the layer is made or first called, on every machine.

## Bad
```python
import keras

layer = keras.layers.RNN(keras.layers.LSTMCell)
```

## Good
```python
import keras

layer = keras.layers.LSTM(64)
```

## Fix safety
There is no automatic fix: how many units the cell should have is yours to say.

## References
- `keras/src/layers/rnn/rnn.py:RNN.__init__`, `tf_keras/src/layers/rnn/base_rnn.py:RNN.__init__`
"""

from __future__ import annotations

from cudnnlint.core.fact import Ref
from cudnnlint.core.recurrent_inputs import RANKS
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_argument
from cudnnlint.core.truth import Truth

CODE = "CDN239"
NEEDED = "a cell, such as LSTMCell(64)"
SAYS = "an RNN takes a cell, and this is {found}"
ADVICE = "Call the class, LSTMCell(64); or use the layer LSTM or GRU, which can run in cuDNN."


def find(case: Case) -> Finding:
    """Return YES where what the RNN is given certainly is no cell."""
    made = case.construction
    if made.class_name != "RNN" or case.layer.saved:
        return ABSENT_FAULT
    layer = next((cell for cell in made.cells or () if cell.class_name in RANKS and cell.subclass is None), None)
    if layer is not None and len(made.cells or ()) == 1:
        return Finding(Truth.YES, f"the layer {layer.class_name}", layer.place, "written")
    finding = judge_argument(case, "cell", lambda value: no_cell(case, value))
    return finding if finding.truth is Truth.YES else ABSENT_FAULT


def no_cell(case: Case, value: object) -> bool:
    """Return whether a value certainly is no cell, and no list of cells."""
    if value in ([], ()):
        return not case.trait("no cells")
    return value is None or isinstance(value, (int, float, str, Ref))
