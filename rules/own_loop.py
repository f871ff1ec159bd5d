"""A subclass overrides the method in which Keras chooses cuDNN.

## What it does
Finds subclasses of LSTM and GRU that define `inner_loop` or `call` without calling Keras's own method, and layers of
Keras 2 whose `_could_use_gpu_kernel` the program sets to False.

## Why it matters
Keras 3 chooses the kernel in `inner_loop`, Keras 2 in `call`. A class that overrides the method runs in a loop,
although it looks like any other LSTM to its users.

## Bad
```python
import keras

class Looping(keras.layers.LSTM):
    def inner_loop(self, sequences, initial_state, mask, training=False):
        return keras.layers.RNN.inner_loop(self, sequences, initial_state, mask, training)

layer = Looping(64)
```

```python target=tf_keras@2.21.0
import tf_keras as keras

class Looping(keras.layers.LSTM):
    def call(self, inputs, mask=None, training=None, initial_state=None):
        last, outputs, states = keras.backend.rnn(self.cell, inputs, self.get_initial_state(inputs))
        return last

layer = Looping(64)
```

## Good
```python
import keras

class Counting(keras.layers.LSTM):
    def inner_loop(self, sequences, initial_state, mask, training=False):
        self.calls = getattr(self, "calls", 0) + 1
        return super().inner_loop(sequences, initial_state, mask, training)

layer = Counting(64)
```

## Fix safety
There is no automatic fix: only the author knows what the method is for.

## References
- `keras/src/layers/rnn/lstm.py:LSTM.inner_loop`
- `tf_keras/src/layers/rnn/lstm.py:LSTM.call`
"""

from __future__ import annotations

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN113"
NEEDED = "Keras's own inner_loop and call"
SAYS = "{detail}"
#: By which Keras 2 chooses cuDNN at each call; its name in TensorFlow up to 2.5 differs from release to release.
CHOICE = "_could_use_gpu_kernel"
METHODS = ("inner_loop", "call")  # a class with time_major has no inner_loop
ADVICE = "Call super() in the method, or wrap a cell in RNN, which makes it clear that the layer runs in a loop."
MAY_STAY = True


def find(case: Case) -> Finding:
    """Return YES where one of the two is overridden and Keras's own is not called; UNKNOWN where that is not seen."""
    made = case.construction
    asked = [name for name in METHODS if name == "call" or "time_major" not in case.arguments]
    replaced = [name for name in asked if name in made.overrides and name not in made.calls_super]
    for name in replaced:
        if name not in made.may_call_super:
            return Finding(Truth.YES, name, made.place, "written", detail=says(case, name))
    for name in replaced:
        because = f"{made.subclass} overrides {name}, and it is not clear whether that calls Keras's own method"
        return Finding(Truth.UNKNOWN, name, made.place, "unknown", because=because, detail=says(case, name))
    return ABSENT_FAULT if case.point.keras_3 or CHOICE not in made.after else chosen(case)


def says(case: Case, name: str) -> str:
    """Return what is said of a method that the class overrides."""
    return f"{case.construction.subclass} overrides {name}, the method in which Keras chooses cuDNN"


def chosen(case: Case) -> Finding:
    """Return YES where the program sets Keras 2's own choice to False; what else it is set to may stop cuDNN."""
    certain = case.point.framework != "tensorflow"
    finding = judge_fact(case.construction.after[CHOICE], lambda value: value is False)
    because = f"{CHOICE} is set, and it is not known whether this release reads it, or what it is"
    truth = finding.truth if certain or finding.truth is Truth.NO else Truth.UNKNOWN
    says = f"the program sets {CHOICE} to False, and the layer does not use cuDNN"
    return replace(finding, truth=truth, found=CHOICE, origin="written", because=because, detail=says)
