"""The layer is the TensorFlow 1 class of that name, which never uses cuDNN.

## What it does
Finds LSTM and GRU from `tf.compat.v1.keras`, or from the modules that contain the classes of TensorFlow 1. It also
finds those of a saved model that TensorFlow 2.0 loads, because its loader only knows the classes of TensorFlow 1.

## Why it matters
`tf.compat.v1.keras.layers.LSTM` is not the LSTM of `tf.keras`. It always runs in a loop, without a warning, and its
defaults differ (`recurrent_activation="hard_sigmoid"`, for a GRU also `reset_after=False`). The line
`import tensorflow.compat.v1 as tf` is enough to get it. With Keras 3 the name means the Keras 3 class.

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
classes. Any other layer gets the new defaults, because the old ones do not run in cuDNN either. Such a model has to be
retrained.

## References
- `tf_keras/src/layers/rnn/lstm_v1.py`, `gru_v1.py`
- `tensorflow/python/keras/layers/serialization.py` of 2.0 (`if tf2.enabled()`, asked before TensorFlow 2 is turned on)
"""

from __future__ import annotations

from cudnnlint.core.edit import DropArgument, Effect, Intent, ReplaceClass, Step
from cudnnlint.core.fact import Absent, certainly
from cudnnlint.core.rule import Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN112"
NEEDED = "the class of tf.keras.layers"
SAYS = "this is {found}, a TensorFlow 1 class, which never uses cuDNN"
ADVICE = (
    "Use the class from tf.keras.layers. Its defaults for recurrent_activation (and a GRU's reset_after) differ; "
    "where they change, the model has to be retrained. Load a saved model with TensorFlow 2.1 or later."
)


def find(case: Case) -> Finding:
    """Return YES: a row names this rule only where the class is TensorFlow 1's."""
    made, release = case.construction, case.point.keras
    loaded = f"the class that TensorFlow {release.major}.{release.minor} uses for a saved {made.class_name}"
    return Finding(Truth.YES, loaded if case.layer.saved else made.path or case.operation, made.place, "written")


def fix(case: Case) -> Intent | None:
    """Use the class of TensorFlow 2, whose defaults are those that the kernel computes."""
    if case.construction.subclass or case.layer.saved:
        return None
    wanted: dict[str, object] = {"recurrent_activation": "sigmoid"}
    if case.operation == "v1.GRU":
        wanted["reset_after"] = True
    changed = [name for name, value in wanted.items() if not certainly(case.argument(name), value)]
    written = [name for name in changed if not isinstance(case.construction.argument(name), Absent)]
    name = case.construction.class_name
    new = f"tensorflow.keras.layers.{name}"
    old = case.construction.path or case.operation
    steps: tuple[Step, ...] = (ReplaceClass(old, new), *(DropArgument(argument) for argument in written))
    says = f"use {name} from tf.keras.layers"
    if not changed:
        return Intent(steps, Effect.SAME_NUMBERS, says)
    others = " and ".join(f"{argument} is {wanted[argument]!r}" for argument in changed)
    return Intent(steps, Effect.NEEDS_NEW_WEIGHTS, f"{says}, where {others}")
