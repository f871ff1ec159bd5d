"""The program stops with an error before it reaches the layer.

## What it does
Follows the tensors that reach a recurrent layer, and finds calls before it that Keras stops at: a list, tuple or dict
that is given to a layer of one tensor, a dict whose keys are not the names of a model's inputs, and a `TimeDistributed`
around a layer or model that it cannot spread over the steps, such as a model with several outputs. It also finds layers
that only Keras 2 or only Keras 3 has, such as `ThresholdedReLU` and `RMSNormalization`, layers that stop at integers,
and sequences of no steps: `Input((0, 4))`. In Keras 2 a `Concatenate` along another axis than the last stops where some
of its inputs have a mask and others none. A layer that the `call` of another one makes and sets on itself counts, too:
Keras 3 takes no new layers by then. So does a function of TensorFlow on a tensor of a graph, outside of the call of a
layer: `tf.cast(inputs, "bool")`. So does `fit` in Keras 3 with eager execution off. Keras 3 finds no class of its own
by a configuration without `module`. A layer that each `call` makes anew stops `fit` on TensorFlow.

## Why it matters
The program stops while the model is built, on every machine. Whether the layer behind it would run in cuDNN is seen
once that is mended.

## Bad
```python
import keras

inputs = keras.Input((10, 4))
outputs = keras.layers.LSTM(64)(keras.layers.Dense(8)([inputs]))
```

```python
import keras

inputs = keras.Input((3, 10, 4))
outputs = keras.layers.TimeDistributed(keras.layers.LSTM(64, return_state=True))(inputs)
```

## Good
```python
import keras

inputs = keras.Input((10, 4))
outputs = keras.layers.LSTM(64)(keras.layers.Dense(8)(inputs))
```

## Fix safety
There is no automatic fix: what the call was meant to pass is yours to say.

## References
- `keras/src/layers/rnn/time_distributed.py:TimeDistributed.call`
- `keras/src/models/functional.py:Functional._flatten_to_reference_inputs`
- `fixtures/evidence/wrapped_stops.json`: what each release was asked
"""

from __future__ import annotations

from cudnnlint.core.fault_lines import worst_line
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN243"
LEADING = ("stops_before", "run_stops")
NEEDED = "calls that this release takes"
SAYS = "The program stops before the layer has run, at {found}"
ADVICE = (
    "Change that call: give a layer one tensor of a dtype that it takes, and a TimeDistributed one input and output. "
    "Make layers in __init__(), not in call()."
)
#: The way out, by a word of what stops the program.
WAYS_OUT = {
    "dropout": "Pass dropout to the constructor of the layer.",
    "stateful": "Pass stateful=True to the constructor of the layer.",
    "setter": "Give the property a setter, or another name.",
    "`.input`": "Use inputs, in the plural, which every release shows.",
    "`.output`": "Use outputs, in the plural, which every release shows.",
    "keys": "Give the model a dict with the same keys.",
    "a call of ": "The target has no such class: use a layer that it has.",
    "TensorFlow": "Use the function of keras.ops, or call TensorFlow's in the call() of a layer of your own.",
    "tf.function": "Leave tf.function away there, or call the function in the call() of a layer of your own.",
    "axis": "Give each of the inputs a mask, or none of them (mask_zero=False), or join them along the last axis.",
    "eager": "Leave eager execution on: fit and predict build graphs anyway.",
    "`layer`": "Use forward_layer and backward_layer, which every release has.",
    "slice": "Write an index for each dimension: x[:, 1:].",
    "build()": "Name what it takes: build(self, input_shape).",
    "one name": "Give each layer of a model a name of its own, or none.",
    "cell": "Set the cell before the layer is called for the first time, or make RNN(cell).",
}


def find(case: Case) -> Finding:
    """Return YES where what certainly leads to the layer stops the target, UNKNOWN where either is in doubt."""
    stops, may_stop = case.trait("stops-before"), case.trait("may-stop-before")
    truth = lambda kind: Truth.YES if kind in stops else Truth.UNKNOWN if kind in may_stop else Truth.NO  # noqa: E731
    worst = [line for name in LEADING if (line := worst_line(case.context(name), truth)) is not None]
    if not worst:
        return of_no_steps(case)
    kind, _, there = max(worst, key=lambda line: line[2].truth is Truth.YES)
    because = f"{kind} stops this release, or may do so, and it is not certain that the program gets there"
    return replace(there, found=kind, origin="written", because=because)


def advise(case: Case) -> str | None:
    """Return the way out of what stops the program, where there is one that is not that of most calls."""
    found = find(case).found
    return next((way for word, way in WAYS_OUT.items() if word in found), None)


def of_no_steps(case: Case) -> Finding:
    """Return YES where a sequence of no steps reaches the layer: on TensorFlow its loop reads the first one."""
    none = judge_fact(case.context("steps"), lambda steps: steps == 0)
    if none.truth is Truth.NO:
        return ABSENT_FAULT
    asked = Truth.YES if case.point.backend == "tensorflow" else Truth.UNKNOWN
    because = "it is not known what this backend does with a sequence of no steps"
    return replace(none, truth=none.truth & asked, found="a sequence of no steps", origin="written", because=because)
