"""The input has the wrong number of dimensions.

## What it does
Finds recurrent layers whose input has two dimensions (batch and features) or another number than the layer takes: most
often the layer before is recurrent too and returns only its last step, or it is a Flatten.

## Why it matters
A recurrent layer takes (batch, steps, features). Keras checks that before anything runs and stops on every machine:
"Input 0 of layer "lstm_1" is incompatible with the layer: expected ndim=3, found ndim=2".

## Bad
```python
from tensorflow import keras

model = keras.Sequential([
    keras.Input((20, 8)),
    keras.layers.LSTM(64, return_sequences=True),
    keras.layers.Flatten(),
    keras.layers.LSTM(64),
])
```

## Good
```python
from tensorflow import keras

model = keras.Sequential([keras.Input((20, 8)), keras.layers.LSTM(64)])
```

```python
from tensorflow import keras

model = keras.Sequential([
    keras.Input((20, 8)),
    keras.layers.LSTM(64, return_sequences=True),
    keras.layers.LSTM(64),
])
```

## Fix safety
There is no automatic fix: whether the layer before should return its sequence, or the input be reshaped or repeated, is
yours to say.

## References
- `keras/src/layers/input_spec.py:assert_input_compatibility`
- `tf_keras/src/engine/input_spec.py:assert_input_compatibility`
"""

from __future__ import annotations

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.recurrent_inputs import rank_taken
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_fact, unless_replaced
from cudnnlint.core.truth import Truth

CODE = "CDN234"
NEEDED = "an input with as many dimensions as the layer takes; for an LSTM they are (batch, steps, features)"
SAYS = "the layer gets an input with {found} dimensions, and takes {detail}"
ADVICE = (
    "Set return_sequences=True on the recurrent layer before it, or remove the Flatten. "
    "Declare data with Input((STEPS, FEATURES)), without the batch; input_shape on a layer has no effect where the "
    "layer is called on a tensor. To feed the same vector at every step, put a RepeatVector before the layer; to cut a "
    "vector into steps, a Reshape((STEPS, FEATURES)). TimeDistributed removes one dimension."
)
INPUT_DIM = "in this release input_dim takes the place of input_shape where the layer is the first of a Sequential"


def find(case: Case) -> Finding:
    """Return YES where the input certainly has another rank than the layer takes."""
    made = case.construction
    takes = rank_taken(made)
    fact = case.context("input_rank")
    finding = judge_fact(fact, lambda rank: rank is not None and takes is not None and rank != takes)
    if finding.truth is Truth.NO:
        return ABSENT_FAULT
    if made.class_name in case.trait("input-dim-wins") and {"input_dim", "input_shape"} <= made.arguments.keys():
        return replace(finding, truth=Truth.UNKNOWN, because=INPUT_DIM)
    return unless_replaced(replace(finding, place=made.place, origin="written", detail=str(takes)), made)
