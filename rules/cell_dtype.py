"""The cell of an RNN layer computes in a different dtype from the layer.

## What it does
Finds `RNN(cell)` where the layer and one of Keras's own cells have different dtypes: one of them has a `dtype` of its
own, or a policy, that the other one does not have. Keras 2 and tf_keras only.

## Why it matters
The layer makes the first state in its own dtype, the cell computes in its own, and no release of Keras 2 casts between
the two. The layer stops when it is called, on every machine: "Input 'y' of 'Mul' Op has type float16 that does not
match type float32 of argument 'x'". Keras 3 casts.

## Bad
```python target=tf_keras@2.21.0
import tf_keras as keras

layer = keras.layers.RNN(keras.layers.LSTMCell(64), dtype="mixed_float16")
```

## Good
```python target=tf_keras@2.21.0 also=CDN108
import tf_keras as keras

layer = keras.layers.RNN(keras.layers.LSTMCell(64, dtype="mixed_float16"), dtype="mixed_float16")
```

## Fix safety
There is no automatic fix: whether the cell or the layer has the dtype that was meant is for you to say.

## References
- `tf_keras/src/layers/rnn/base_rnn.py:RNN.get_initial_state`, `rnn_utils.py:generate_zero_filled_state_for_cell`
"""

from __future__ import annotations

from cudnnlint.core.execution_context import policy, shown_policy, unlike_dtypes
from cudnnlint.core.fact import Fact, Unknown, alternatives, certainly, place_of
from cudnnlint.core.recurrent_inputs import computing_cells, of_vectors
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN221"
NEEDED = "one dtype for the layer and its cells"
SAYS = "the layer and its cell have different dtypes: {found}"
ADVICE = "Give the cell the dtype of the layer, or set the dtype for both with a global policy."


def find(case: Case) -> Finding:
    """Return YES where a cell of Keras's own computes in another dtype than the layer."""
    outer, own = policy(case)
    for cell in computing_cells(case.construction.cells):
        inner, owned = policy(case, cell)
        if not own and not owned:
            continue  # the global policy, known or not, is that of both
        if _handed_on(outer, inner):
            continue
        truth = unlike_dtypes(case, outer, inner)
        if not of_vectors(cell):
            truth = truth & Truth.UNKNOWN
        if truth is not Truth.NO:
            name = cell.subclass or cell.class_name
            found = f"{shown_policy(case, outer)}, and {shown_policy(case, inner)} in {name}"
            because = "it is not known whether the layer and its cell have the same dtype"
            return Finding(truth, found, place_of(outer if own else inner), "written", because=because)
    return ABSENT_FAULT


def _handed_on(outer: Fact, inner: Fact) -> bool:
    """Return whether a cell gets the layer's dtype, though not known: `dtype=kwargs.get("dtype")`, `**kwargs`."""
    ways = [way for way in alternatives(inner) if not certainly(way, None)]
    reasons = {way.because if isinstance(way, Unknown) else None for way in ways}
    return isinstance(outer, Unknown) and reasons == {outer.because}
