"""The backend has no working cuDNN kernel for this layer in this release.

## What it does
Names layers on a backend that runs them without cuDNN in this Keras release, whatever their arguments.

## Why it matters
Keras 3 learned cuDNN backend by backend: TensorFlow with 3.0.1 (3.0.0 reaches it in eager calls alone), torch with
3.14 (GRU) and 3.15 (LSTM), JAX with 3.14 (LSTM only: JAX has no cuDNN GRU, Keras runs an optimised scan instead). torch
has the code since 3.10, but it never worked on a GPU before 3.15. `use_cudnn=True` does not help; in most of these
releases it raises.

## Bad
```python target=keras@3.9.2:torch
import keras

layer = keras.layers.LSTM(64)
```

## Good
```python target=keras@3.15.1:torch
import keras

layer = keras.layers.LSTM(64)
```

## Fix safety
There is no fix in the code: take another release or another backend.

## References
- `keras/src/backend/torch/rnn.py:lstm`
- `keras/src/backend/jax/rnn.py:lstm`, `gru`
- keras issue 22274
"""

from __future__ import annotations

from cudnnlint.core.rule import Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN402"
NEEDED = "a release and backend with a kernel for this layer"
SAYS = "{detail} has no working cuDNN kernel for this layer on {found}"
ADVICE = "Take a release of Keras that has the kernel, or the TensorFlow backend."


def find(case: Case) -> Finding:
    """YES: a row asks this rule only where the backend has no kernel."""
    name = "TensorFlow" if case.point.framework == "tensorflow" else "Keras"
    return Finding(Truth.YES, case.point.backend, detail=f"{name} {case.point.keras}")
