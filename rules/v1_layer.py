"""The layer is TensorFlow 1's class of that name, which never reaches cuDNN.

## What it does
Finds LSTM and GRU taken from `tf.compat.v1.keras`, or from the modules that held TensorFlow 1's classes, and those of
a saved model that TensorFlow 2.0 loads: its loader knows only TensorFlow 1's.

## Why it matters
`tf.compat.v1.keras.layers.LSTM` is not the LSTM of `tf.keras`: it always loops, without a word, and its defaults
differ (`recurrent_activation="hard_sigmoid"`, for a GRU also `reset_after=False`). `import tensorflow.compat.v1 as tf`
is enough to get it. In Keras 3 the name stands for the Keras 3 class.

## Bad
```python target=tf_keras@2.21.0
import tensorflow.compat.v1 as tf

layer = tf.keras.layers.LSTM(64)
```

## Fixed
```python target=tf_keras@2.21.0
import tensorflow
import tensorflow.compat.v1 as tf

layer = tensorflow.keras.layers.LSTM(64)
```

## Good
```python target=tf_keras@2.21.0
import tensorflow as tf

layer = tf.keras.layers.LSTM(64)
```

## Fix safety
A layer with `recurrent_activation="sigmoid"` (a GRU also with `reset_after=True`) computes the same numbers in both
classes. Any other one gets the new defaults, as the old ones would only move the fault: it has to be trained again.

## References
- `tf_keras/src/layers/rnn/lstm_v1.py`, `gru_v1.py`
- `tensorflow/python/keras/layers/serialization.py` of 2.0 (`if tf2.enabled()`, asked before TensorFlow 2 is turned on)
"""

from __future__ import annotations

from cudnnlint.core.edit import DropArgument, Effect, Intent, ReplaceClass, Step
from cudnnlint.core.fact import Absent, values
from cudnnlint.core.rule import Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN112"
NEEDED = "the class of tf.keras.layers"
SAYS = "this is {found}, TensorFlow 1's class, which never reaches cuDNN"
ADVICE = (
    "Take the class from tf.keras.layers, with recurrent_activation (and a GRU's reset_after) written out: "
    "its defaults differ, and with other values the model has to be trained again. A saved model: load it with "
    "TensorFlow 2.1 or later."
)


def find(case: Case) -> Finding:
    """YES: a row asks this rule only where the class is TensorFlow 1's."""
    made, release = case.construction, case.point.keras
    loaded = f"what the loader of TensorFlow {release.major}.{release.minor} makes of {made.class_name}"
    return Finding(Truth.YES, loaded if case.layer.saved else made.path or case.operation, made.place, "written")


def mend(case: Case) -> Intent | None:
    """Take the class of TensorFlow 2, where its defaults are those that the kernel computes."""
    if case.construction.subclass or case.layer.saved:
        return None
    wanted: dict[str, object] = {"recurrent_activation": "sigmoid"}
    if case.operation == "v1.GRU":
        wanted["reset_after"] = True
    changed = [name for name, value in wanted.items() if list(values(case.argument(name))) != [value]]
    written = [name for name in changed if not isinstance(case.construction.argument(name), Absent)]
    name = case.construction.class_name
    new = f"tensorflow.keras.layers.{name}"
    old = case.construction.path or case.operation
    steps: tuple[Step, ...] = (ReplaceClass(old, new), *(DropArgument(argument) for argument in written))
    says = f"take {name} from tf.keras.layers"
    if not changed:
        return Intent(steps, Effect.SAME_NUMBERS, says)
    others = " and ".join(f"{argument} is {wanted[argument]!r}" for argument in changed)
    return Intent(steps, Effect.NEEDS_NEW_WEIGHTS, f"{says}, where {others}")
