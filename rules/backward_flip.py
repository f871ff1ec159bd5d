"""The kernel path turns a backward sequence round once too often.

## What it does
Finds LSTMs that run backwards and return their sequence on the JAX backend, alone or as the backward direction of a
Bidirectional whose directions take two calls.

## Why it matters
Everywhere else Keras leaves the outputs of a backward layer in the order in which they were computed, and Bidirectional
turns them round. JAX's kernel path turns them round itself. On a GPU a lone backward layer returns its sequence the
wrong way round; in a Bidirectional each forward output stands beside a backward output of another step.

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
There is no fix that keeps the kernel: with `use_cudnn=False` the layer loops and is right. Without dropout and state,
a Bidirectional takes both directions in one call from Keras 3.15 on, and that call is right.

## References
- `keras/src/backend/jax/rnn.py:lstm` (`jnp.flip` at the end)
"""

from __future__ import annotations

from cudnnlint.core.directions import apart
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_argument
from cudnnlint.core.truth import Truth

CODE = "CDN603"
NEEDED = "no backward sequence, or two directions in one call"
SAYS = "{found}; the kernel path turns such a sequence round once too often"
ADVICE = "Give the layer use_cudnn=False; in a Bidirectional, leave out what keeps the directions apart."


def find(case: Case) -> Finding:
    """YES where a backward layer returns its sequence through the kernel's own call."""
    returned = judge_argument(case, "return_sequences", bool)
    backward = judge_argument(case, "go_backwards", bool)
    direction = case.layer.direction
    if direction is None:
        truth, found = returned.truth & backward.truth, "a backward layer returns its sequence"
    else:
        derived = direction.role == "backward" and direction.derived
        two_calls = apart(case) if case.fuses else Finding(Truth.YES, "this release takes the directions in two calls")
        truth = returned.truth & (Truth.YES if derived else backward.truth) & two_calls.truth
        found = f"the backward direction returns its sequence, and {two_calls.found}"
    if truth is Truth.NO:
        return ABSENT_FAULT
    return Finding(
        truth, found, backward.place or returned.place, "written", because=returned.because or backward.because
    )
