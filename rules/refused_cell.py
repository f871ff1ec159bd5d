"""An RNN is given something that is not a cell.

## What it does
Finds `RNN(LSTMCell)`, where the class stands in place of a cell, `RNN(LSTM(64))`, `RNN(Dense(64))`,
`RNN(Sequential())`, `RNN()`, an RNN that is given a number, a text or None, or a list with one of them, and
`StackedRNNCells(LSTMCell(64))`, which wants a list. It finds an LSTM or GRU whose `cell` is replaced by one of another
kind: `gru.cell = LSTMCell(64)`. On JAX it also finds `RNN([GRUCell(64)])`, and several cells that compute in another
dtype than the StackedRNNCells around them; in all of Keras 3 `RNN([LSTMCell(64)], unroll=True)`: there a list of one
cell stops.

## Why it matters
An RNN takes an object with a `call` method and a `state_size`. A class has to be called first: `LSTMCell(64)`. Keras
stops where the layer is made or first called, on every machine. A list becomes StackedRNNCells, which hand on the
states of several cells; with one cell alone they lose the list around its state. They cast the states to a dtype of
their own, which is the global policy's unless they are given one, and the loop of JAX wants each state as it was.

## Bad
```python
import keras

layer = keras.layers.RNN(keras.layers.LSTMCell)
```

```python
import keras

layer = keras.layers.RNN([keras.layers.LSTMCell(64)], unroll=True)
```

```python
import keras

layer = keras.layers.RNN(keras.layers.StackedRNNCells(keras.layers.LSTMCell(64)))
```

```python target=keras@3.15.1
import keras

layer = keras.layers.GRU(64)
layer.cell = keras.layers.LSTMCell(64)
y = layer(keras.Input((10, 4)))
```

```python target=keras@3.15.1:jax
import keras

cells = [keras.layers.LSTMCell(64, dtype="mixed_float16") for _ in range(2)]
layer = keras.layers.RNN(cells)
```

## Good
```python
import keras

layer = keras.layers.LSTM(64)
```

```python target=keras@3.15.1:jax
import keras

cells = [keras.layers.LSTMCell(64, dtype="mixed_float16") for _ in range(2)]
layer = keras.layers.RNN(keras.layers.StackedRNNCells(cells, dtype="mixed_float16"))
```

## Fix safety
There is no automatic fix: how many units the cell should have is yours to say.

## References
- `keras/src/layers/rnn/stacked_rnn_cells.py:StackedRNNCells.call`, `keras/src/backend/jax/rnn.py:rnn`
- `keras/src/layers/rnn/rnn.py:RNN.__init__`, `tf_keras/src/layers/rnn/base_rnn.py:RNN.__init__`
"""

from __future__ import annotations

from cudnnlint.core.fact import Ref, values
from cudnnlint.core.layer import Construction
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.recurrent_inputs import RANKS, alone_in_list
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_argument, judge_fact
from cudnnlint.core.stacked_cells import in_another_dtype
from cudnnlint.core.truth import Truth

CODE = "CDN239"
MODELS = ("Sequential", "Model")
#: Cells that an LSTM or GRU is not made for, and whether they have more states than it.
OTHER_CELLS = {"LSTM": {"GRUCell": 0, "SimpleRNNCell": 0}, "GRU": {"LSTMCell": 1, "SimpleRNNCell": 0}}
NEEDED = "a cell, such as LSTMCell(64)"
SAYS = "an RNN takes a cell, or several, and this is {found}"
ADVICE = "Call the class, LSTMCell(64); or use the layer LSTM or GRU, which can run in cuDNN."


def find(case: Case) -> Finding:
    """Return YES where what the RNN is given certainly is no cell, or is one that stops in a list of one."""
    made = case.construction
    if case.operation in OTHER_CELLS and not case.layer.saved:
        return exchanged(case)
    if made.class_name != "RNN" or case.layer.saved:
        return ABSENT_FAULT if made.class_name != "RNN" else in_another_dtype(case)
    if made.cells == () and "cell" not in made.arguments and made.open is None and made.subclass is None:
        return Finding(Truth.YES, "a call without a cell", made.place, "written")
    layer = next((cell for cell in made.cells or () if is_layer(cell, len(made.cells or ()))), None)
    if layer is not None:
        in_layers = "layers" in layer.path.split(".")
        found = f"the layer {layer.class_name}" if in_layers else f"the model {layer.class_name}"
        return Finding(Truth.YES, found, layer.place, "written")
    stack = next((cell for cell in made.cells or () if cell.class_name == "StackedRNNCells"), None)
    if stack is not None and stack.subclass is None and (finding := unlisted(stack)).truth is not Truth.NO:
        return finding
    finding = judge_argument(case, "cell", lambda value: no_cell(case, value))
    if finding.truth is Truth.YES:
        return finding
    return finding if (finding := alone(case)).truth is not Truth.NO else in_another_dtype(case)


def exchanged(case: Case) -> Finding:
    """Return YES for a layer whose cell is replaced by one that lacks what it reads; Keras 3 may loop over it."""
    others = OTHER_CELLS[case.operation]
    finding = judge_fact(case.context("cell_replaced"), lambda value: value in others)
    looped = judge_argument(case, "use_cudnn", lambda value: value is False).truth if case.point.keras_3 else Truth.NO
    cell = next((str(value) for value in values(case.context("cell_replaced")) if value in others), "")
    if finding.truth is not Truth.YES or not (looped is Truth.NO or others[cell]):
        return ABSENT_FAULT
    return replace(finding, found=f"{cell} in place of its own cell")


def is_layer(cell: Construction, count: int) -> bool:
    """Return whether one of `count` cells is a layer of Keras's own; recurrent ones may be stacked."""
    named = cell.class_name.endswith(("Cell", "Cells", "Wrapper")) or not (
        cell.class_name in MODELS or "layers" in cell.path.split(".")
    )
    return cell.subclass is None and (count == 1 if cell.class_name in RANKS else not named)


def unlisted(stack: Construction) -> Finding:
    """Return YES for StackedRNNCells that are given a cell, or something else, where a list of cells is wanted."""
    if stack.cells:
        return Finding(Truth.YES, f"StackedRNNCells of one {stack.cells[0].class_name}", stack.place, "written")
    if "cells" not in stack.arguments and stack.open is None:
        return Finding(Truth.YES, "StackedRNNCells without cells", stack.place, "written")
    plain = (int, float, str, Ref, type(None))
    finding = judge_fact(stack.argument("cells"), lambda value: isinstance(value, plain))
    return replace(finding, found=f"StackedRNNCells of {finding.found}") if finding.truth is Truth.YES else ABSENT_FAULT


def alone(case: Case) -> Finding:
    """Return YES for a list of one cell where the target hands its state on in the wrong shape."""
    cell = alone_in_list(case.construction, case.argument("cell"))
    if cell is None or cell.subclass is not None:
        return ABSENT_FAULT
    looped = ~judge_argument(case, "unroll", bool).truth
    stops = looped & Truth.of(bool(case.trait("lone-looped")))
    stops |= ~looped & Truth.of(cell.class_name in case.trait("lone-unrolled"))
    because = "whether the loop is unrolled is not known"
    return Finding(stops, f"a list of one {cell.class_name}", cell.place, "written", because=because)


def no_cell(case: Case, value: object) -> bool:
    """Return whether a value certainly is no cell, and no list of cells."""
    if value in ([], ()):
        return not case.trait("no cells")
    return value is None or isinstance(value, (int, float, str, Ref))
