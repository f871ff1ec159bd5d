"""The GPU is not NVIDIA's, and Keras chooses cuDNN all the same.

## What it does
Finds programs that name a GPU of another make: Apple's through tensorflow-metal, or one through DirectML.

## Why it matters
Keras 3 on TensorFlow asks only whether there is a GPU. On another make it chooses the cuDNN operation, for which
there is no kernel: the layer stops with an error.

## Good
```python
import keras

layer = keras.layers.LSTM(64)
```

## Fix safety
There is no fix that keeps the speed: with `use_cudnn=False` the layer loops on that GPU.

## References
- `keras/src/backend/tensorflow/rnn.py:_is_gpu_available`
"""

from __future__ import annotations

from dataclasses import replace

from cudnnlint.core.rule import Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN405"
NEEDED = "an NVIDIA GPU"
SAYS = "the program runs on {found}, which has no cuDNN"
ADVICE = "Give the layer use_cudnn=False: it loops on that GPU."
MAKES = {"metal": "an Apple GPU", "directml": "a GPU through DirectML"}


def find(case: Case) -> Finding:
    """YES where the file names a GPU of another make."""
    finding = judge_fact(case.around("device"), lambda device: device in MAKES)
    found = next((words for make, words in MAKES.items() if make in finding.found), "a GPU of another make")
    return replace(finding, found=found) if finding.truth is Truth.YES else finding
