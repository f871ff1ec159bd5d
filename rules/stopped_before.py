"""The program stops with an error before it reaches the layer.

## What it does
Follows the tensors that reach a recurrent layer, and finds calls before it that Keras stops at: a list, tuple or dict
that is given to a layer of one tensor, a dict whose keys are not the names of a model's inputs, and a `TimeDistributed`
around a layer or model that it cannot spread over the steps, such as a model with several outputs.

## Why it matters
The program stops while the model is built, on every machine. Whether the layer behind it would run in cuDNN is seen
once that is mended.

## Bad
```python
import keras

inputs = keras.Input((10, 4))
outputs = keras.layers.LSTM(64)(keras.layers.Dense(8)([inputs]))
```

```python
import keras

inputs = keras.Input((3, 10, 4))
outputs = keras.layers.TimeDistributed(keras.layers.LSTM(64, return_state=True))(inputs)
```

## Good
```python
import keras

inputs = keras.Input((10, 4))
outputs = keras.layers.LSTM(64)(keras.layers.Dense(8)(inputs))
```

## Fix safety
There is no automatic fix: what the call was meant to pass is yours to say.

## References
- `keras/src/layers/rnn/time_distributed.py:TimeDistributed.call`
- `keras/src/models/functional.py:Functional._flatten_to_reference_inputs`
- `fixtures/evidence/wrapped_stops.json`: what each release was asked
"""

from __future__ import annotations

from cudnnlint.core.fact import values
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN243"
NEEDED = "calls that this release takes"
SAYS = "The program stops before it gets to the layer, at {found}"
ADVICE = "Change that call: give a layer one tensor, and a TimeDistributed what has one input and one output."


def find(case: Case) -> Finding:
    """Return YES where what certainly leads to the layer stops the target, UNKNOWN where either is in doubt."""
    told = case.context("stops_before")
    stops, may_stop = case.trait("stops-before"), case.trait("may-stop-before")
    kinds = dict.fromkeys(kind for text in values(told) if text for kind in text.split("\n"))
    found = next((kind for of in (stops, may_stop) for kind in kinds if kind in of), None)
    if found is None:
        return ABSENT_FAULT
    there = judge_fact(told, lambda text: bool(text) and found in text.split("\n"))
    certain = Truth.YES if found in stops else Truth.UNKNOWN
    because = f"{found} stops this release, or may do so, and it is not certain that the program gets there"
    return replace(there, truth=there.truth & certain, found=found, origin="written", because=because)
