"""The layer gets its input in a list, as Keras 2 takes it.

## What it does
Finds calls of recurrent layers and of their wrappers whose input stands in a list or a tuple, alone or with the states
behind it: `layer([x, h, c])`.

## Why it matters
Keras 2 takes the first of a list as the input and the others as the initial state. Keras 3 takes the list itself for
the input, and stops where the layer is called, on every machine. Decoders and attention models are often written so. A
tuple, or a list given to a TimeDistributed, stops Keras 2 as well.

## Bad
```python
import keras

inputs, h, c = keras.Input((10, 4)), keras.Input((64,)), keras.Input((64,))
outputs = keras.layers.LSTM(64)([inputs, h, c])
```

```python target=tf_keras@2.21.0
import tf_keras as keras

inputs, h, c = keras.Input((10, 4)), keras.Input((64,)), keras.Input((64,))
outputs = keras.layers.LSTM(64)((inputs, h, c))
```

## Good
```python
import keras

inputs, h, c = keras.Input((10, 4)), keras.Input((64,)), keras.Input((64,))
outputs = keras.layers.LSTM(64)(inputs, initial_state=[h, c])
```

## Fix safety
There is no automatic fix: write the states as `initial_state`, which every release takes.

## References
- `tf_keras/src/layers/rnn/rnn_utils.py:standardize_args`
- `keras/src/layers/rnn/rnn.py:RNN.call` (Keras 3 has nothing like it)
"""

from __future__ import annotations

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.recurrent_inputs import listing_taken, own_call, takes_nested
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN241"
NEEDED = "layer(x), or layer(x, initial_state=[...])"
SAYS = "The layer gets its input in a {found}, and takes a tensor"
ADVICE = "Pass the input by itself, and the states by name: layer(x, initial_state=[h, c]). Every release takes that."


def find(case: Case) -> Finding:
    """Return YES where the target takes no list of that kind; a class or a cell of the user's may take it apart."""
    if own_call(case.construction) or takes_nested(case.construction, case.point):
        return ABSENT_FAULT
    taken = (None, listing_taken(case.layer, case.point))
    finding = judge_fact(case.context("listed"), lambda kind: kind not in taken)
    if finding.truth is Truth.NO:
        return ABSENT_FAULT
    return replace(finding, found=finding.found.strip("'"), place=case.construction.place, origin="written")
