"""The target's Keras has no class of this name, or not in the module that it is imported from.

## What it does
Finds recurrent classes that do not exist in the target's Keras, or not in the module that the code uses. Most of these
are CuDNNLSTM and CuDNNGRU, and classes imported from modules of old Keras (`keras.layers.recurrent`). An RNN around a
cell that is gone counts, too, and so does any layer behind the import of such a class, or of a module that is gone
(`keras.layers.core`, `keras.utils.np_utils`, `tensorflow.contrib`): the program ends there.

## Why it matters
TensorFlow 2 never had `tf.keras.layers.CuDNNLSTM`, only `tf.compat.v1.keras.layers.CuDNNLSTM`. Keras 3 has neither.
LSTM and GRU use cuDNN automatically and also run on a CPU. `keras.layers.recurrent` and similar modules were removed in
Keras 2.9: the import stops the program, although `keras.layers` still has the layer.

## Bad
```python
import keras

layer = keras.layers.CuDNNLSTM(64)
```

```json
{"module": "keras", "class_name": "Sequential", "config": {"name": "old", "layers": [
  {"module": "keras.layers", "class_name": "InputLayer", "config": {"name": "x", "batch_shape": [null, 10, 4]}},
  {"module": "keras.layers", "class_name": "CuDNNGRU", "config": {"name": "gru", "units": 64}}]}}
```

## Fixed
```python
import keras

layer = keras.layers.LSTM(64)
```

## Good
```python target=tf_keras@2.21.0
import tensorflow as tf

layer = tf.compat.v1.keras.layers.CuDNNLSTM(64)
```

## Fix safety
LSTM and GRU compute the same numbers from the same weights, in training and at inference. A CuDNNLSTM adds two biases;
an LSTM has one, their sum. `cudnnlint convert` carries the weights of a saved model over. In further training the
optimizer updates that sum once, where it updated both parts before. A corrected import does not change the layer. Its
defaults are those of the target.

Old Keras (standalone before 2.4, TensorFlow 1) has other defaults: there an LSTM that is to compute what a CuDNNLSTM
did needs `recurrent_activation="sigmoid"`, and a GRU `reset_after=True` as well. Without the first the weights load,
and the numbers are others.

## References
- `tf_keras/src/layers/rnn/cudnn_lstm.py`
- `tf_keras/src/saving/legacy/hdf5_format.py:_convert_rnn_weights`
"""

from __future__ import annotations

from cudnnlint.core.edit import DropArgument, Effect, Intent, PutInput, ReplaceClass, Step
from cudnnlint.core.fact import Absent, certainly
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.rule import Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN203"
NEEDED = "a class that the target has"
SAYS = "{detail}"
ADVICE = (
    "Import the class from keras.layers. In place of CuDNNLSTM and CuDNNGRU use LSTM or GRU, which use cuDNN "
    "automatically; cudnnlint convert keeps the weights of a saved model."
)
PROPER = {"keras": "Keras", "tensorflow": "TensorFlow"}
#: TensorFlow's private copy of Keras, whose LSTM and GRU are TensorFlow 1's, with other defaults (names.toml).
COPY = "tensorflow.python.keras."
OLD_DEFAULTS = {"LSTM": ("recurrent_activation",), "GRU": ("recurrent_activation", "reset_after")}
SUCCESSORS = {"CuDNNLSTM": "LSTM", "CuDNNGRU": "GRU"}


def find(case: Case) -> Finding:
    """Return YES where the tables say that the target has no such class."""
    made = case.construction
    if case.gone_cell is not None and not case.missing:
        made = case.gone_cell
    origin = "assumed" if made.assumed else "written"
    module, point = made.path.rpartition(".")[0], case.point
    release = f"{PROPER.get(point.framework, point.framework)} {point.keras}"
    if not case.missing and case.gone_cell is None and case.gone_imports:
        return _imported(case, release)
    if case.moved is None:
        where = release if case.layer.saved or not module else f"{module} of {release}"
        says = f"there is no class {made.class_name} in {where}"
        gone = Truth.of(case.missing or case.gone_cell is not None)
        return Finding(gone, made.class_name, made.place, origin, detail=says)
    says = f"{made.class_name} is imported from {module}, which {release} does not have; it is {case.moved} there"
    if case.moved == f"{module.removesuffix('.models')}.layers.{made.class_name}":
        says = f"there is no class {made.class_name} in {module} of {release}; it is {case.moved} there"
    return Finding(Truth.YES, made.path, made.place, origin, detail=says)


def _imported(case: Case, release: str) -> Finding:
    """Return what stops the program before the layer is made: the name of a class or module that the target has not."""
    name = min(case.gone_imports)
    finding = judge_fact(case.context("imports"), lambda text: text is not None and name in text.split("\n"))
    says = f"the program stops before, at {name}: {release} has no such class"
    if not name.rpartition(".")[2][:1].isupper():
        says = f"the program stops before, at {name}: {release} has no such module"
    because = f"{release} has no {name}, and it is not certain that the program names it before the layer is made"
    return replace(finding, found=name, origin="written", detail=says, because=because)


def fix(case: Case) -> Intent | None:
    """Import from the module that has the class now, or use the layer that came after a CuDNN layer."""
    old = case.construction.class_name
    if case.moved is not None:
        steps: tuple[Step, ...] = (ReplaceClass(case.construction.path, case.moved),)
        says = f"import {old} from {case.moved.rpartition('.')[0]}"
        other = [name for name in OLD_DEFAULTS.get(old, ()) if isinstance(case.construction.argument(name), Absent)]
        if not other or not case.construction.path.startswith(COPY) or "recurrent_v2" in case.construction.path:
            return Intent(steps, Effect.SAME_NUMBERS, says)
        return Intent(steps, Effect.NEEDS_NEW_WEIGHTS, f"{says}, where the default of {' and '.join(other)} is another")
    new = SUCCESSORS.get(old) if case.missing else None
    if new is None or case.construction.subclass:
        return None
    steps = (ReplaceClass(old, new),)
    written = case.construction.arguments
    if not case.layer.saved and case.point.keras_3:
        if certainly(case.construction.argument("time_major"), False):
            steps += (DropArgument("time_major"),)
        if "batch_input_shape" in written:
            steps += (PutInput("batch_input_shape"),)
    says = f"use {new}"
    if case.layer.saved:
        says = f"use {new}; cudnnlint convert OLD NEW rewrites the whole file, if it is of Keras 2"
    return Intent(steps, Effect.SAME_NUMBERS, says)
