"""Integers or booleans reach the layer.

## What it does
Finds recurrent layers that are called with a tensor of integers or booleans, such as token ids without an Embedding.

## Why it matters
Keras casts floating-point input to the layer's dtype but leaves integers as they are. The layer then stops with a
TypeError: in Keras 3 on TensorFlow only on a GPU, in Keras 2 everywhere. On JAX an LSTM stops on a GPU with a
ValueError when the step is compiled.

## Bad
```python
import keras

inputs = keras.Input((10, 4), dtype="int32")
model = keras.Model(inputs, keras.layers.LSTM(64)(inputs))
```

## Good
```python
import keras

inputs = keras.Input((10, 4), dtype="float32")
model = keras.Model(inputs, keras.layers.LSTM(64)(inputs))
```

## Fix safety
No change to the layer helps. Cast the input, or put an Embedding in front.

## References
- `keras/src/backend/tensorflow/rnn.py:_cudnn_lstm`, `jaxlib/gpu_rnn.py:_rnn_fwd_lowering`
"""

from __future__ import annotations

from cudnnlint.core.execution_context import integers
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.rule import Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN211"
NEEDED = "floating-point input"
SAYS = "the layer gets {found} values, but the kernel only takes floating-point numbers"
ADVICE = 'Cast the input, for example with keras.ops.cast(x, "float32"). For token ids, put an Embedding in front.'


def find(case: Case) -> Finding:
    """Return YES where the tensor that arrives holds integers or booleans."""
    finding = integers(case)
    words = {Truth.YES: finding.found.strip("'\""), Truth.NO: "floating-point input"}
    return replace(finding, found=words.get(finding.truth, finding.found))
