"""Integers or booleans reach a layer with input dropout.

## What it does
Finds recurrent layers with `dropout` above 0 that are called with a tensor of integers or booleans. Of an RNN with
several cells, the first one meets the input.

## Why it matters
Keras draws the dropout mask in the dtype of the input, before it chooses between kernel and loop, and at inference
too. No backend can draw one of integers, so the call stops with an error (a ValueError on TensorFlow, a RuntimeError
on torch, a TypeError on JAX), on every machine.

## Bad
```python target=keras@3.15.1:torch
import keras

inputs = keras.Input((10, 4), dtype="int32")
model = keras.Model(inputs, keras.layers.LSTM(64, dropout=0.2)(inputs))
```

## Good
```python target=keras@3.15.1:torch
import keras

inputs = keras.Input((10, 4), dtype="float32")
model = keras.Model(inputs, keras.layers.LSTM(64, dropout=0.2)(inputs))
```

## Fix safety
No change to the layer helps but to leave the dropout out. Cast the input, or put an Embedding in front.

## References
- `keras/src/layers/rnn/rnn.py:RNN.call` (`_maybe_config_dropout_masks`)
- `keras/src/layers/rnn/dropout_rnn_cell.py:_create_dropout_mask` (`ops.ones_like(step_input)`)
- `keras/src/backend/torch/random.py:dropout`, `keras/src/backend/jax/random.py:dropout`
"""

from __future__ import annotations

from cudnnlint.core.execution_context import integers
from cudnnlint.core.fact import Fact
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN230"
NEEDED = "floating-point input, or no dropout"
SAYS = "the layer gets {found} values and has dropout, and Keras cannot draw a dropout mask for them"
ADVICE = 'Cast the input, for example with keras.ops.cast(x, "float32"). For token ids, put an Embedding in front.'


def find(case: Case) -> Finding:
    """Return YES where integers certainly meet a dropout that certainly acts."""
    whole = integers(case)
    drops = judge_fact(rate_of(case), acts)
    truth = whole.truth & drops.truth
    if truth is Truth.NO:
        return ABSENT_FAULT
    because = whole.because or drops.because
    made = case.construction
    if truth is Truth.YES and "call" in made.overrides and "call" not in made.calls_super:
        because = f"{made.subclass} overrides call(), and cudnnlint does not analyze what runs there"
        truth = Truth.UNKNOWN
    return Finding(truth, whole.found.strip("'\""), whole.place, whole.origin, because=because)


def rate_of(case: Case) -> Fact:
    """Return the dropout that meets the input: the layer's own, or that of an RNN's first cell."""
    cells = case.construction.cells
    return cells[0].argument("dropout") if cells else case.argument("dropout")


def acts(rate: object) -> Truth:
    """Return whether a rate drops anything; one of 1 or more draws a mask in some releases."""
    if not isinstance(rate, (int, float)) or rate >= 1:
        return Truth.UNKNOWN
    return Truth.of(rate > 0)
