"""The initial state has the wrong number of tensors.

## What it does
Finds calls with an `initial_state` of too few or too many tensors: one for an LSTM (which takes two), or those of one
direction for a Bidirectional.

## Why it matters
An LSTM has two states (what it returns, and its cell), a GRU and a SimpleRNN one, a Bidirectional those of both
directions, forward first. Keras stops at any other number, on every machine. Only the GRU of Keras 3 takes the first
and ignores the others; a Bidirectional with GRUs gives each direction half of them, and stops at one.

## Bad
```python
from tensorflow import keras

x = keras.Input((20, 8))
state = keras.Input((64,))
outputs = keras.layers.LSTM(64)(x, initial_state=[state])
```

## Good
```python
from tensorflow import keras

x = keras.Input((20, 8))
states = [keras.Input((64,)), keras.Input((64,))]
outputs = keras.layers.LSTM(64)(x, initial_state=states)
```

## Fix safety
There is no automatic fix: which tensor the missing state is, is yours to say.

## References
- `keras/src/layers/rnn/rnn.py:RNN.call`, `keras/src/layers/rnn/bidirectional.py:Bidirectional.call`
- `tf_keras/src/layers/rnn/base_rnn.py:RNN.__call__`
"""

from __future__ import annotations

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.recurrent_inputs import states_taken
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_fact, unless_replaced
from cudnnlint.core.truth import Truth

CODE = "CDN235"
NEEDED = "as many states as the layer has"
SAYS = "the number of tensors in initial_state is {found}, and the layer takes {detail}"
ADVICE = "Pass both states of an LSTM, [h, c], one of a GRU, and those of both directions to a Bidirectional."


def find(case: Case) -> Finding:
    """Return YES where the number of states is certainly another than the layer has."""
    made = case.construction
    takes = states_taken(case.layer, made)
    few = made.class_name in case.trait("extra states")
    finding = judge_fact(case.context("states"), lambda count: wrong(count, takes, few))
    if finding.truth is Truth.NO or takes is None:
        return ABSENT_FAULT
    return unless_replaced(replace(finding, place=made.place, origin="written", detail=str(takes)), made)


def wrong(count: int | None, takes: int | None, few: bool) -> bool:
    """Return whether Keras stops at so many states; `few` where a layer takes the first and ignores the others."""
    if count is None or takes is None:
        return False
    return count < takes if few else count != takes
