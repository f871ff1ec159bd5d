"""Layers and models of two packages of Keras meet in one program.

## What it does
Follows which package each layer, model and `Input` comes from (`keras`, `tensorflow.keras`, `tf_keras`, or
`tensorflow.python.keras`, which TensorFlow keeps for itself), and finds where one is given something of another: a
layer in a model, a layer in a wrapper, or a layer that is called on the tensor of an `Input`.

## Why it matters
Keras 3 takes no layer of `tf_keras` or `tensorflow.python.keras`, and they take none of Keras 3: the program stops
while the model is built, on every machine. Standalone Keras up to 2.3 and `tf.keras` are two packages too. From Keras
2.6 to 2.15 only `Bidirectional` and `TimeDistributed` refuse a layer of another package. One import from an old example
is enough.

## Bad
```python
import keras
from tf_keras.layers import LSTM

model = keras.Sequential([keras.Input((10, 4)), LSTM(64)])
```

```python
import tensorflow as tf
from tensorflow.python.keras.layers.recurrent import LSTM

model = tf.keras.Sequential()
model.add(tf.keras.layers.Embedding(1000, 8))
model.add(LSTM(64))
```

## Good
```python
import keras
from keras.layers import LSTM

model = keras.Sequential([keras.Input((10, 4)), LSTM(64)])
```

## Fix safety
There is no automatic fix: which package the program is to use is yours to say.

## References
- `keras/src/models/sequential.py:Sequential.add`, `keras/src/layers/rnn/bidirectional.py:Bidirectional.__init__`
- `keras/src/backend/common/keras_tensor.py:KerasTensor.__tf_tensor__`
- `fixtures/evidence/two_kerases.json`: what 15 combinations of releases were asked
"""

from __future__ import annotations

from cudnnlint.core.fault_lines import worst_line
from cudnnlint.core.keras_packages import package_of
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding
from cudnnlint.core.truth import Truth

CODE = "CDN244"
NEEDED = "everything from one package"
SAYS = "Two packages of Keras meet: {found}"
ADVICE = "Import layers, models and Input from one package, for example all from keras."
WRAPPERS = ("Bidirectional", "TimeDistributed")


def find(case: Case) -> Finding:
    """Return YES where a meeting stops the target, UNKNOWN where that depends on what tf.keras is."""
    worst = worst_line(case.context("packages_met"), lambda line: stops(case, line))
    if worst is None:
        return ABSENT_FAULT
    line, truth, met = worst
    because = (
        "tensorflow.keras is Keras 3 or, with TF_USE_LEGACY_KERAS=1, tf_keras"
        if truth is Truth.UNKNOWN
        else "it is not certain that both are used together"
    )
    return replace(met, found=line, origin="written", because=because)


def stops(case: Case, line: str) -> Truth:
    """Return whether the target stops where the two classes of a line meet."""
    inner, *_, outer = line.split()
    pair = f"{package(case, inner)} in {package(case, outer)}"
    in_wrapper = outer.endswith(WRAPPERS) and pair in case.trait("refused-package-in-wrapper")
    if in_wrapper or pair in case.trait("refused-package"):
        return Truth.YES
    return Truth.UNKNOWN if pair in case.trait("perhaps-refused-package") else Truth.NO


def package(case: Case, path: str) -> str:
    """Return the package of a class; for a layer of tf.keras that is judged for tf_keras, tf.keras is tf_keras."""
    found = package_of(path)
    legacy = case.point.framework == "tf_keras" and package_of(case.construction.path) == found == "tensorflow.keras"
    return "tf_keras" if legacy else found
