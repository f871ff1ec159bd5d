"""The program switches cuDNN off in torch.

## What it does
Finds `torch.backends.cudnn.enabled = False` and `with torch.backends.cudnn.flags(enabled=False)`.

## Why it matters
torch asks this flag before every call of cuDNN. Recurrent layers of Keras on the torch backend then run in torch's own
kernels, which are slower.

## Bad
```python target=keras@3.15.1:torch
import keras
import torch

torch.backends.cudnn.enabled = False
layer = keras.layers.LSTM(64)
```

## Good
```python target=keras@3.15.1:torch
import keras
import torch

torch.backends.cudnn.benchmark = False
layer = keras.layers.LSTM(64)
```

## Fix safety
There is no automatic fix: the flag is often set to make results reproducible. `torch.backends.cudnn.deterministic`
does that and keeps cuDNN.

## References
- `torch/backends/cudnn/__init__.py:is_acceptable`, `aten/src/ATen/native/RNN.cpp:use_cudnn`
"""

from __future__ import annotations

from cudnnlint.core.execution_context import flag
from cudnnlint.core.rule import Case, Finding

CODE = "CDN407"
NEEDED = "cuDNN switched on"
SAYS = "torch runs the layer with {found}"
ADVICE = "Leave torch.backends.cudnn.enabled as it is; torch.backends.cudnn.deterministic makes results reproducible."


def find(case: Case) -> Finding:
    """Return YES where the program switches cuDNN off."""
    return flag(case, "cudnn_off", "cuDNN switched off", "cuDNN switched on")
