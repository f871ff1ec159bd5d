"""The GPU is not from NVIDIA, but Keras chooses cuDNN anyway.

## What it does
Finds programs for another kind of GPU: an Apple GPU (tensorflow-metal, tensorflow-macos), or a GPU used through
DirectML. The program names it, or the project's requirements do: a package that only some machines want (by a marker,
an extra or a lock file) does not count.

## Why it matters
Keras 3 on TensorFlow only checks whether there is a GPU. On these GPUs it chooses the cuDNN operation, which has no
kernel there, and the layer stops with an error.

## Good
```python
import keras

layer = keras.layers.LSTM(64)
```

## Fix safety
No fix makes it as fast as cuDNN. With `use_cudnn=False` the layer runs in a loop on that GPU.

## References
- `keras/src/backend/tensorflow/rnn.py:_is_gpu_available`
"""

from __future__ import annotations

from cudnnlint.core.fact import Assumed, alternatives, values
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.rule import Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN405"
NEEDED = "an NVIDIA GPU"
SAYS = "the program runs on {found}, which has no cuDNN"
ADVICE = "Put the cell of the layer into keras.layers.RNN: it then runs in a loop on that GPU."
CELLS = {"LSTM": "LSTMCell", "GRU": "GRUCell"}
MAKES = {"metal": "an Apple GPU", "directml": "a GPU through DirectML"}


def find(case: Case) -> Finding:
    """Return YES where the file names a GPU that is not NVIDIA's."""
    finding = judge_fact(case.context("device"), lambda device: device in MAKES)
    named = set(values(case.context("device")))
    found = next((words for make, words in MAKES.items() if make in named), "a GPU that is not NVIDIA's")
    asked_for = [f" ({fact.because})" for fact in alternatives(case.context("device")) if isinstance(fact, Assumed)]
    return replace(finding, found="".join([found, *asked_for[:1]])) if finding.truth is Truth.YES else finding


def advise(case: Case) -> str | None:
    """Name the ways to the loop: the cell in an RNN, and where there is one the switch."""
    cell = CELLS.get(case.operation)
    if cell is None:
        return None
    switch = "Set use_cudnn=False on the layer, or use" if "use_cudnn" in case.defaults else "Use"
    return f"{switch} RNN({cell}(units)) in its place: it then runs in a loop on that GPU. Or run it on the CPU."
