"""A subclass gives the arguments of `call` other names than Keras, and Keras 3 cannot build it.

## What it does
Finds recurrent layers of a class of your own whose `call` does not name both `sequences` and `initial_state`.

## Why it matters
Keras 3 builds a recurrent layer with the shapes of `sequences` and `initial_state`, and looks for arguments of these
names in `call`. Where one is missing, or is only taken by `*args` or `**kwargs`, the first call stops with "For a
`build()` method with more than one argument, all arguments should have a `_shape` suffix and match an argument from
`call()`", on every machine. Code for Keras 2 usually calls the first argument `inputs`. Inside a Bidirectional or a
TimeDistributed, which build the layer themselves, it works.

## Bad
```python
import keras

class Scaled(keras.layers.LSTM):
    def call(self, inputs, mask=None, training=None, initial_state=None):
        return super().call(inputs * 0.5, mask=mask, training=training, initial_state=initial_state)

layer = Scaled(64)
```

## Good
```python
import keras

class Scaled(keras.layers.LSTM):
    def call(self, sequences, initial_state=None, mask=None, training=False):
        return super().call(sequences * 0.5, initial_state=initial_state, mask=mask, training=training)

layer = Scaled(64)
```

## Fix safety
There is no automatic fix: other code may pass the arguments by the names that they have now.

## References
- `keras/src/layers/layer.py:update_shapes_dict_for_target_fn`
- `keras/src/layers/rnn/rnn.py:RNN.build` (`sequences_shape, initial_state_shape=None`)
"""

from __future__ import annotations

from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN231"
NEEDED = "call(self, sequences, initial_state=None, ...)"
SAYS = "{detail}, but Keras 3 builds a recurrent layer with the shapes of sequences and initial_state"
ADVICE = "Name the arguments as Keras does: call(self, sequences, initial_state=None, mask=None, training=False)."
WANTED = ("sequences", "initial_state")
BUILD_IT = {"Bidirectional", "TimeDistributed"}  # they give build() the shapes themselves


def find(case: Case) -> Finding:
    """Return YES where one of the two names is missing; UNKNOWN where something else may build the layer."""
    made = case.construction
    missing = [name for name in WANTED if made.call_names is not None and name not in made.call_names]
    kinds = {wrapper.kind for wrapper in case.layer.wrappers}
    if not missing or kinds & BUILD_IT:
        return ABSENT_FAULT
    found = f"call({', '.join(('self', *(made.call_names or ())))})"
    detail = f"{made.subclass} overrides call() without an argument {' and '.join(missing)}"
    if "build" in made.overrides or kinds:
        because = f"{made.subclass} may be built by other code than the call, and that is not followed"
        return Finding(Truth.UNKNOWN, found, made.place, "written", because=because, detail=detail)
    return Finding(Truth.YES, found, made.place, "written", detail=detail)
