"""The backend has no working cuDNN kernel for this layer in this release.

## What it does
Finds layers on a backend that runs them without cuDNN in this Keras release, whatever their arguments are.

## Why it matters
Keras 3 added cuDNN one backend at a time: TensorFlow in 3.0.1 (3.0.0 uses it in eager calls only), torch in 3.14 (GRU)
and 3.15 (LSTM), JAX in 3.14 (LSTM only). JAX has no cuDNN GRU, so Keras runs a scan there that is compiled as a whole;
in one measurement on an H200 a training step took no longer in it than in the LSTM's kernel. The LSTM code for torch
has been there since 3.10, but it did not work on a GPU before 3.15. `use_cudnn=True` does not help: in most of these
releases it raises an error.

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
Use another release or another backend. Where a release has a class of its own for the kernel (CuDNNLSTM, CuDNNGRU), the
advice names it.

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
ADVICE = "Use another release or backend. {cures}."
ON_JAX = "JAX compiles the loop as a whole: measure it with cudnnlint probe before you change anything. {cures}."
MAY_STAY = True


def find(case: Case) -> Finding:
    """Return YES: a row names this rule only where the backend has no kernel."""
    name = "TensorFlow" if case.point.framework == "tensorflow" else "Keras"
    return Finding(Truth.YES, case.point.backend, detail=f"{name} {case.point.keras}")


def advise(case: Case) -> str | None:
    """Say that JAX compiles the loop, where that is the backend (fixtures/evidence/probe/gpu-times-*.json)."""
    return ON_JAX if case.point.backend == "jax" else None
