"""The layer is TensorFlow 1's class of that name, which never reaches cuDNN.

## What it does
Finds LSTM and GRU taken from `tf.compat.v1.keras`, or from the modules that held TensorFlow 1's classes.

## Why it matters
`tf.compat.v1.keras.layers.LSTM` is not the LSTM of `tf.keras`: it always loops, without a word, and its defaults
differ (`recurrent_activation="hard_sigmoid"`, for a GRU also `reset_after=False`). `import tensorflow.compat.v1 as tf`
is enough to get it. In Keras 3 the name stands for the Keras 3 class.

## Bad
```python target=tf_keras@2.21.0
import tensorflow.compat.v1 as tf

layer = tf.keras.layers.LSTM(64)
```

## Good
```python target=tf_keras@2.21.0
import tensorflow as tf

layer = tf.keras.layers.LSTM(64)
```

## Fix safety
Only a suggestion: the defaults differ, and other code of the file may need TensorFlow 1's names. A layer with
`recurrent_activation="sigmoid"` (and `reset_after=True`) computes the same numbers in both classes.

## References
- `tf_keras/src/layers/rnn/lstm_v1.py`, `gru_v1.py`
"""

from __future__ import annotations

from cudnnlint.core.edit import Effect, Intent, ReplaceClass
from cudnnlint.core.fact import values
from cudnnlint.core.rule import Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN112"
NEEDED = "the class of tf.keras.layers"
SAYS = "this is {found}, TensorFlow 1's class, which never reaches cuDNN"
ADVICE = (
    "Take the class from tf.keras.layers, with recurrent_activation (and a GRU's reset_after) written out: "
    "its defaults differ, and with other values the model has to be trained again."
)


def find(case: Case) -> Finding:
    """YES: a row asks this rule only where the class is TensorFlow 1's."""
    return Finding(Truth.YES, case.construction.path or case.operation, case.construction.place, "written")


def mend(case: Case) -> Intent | None:
    """Suggest the class of TensorFlow 2."""
    kept = list(values(case.argument("recurrent_activation"))) == ["sigmoid"]
    if case.operation == "v1.GRU":
        kept = kept and list(values(case.argument("reset_after"))) == [True]
    name = case.construction.class_name
    return Intent(
        (ReplaceClass(case.construction.path or case.operation, f"tensorflow.keras.layers.{name}"),),
        Effect.SAME_NUMBERS if kept else Effect.NEEDS_NEW_WEIGHTS,
        f"take {name} from tf.keras.layers",
        suggestion=True,
    )
