"""Integers or booleans reach a layer that multiplies them with its weights as they are.

## What it does
Finds SimpleRNN, RNN and ConvLSTM layers that are called with a tensor of integers or booleans, where the release does
not turn them into floating-point numbers: Keras 2 and tf_keras for all of these layers, Keras 3 for ConvLSTM.

## Why it matters
Keras casts floating-point inputs alone to the dtype of the layer. The product of integers with weights of float32 stops
with an error on every machine (in tf_keras "Tensor conversion requested dtype float32 for Tensor with dtype int32").
The other layers of Keras 3 promote both to one dtype before they multiply them.

## Bad
```python target=tf_keras@2.21.0
import tf_keras as keras

inputs = keras.Input((10, 4), dtype="int32")
model = keras.Model(inputs, keras.layers.SimpleRNN(64)(inputs))
```

## Good
```python target=tf_keras@2.21.0
import tf_keras as keras

inputs = keras.Input((10, 4), dtype="float32")
model = keras.Model(inputs, keras.layers.SimpleRNN(64)(inputs))
```

## Fix safety
No change to the layer helps. Cast the input, or put an Embedding in front of token ids.

## References
- `tf_keras/src/engine/base_layer.py:Layer._maybe_cast_inputs`
- `tf_keras/src/layers/rnn/simple_rnn.py:SimpleRNNCell.call`
- `keras/src/layers/rnn/conv_lstm.py:ConvLSTMCell.input_conv`
"""

from __future__ import annotations

from cudnnlint.core.execution_context import integers
from cudnnlint.core.layer import Construction
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.recurrent_inputs import of_vectors
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN236"
NEEDED = "floating-point input"
SAYS = "the layer gets {found} values, and this release does not turn them into floating-point numbers"
ADVICE = 'Cast the input, for example with tf.cast(x, "float32"). For token ids, put an Embedding in front.'


def find(case: Case) -> Finding:
    """Return YES where integers certainly reach the product with the weights."""
    whole = integers(case)
    if whole.truth is Truth.NO:
        return ABSENT_FAULT
    found = replace(whole, found=whole.found.strip("'\""))
    own = _own_code(case.construction)
    if own is None:
        return found
    because = f"{own} may cast them first, which cudnnlint does not see"
    return replace(found, truth=found.truth & Truth.UNKNOWN, because=because)


def _own_code(made: Construction) -> str | None:
    """Return what may cast the input by code of the user's; None where all is Keras's own."""
    if made.overrides:
        return made.subclass
    if made.class_name != "RNN":
        return None
    return None if made.cells and all(map(of_vectors, made.cells)) else "a cell of this RNN"
