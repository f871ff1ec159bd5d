"""The input leaves the number of features open.

## What it does
Finds recurrent layers behind an Input whose last dimension is None, as in `Input((None, None))`.

## Why it matters
The number of steps may be open, the number of features not: the weights are made when the layer is called, and their
shape depends on it. Keras stops there on every machine: "Shapes used to initialize variables must be fully-defined" in
Keras 3, "int() argument must be a string, a bytes-like object or a real number, not 'NoneType'" in tf_keras.

## Bad
```python
from tensorflow import keras

inputs = keras.Input((None, None))
model = keras.Model(inputs, keras.layers.LSTM(64)(inputs))
```

## Good
```python
from tensorflow import keras

inputs = keras.Input((None, 16))
model = keras.Model(inputs, keras.layers.LSTM(64)(inputs))
```

## Fix safety
There is no automatic fix: how many features the data have is yours to say.

## References
- `keras/src/layers/rnn/lstm.py:LSTMCell.build`, `tf_keras/src/layers/rnn/lstm.py:LSTMCell.build`
"""

from __future__ import annotations

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.recurrent_inputs import RANKS, rank_taken
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_fact, unless_replaced
from cudnnlint.core.truth import Truth

CODE = "CDN237"
NEEDED = "an input with a number of features"
SAYS = "the Input in front of the layer leaves the number of features open"
ADVICE = "Write the number of features as the last dimension: Input((None, FEATURES)). Only the steps may be None."


def find(case: Case) -> Finding:
    """Return YES where the last dimension is certainly open."""
    made = case.construction
    finding = judge_fact(case.context("features"), lambda features: features == "open")
    if finding.truth is Truth.NO or rank_taken(made) != RANKS["LSTM"]:
        return ABSENT_FAULT
    return unless_replaced(replace(finding, found="None", place=made.place, origin="written"), made)
