"""Keras cannot load this file.

## What it does
Finds the layers of a saved model that the Keras of the target cannot load, for reasons outside these layers. It knows:

- an `.h5` file of a functional Keras 3 model that uses an operation between layers, such as the comparison that makes a
  mask, and one with an Attention layer in new releases;
- a layer that is in a `.keras` file twice, because two models share it: its weights are there once;
- a lambda as an activation, initializer, regularizer or constraint;
- what early releases of Keras 3 cannot load: tensors that are sliced, a layer that is called again on the output of a
  later one, a nested model whose output is the model's own, Dot, Bidirectional, a layer as an activation;
- stored weights whose shapes are not those that the configuration of a recurrent layer needs (a script changed `units`,
  `use_bias` or `reset_after` after the layer was built);
- in tf_keras, a CuDNN layer in a `.keras` file;
- in Keras 2 (tf_keras, and TensorFlow before Keras 3), a file of Keras 3: "Unrecognized keyword arguments:
  ['batch_shape']";
- another recurrent layer that stops on every machine: a model is loaded, and runs, as a whole.

## Why it matters
Saving gives no warning; loading stops with an error, on every machine. The weights in the file are intact.

## Good
```python
import keras

inputs = keras.Input((10, 4))
mask = keras.ops.any(keras.ops.not_equal(inputs, 0.0), axis=-1)
model = keras.Model(inputs, keras.layers.LSTM(8)(inputs, mask=mask))
model.save("model.keras")
```

## Fix safety
The file cannot be fixed. Build the model with the code that made it, and call `load_weights` with the file. A model
that is at hand can be saved in the other format.

## References
- `rules/tables/loading.toml` (what is looked for, and which releases stop)
- `keras/src/legacy/saving/legacy_h5_format.py` (looks operations up among the layers)
"""

from __future__ import annotations

from cudnnlint.core.load_fault import BESIDE, LoadFault
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN214"
NEEDED = "a file that Keras can load"
SAYS = "{found}"
ADVICE = (
    "Build the model with its own code and load the weights of this file, or save it again in the other format; "
    "cudnnlint convert rewrites a file of Keras 2."
)
#: The kinds of faults that every file of Keras 3 has for Keras 2.
OF_KERAS_3 = ("shaped-input", "policy-object")
WITH_KERAS_3 = (
    "Load it with Keras 3, which newer releases of TensorFlow have. To stay with Keras 2, build the model with its own "
    "code there, and hand over the weights as arrays: get_weights() in Keras 3, set_weights() in Keras 2."
)


def advise(case: Case) -> str | None:
    """Point to the layer that stops, where that is what keeps this one from running, or to the Keras that loads it."""
    broken = _broken(case)
    kind = None if broken is None else broken.kind
    return "See what is reported for that layer." if kind == BESIDE else WITH_KERAS_3 if kind in OF_KERAS_3 else None


def find(case: Case) -> Finding:
    """Return YES where the front end saw what keeps this release from loading the file."""
    broken = _broken(case)
    return Finding(Truth.YES, broken.says, case.layer.place, "written") if broken else ABSENT_FAULT


def _broken(case: Case) -> LoadFault | None:
    return next((fault for fault in case.layer.unloadable if fault.holds(case.point)), None)
