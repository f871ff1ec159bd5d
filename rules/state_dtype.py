"""The initial state has a different dtype from the layer's.

## What it does
Finds calls with an `initial_state` whose dtype is not the compute dtype of the layer: most often a `float32` Input (the
decoder of a translation model) under the policy "mixed_float16". Keras 2 and tf_keras only.

## Why it matters
These releases cast the first argument of a call and no other, so the states reach the computation as they are. The
layer stops when the model runs, on every machine: "Input 'b' of 'MatMul' Op has type float16 that does not match type
float32 of argument 'a'". Building the model goes well. Keras 3 casts the states too.

## Bad
```python target=tf_keras@2.21.0
import tf_keras as keras

keras.mixed_precision.set_global_policy("mixed_float16")
x = keras.Input((None, 16))
states = [keras.Input((64,)), keras.Input((64,))]
outputs = keras.layers.LSTM(64)(x, initial_state=states)
```

## Good
```python target=tf_keras@2.21.0
import tf_keras as keras

keras.mixed_precision.set_global_policy("mixed_float16")
x = keras.Input((None, 16))
states = [keras.Input((64,), dtype="float16"), keras.Input((64,), dtype="float16")]
outputs = keras.layers.LSTM(64)(x, initial_state=states)
```

## Fix safety
There is no automatic fix: who feeds the states has to feed the new dtype as well, unless they are cast in the model.

## References
- `tf_keras/src/engine/base_layer.py:Layer._maybe_cast_inputs`, `tf_keras/src/layers/rnn/base_rnn.py:RNN.__call__`
"""

from __future__ import annotations

from cudnnlint.core.execution_context import POLICY, computes_in, policy, shown_policy, unlike_dtypes
from cudnnlint.core.fact import Fact, Known, place_of, values
from cudnnlint.core.recurrent_inputs import of_vectors
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN223"
NEEDED = "an initial state in the dtype in which the layer computes"
SAYS = "the initial state is {found}, which the layer does not cast: its dtype policy is {detail}"
ADVICE = "Give the Inputs of the states the dtype in which the layer computes, or cast the states before the call."


def find(case: Case) -> Finding:
    """Return YES where a state certainly has another dtype than the layer computes in."""
    passed = judge_fact(case.context("initial_state"), bool).truth
    state, (layer, _) = case.context("state_dtype"), policy(case)
    truth = passed & judge_fact(state, lambda dtypes: _differ(case, dtypes)).truth
    if truth is Truth.NO:
        return ABSENT_FAULT
    if not all(map(of_vectors, case.construction.cells or ())):  # a cell of one's own may cast them
        truth = truth & Truth.UNKNOWN
    place = place_of(case.context("initial_state")) or place_of(layer)
    found, because = _shown(case, state), "the dtype of the initial state is not shown"
    return Finding(truth, found, place, "written", because=because, detail=shown_policy(case, layer).strip("'"))


def _shown(case: Case, state: Fact) -> str:
    """Return the dtypes of the states as the report prints them."""
    around = computes_in(shown_policy(case, case.context("dtype")).strip("'"))
    known = [dtypes.split(", ") for dtypes in values(state) if dtypes is not None]
    texts = [" and ".join(sorted({around if name == POLICY else name for name in dtypes})) for dtypes in known]
    return " or ".join(texts) or "of a dtype that is not shown"


def _differ(case: Case, dtypes: str | None) -> Truth:
    """Return whether one of the dtypes of a state is not that of the layer.

    A dtype that is not shown is taken for floatx, where the layer computes in that too.
    """
    layer, own = policy(case)
    if dtypes is None:
        return unlike_dtypes(case, layer, Known(None)) & Truth.UNKNOWN
    truth = Truth.NO
    for name in dtypes.split(", "):
        same = name == POLICY and not own
        other: Fact = case.context("dtype") if name == POLICY else Known(name)
        truth = truth | (Truth.NO if same else unlike_dtypes(case, layer, other))
    return truth
