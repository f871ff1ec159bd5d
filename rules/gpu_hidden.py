"""The file hides every GPU.

## What it does
Finds files that set `CUDA_VISIBLE_DEVICES` to nothing (or to -1) before the layer is made.

## Why it matters
No GPU is visible then, and every layer runs in a loop on the CPU. The line is often left over from a test.

## Bad
```python
import os

os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

import keras

layer = keras.layers.LSTM(64)
```

## Good
```python
import os

os.environ["CUDA_VISIBLE_DEVICES"] = "0"

import keras

layer = keras.layers.LSTM(64)
```

## Fix safety
There is no automatic fix: the line may be intended.

## References
- `keras/src/backend/tensorflow/rnn.py:_is_gpu_available`
"""

from __future__ import annotations

from dataclasses import replace

from cudnnlint.core.execution_context import unknown
from cudnnlint.core.rule import Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN406"
NEEDED = "a visible GPU"
SAYS = "CUDA_VISIBLE_DEVICES leaves {found}"
ADVICE = "Remove the line that sets it if this program should run on a GPU."


def find(case: Case) -> Finding:
    """Return YES where the file hides the GPUs."""
    finding = judge_fact(case.context("device"), lambda device: device == "hidden")
    words = {Truth.YES: "no GPU visible", Truth.NO: "the GPUs visible"}
    if not unknown(case.context("device")):
        words[Truth.UNKNOWN] = "possibly no GPU visible"
    return replace(finding, found=words.get(finding.truth, finding.found))
