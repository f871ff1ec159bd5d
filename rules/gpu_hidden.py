"""The file hides every GPU.

## What it does
Finds files that hide the GPUs before the layer is made: `CUDA_VISIBLE_DEVICES` set to nothing or to -1 hides them from
every framework, `tf.config.set_visible_devices([], "GPU")` from TensorFlow alone, and `JAX_PLATFORMS=cpu` from JAX.
A layer that is made only where the program finds no GPU, as below `if not tf.config.list_physical_devices("GPU"):`,
gets a note: it never runs on one, so that all else that is said of it are notes, too.

## Why it matters
No GPU is visible then, and every LSTM and GRU runs in a loop on the CPU; CuDNNLSTM and CuDNNGRU stop with an error. The
line is often left over from a test.

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

from cudnnlint.core.execution_context import made_without_gpu, unknown
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.rule import Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN406"
NEEDED = "a visible GPU"
SAYS = "this line leaves {found}"
ADVICE = "Remove the line if this program should run on a GPU."
WITHOUT_GPU = "Nothing has to change: where there is a GPU, the program takes the other way."
#: Which backend sees no GPU, by what the file does; None: every one.
BLIND = {"hidden": None, "absent": None, "hidden_from_tensorflow": "tensorflow", "hidden_from_jax": "jax"}


def find(case: Case) -> Finding:
    """Return YES where the file hides the GPUs from the backend of the target."""
    finding = judge_fact(case.context("device"), lambda name: BLIND.get(name, "") in (None, case.point.backend))
    words = {Truth.YES: "no GPU visible", Truth.NO: "the GPUs visible"}
    if made_without_gpu(case):
        words[Truth.YES] = "no GPU on the way to the layer"
    if not unknown(case.context("device")):
        words[Truth.UNKNOWN] = "possibly no GPU visible"
    return replace(finding, found=words.get(finding.truth, finding.found))


def advise(case: Case) -> str | None:
    """Say that a layer which is made where there is no GPU may stay as it is."""
    return WITHOUT_GPU if made_without_gpu(case) else None
