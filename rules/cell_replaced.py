"""The layer's cell was replaced after construction, and the kernel ignores the new cell.

## What it does
Finds assignments to `layer.cell`.

## Why it matters
The kernel gets the weights and computes the standard LSTM or GRU, whatever the new cell would compute. On a CPU, Keras
calls the new cell. The two give different numbers.

## Bad
```python
import keras

class Quiet(keras.layers.LSTMCell):
    def call(self, inputs, states, training=False):
        output, states = super().call(inputs, states, training)
        return output * 0.5, states

layer = keras.layers.LSTM(64)
layer.cell = Quiet(64)
y = layer(keras.Input((10, 4)))
```

## Good
```python
import keras

layer = keras.layers.LSTM(64)
y = layer(keras.Input((10, 4)))
```

## Fix safety
There is no automatic fix. Use `RNN(cell)`: it runs the new cell, in a loop.

## References
- `keras/src/layers/rnn/lstm.py:LSTM.inner_loop`
- `tf_keras/src/layers/rnn/lstm.py:LSTM.call`
"""

from __future__ import annotations

from cudnnlint.core.execution_context import flag
from cudnnlint.core.rule import Case, Finding

CODE = "CDN605"
NEEDED = "the cell that the constructor made"
SAYS = "the layer has {found}, but the kernel still computes the standard cell"
ADVICE = "Wrap the new cell in RNN: that runs in a loop and computes what the cell defines."


def find(case: Case) -> Finding:
    """Return YES where `layer.cell` is assigned."""
    return flag(case, "cell_replaced", "a cell that replaces its own", "its own cell")
