"""TensorFlow refuses the name of the layer.

## What it does
Finds recurrent layers whose `name` has a blank, a colon, a bracket, an umlaut or another character that TensorFlow does
not allow in the name of a scope.

## Why it matters
Keras opens a scope with the name of the layer around its operations. TensorFlow takes letters without accents, digits
and `_ . / > -` there. With anything else Keras 2 stops where the layer is called on an Input, and Keras 3 on
TensorFlow when fit() or predict() trace the model: "'my lstm' is not a valid scope name". torch and JAX take any name.

## Bad
```python
import keras

model = keras.Sequential([keras.Input((20, 8)), keras.layers.LSTM(64, name="my lstm")])
```

## Good
```python
import keras

model = keras.Sequential([keras.Input((20, 8)), keras.layers.LSTM(64, name="my_lstm")])
```

## Fix safety
There is no automatic fix: code that looks the layer up by its name, and files of weights that go by names, have to
change with it.

## References
- `tensorflow/python/framework/ops.py:Graph.name_scope` (`_VALID_SCOPE_NAME_REGEX`)
- `keras/src/layers/layer.py:Layer._open_name_scope`, `tf_keras/src/engine/base_layer.py:Layer._name_scope`
"""

from __future__ import annotations

from dataclasses import replace

from cudnnlint.core.recurrent_inputs import refused_as_scope
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_argument, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN238"
NEEDED = "a name of letters without accents, digits and _ . - alone"
SAYS = "TensorFlow refuses the name {found} when it builds a graph"
ADVICE = "Write _ for what TensorFlow refuses, and change the code that looks the layer up by its name."


def find(case: Case) -> Finding:
    """Return YES where the name certainly has a character that no scope may have, and a graph is built."""
    finding = judge_argument(case, "name", refused_as_scope)
    if finding.truth is not Truth.YES:
        return ABSENT_FAULT
    graph = ~judge_fact(case.context("eager"), bool).truth
    around = [wrapper.kind for wrapper in case.layer.wrappers if wrapper.kind != "Bidirectional"]
    if not around:
        return replace(finding, truth=graph)
    because = f"it is not known whether {around[0]} opens a scope for the layer inside"
    return replace(finding, truth=graph & Truth.UNKNOWN, because=because)
