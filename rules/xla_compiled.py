"""The layer is called inside a compiled function, and the compiler cannot call the kernel.

## What it does
Finds layers called under `tf.function(jit_compile=True)`, `compile(jit_compile=True)` or `torch.compile`.

## Why it matters
XLA has no cuDNN RNN operation. In Keras 2 the loop is compiled instead, without a warning. In Keras 3 on TensorFlow,
your own jitted function stops with an error on a GPU; `compile(jit_compile=True)` does no harm, because Keras turns it
off for such a model. On torch, a compiled model runs the layer's Python loop. JAX compiles everything and still calls
the kernel.

## Bad
```python
import keras
import tensorflow as tf

layer = keras.layers.LSTM(64)

@tf.function(jit_compile=True)
def step(x):
    return layer(x)
```

## Fixed
```python
import keras
import tensorflow as tf

layer = keras.layers.LSTM(64)

@tf.function(jit_compile=False)
def step(x):
    return layer(x)
```

## Good
```python
import keras
import tensorflow as tf

layer = keras.layers.LSTM(64)

@tf.function
def step(x):
    return layer(x)
```

## Fix safety
`jit_compile` applies to the whole function, which is then no longer compiled. Its results stay the same up to rounding;
random numbers in training change. With `use_cudnn=False` the layer is compiled as a loop instead.

## References
- keras issue 18456, tensorflow issue 99385
- `keras/src/trainers/trainer.py:model_supports_jit`
"""

from __future__ import annotations

from cudnnlint.core.edit import Effect, Intent, SetContext
from cudnnlint.core.execution_context import flag
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN205"
NEEDED = "no compiled function around the layer"
SAYS = "the layer is called inside {found}, and the compiler cannot call the cuDNN kernel"
ADVICE = "Remove jit_compile (or torch.compile) from the code that calls this layer."
WAYS = {
    "xla": "a function with jit_compile=True",
    "jit_compile": "a model with jit_compile=True",
    "torch_compiled": "torch.compile",
}


def find(case: Case) -> Finding:
    """Return YES where any of the three ways to compile is used."""
    found = [flag(case, name, way, "not compiled") for name, way in WAYS.items()]
    for truth in (Truth.YES, Truth.UNKNOWN):
        for finding in found:
            if finding.truth is truth:
                return finding
    return replace(ABSENT_FAULT, found="not compiled")


def fix(case: Case) -> Intent | None:
    """Turn off compilation of what calls the layer, where that is written."""
    if case.layer.saved:
        return None
    steps = (SetContext("xla", False), SetContext("jit_compile", False))
    return Intent(steps, Effect.SAME_AT_INFERENCE, "turn off compilation of the code that calls the layer")


def otherwise(case: Case) -> str | None:
    """Name the switch that lets the layer be compiled with the rest."""
    return "Set use_cudnn=False on the layer: it is then compiled as a loop." if "use_cudnn" in case.defaults else None
