"""Keras has no cuDNN kernel for this layer class.

## What it does
Finds SimpleRNN and the ConvLSTM layers.

## Why it matters
cuDNN has a kernel for a plain RNN, but Keras never calls it. For a ConvLSTM there is no kernel at all. Both run step by
step in a loop, whatever their arguments are.

## Bad
```python
import keras

layer = keras.layers.SimpleRNN(64)
```

## Good
```python
import keras

layer = keras.layers.GRU(64)
```

## Fix safety
There is no automatic fix: an LSTM or GRU is another model.

## References
- `keras/src/layers/rnn/simple_rnn.py`, `conv_lstm.py` (no call of a backend kernel)
"""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN111"
NEEDED = "an LSTM or GRU layer"
SAYS = "Keras has no cuDNN kernel for {found}"
ADVICE = "Accept the loop, or use an LSTM or GRU instead. That is another model and has to be trained from scratch."
MAY_STAY = True


def find(case: Case) -> Finding:
    """Return YES: a row names this rule only where the class has no kernel."""
    return Finding(Truth.YES, case.construction.class_name, case.construction.place, "written")


def advise(case: Case) -> str | None:
    """Name what a convolutional layer can become."""
    if not case.construction.class_name.startswith("ConvLSTM"):
        return None
    return "Accept the loop: no release has a kernel for it. Convolutions in front of a GRU are another model."
