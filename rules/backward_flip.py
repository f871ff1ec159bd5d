"""The kernel path reverses a backward sequence once too often.

## What it does
Finds LSTMs on the JAX backend that run backwards and return their sequence. They may stand alone or be the backward
direction of a Bidirectional whose directions run in two calls.

## Why it matters
Elsewhere Keras leaves the outputs of a backward layer in the order in which they were computed, and Bidirectional
reverses them. The kernel path of JAX reverses them itself. On a GPU, a backward layer on its own returns its sequence
in the wrong order. In a Bidirectional, each forward output is paired with the backward output of another step.

## Bad
```python target=keras@3.15.1:jax
import keras

layer = keras.layers.LSTM(64, go_backwards=True, return_sequences=True)
```

## Good
```python target=keras@3.15.1:jax
import keras

layer = keras.layers.Bidirectional(keras.layers.LSTM(64, return_sequences=True))
```

## Fix safety
No fix keeps the kernel. With `use_cudnn=False` the layer runs in a loop and its results are right. A Bidirectional
without dropout and without state runs both directions in one call from Keras 3.15 on, and that call is right.

## References
- `keras/src/backend/jax/rnn.py:lstm` (`jnp.flip` at the end)
"""

from __future__ import annotations

from cudnnlint.core.directions import apart
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_argument
from cudnnlint.core.truth import Truth

CODE = "CDN603"
NEEDED = "no backward sequence, or two directions in one call"
SAYS = "{found}; on JAX the kernel path reverses such a sequence once too often, so the order of its steps is wrong"
ADVICE = "Set use_cudnn=False on the layer. In a Bidirectional you can also remove what separates the directions."


def find(case: Case) -> Finding:
    """Return YES where a backward layer returns its sequence through the kernel's own call."""
    returned = judge_argument(case, "return_sequences", bool)
    backward = judge_argument(case, "go_backwards", bool)
    direction = case.layer.direction
    if direction is None:
        truth, found = returned.truth & backward.truth, "a backward layer returns its sequence"
    else:
        derived = direction.role == "backward" and direction.derived
        two_calls = apart(case) if case.fuses else Finding(Truth.YES, "this release runs the directions in two calls")
        truth = returned.truth & (Truth.YES if derived else backward.truth) & two_calls.truth
        found = f"the backward direction returns its sequence, and {two_calls.found}"
    if truth is Truth.NO:
        return ABSENT_FAULT
    return Finding(truth, found, backward.place or returned.place, "written")
