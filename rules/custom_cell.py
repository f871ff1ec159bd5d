"""A plain RNN layer always loops over its cell; only the layers LSTM and GRU can use cuDNN.

## What it does
Finds `RNN(cell)`, whatever the cell is: LSTMCell, several cells, or a custom cell.

## Why it matters
`RNN(LSTMCell(64))` computes what `LSTM(64)` computes, but an RNN always loops over its cell. Several cells in one RNN
are slower still: each step runs through all of them before the next step starts.

## Bad
```python
import keras

layer = keras.layers.RNN(keras.layers.LSTMCell(64), return_sequences=True)
```

## Fixed
```python
import keras

layer = keras.layers.LSTM(64, return_sequences=True)
```

## Good
```python
import keras

layer = keras.layers.LSTM(64)
```

## Fix safety
One LSTMCell or GRUCell that cuDNN can compute becomes the layer LSTM or GRU, with the same numbers. Several cells
become several layers, with the same numbers at inference. There is no fix for a custom cell. The new layer has another
class and automatic name; a file that calls `get_layer` or `load_weights`, or asks `isinstance`, is not fixed unasked.

## References
- `keras/src/layers/rnn/rnn.py:RNN.inner_loop`
"""

from __future__ import annotations

from cudnnlint.core.edit import CellToLayer, Effect, Intent, Unroll
from cudnnlint.core.execution_context import may_be_padded, policy, policy_name, unlike_dtypes
from cudnnlint.core.fact import Absent, Fact, certainly, values
from cudnnlint.core.layer import Construction
from cudnnlint.core.rule import Case, Finding
from cudnnlint.core.stacked_cells import listed_otherwise
from cudnnlint.core.truth import Truth

CODE = "CDN108"
NEEDED = "an LSTM or GRU layer"
SAYS = "this is {found}, and an RNN layer always loops over its cell"
ADVICE = "Use the layer LSTM or GRU. Weights carry over from LSTMCell and GRUCell, but not from a custom cell."
KERAS = {"keras", "tf_keras"}
LAYERS = {"LSTMCell": "LSTM", "GRUCell": "GRU"}
#: The values that the kernel needs of a cell's arguments.
PLAIN = {
    "activation": "tanh", "recurrent_activation": "sigmoid", "use_bias": True, "recurrent_dropout": 0,
    "reset_after": True,
}  # fmt: skip
MAY_STAY = True


def find(case: Case) -> Finding:
    """Return YES: a row names this rule only for an RNN; UNKNOWN where a user's own class runs something else."""
    made = case.construction
    names = [cell.subclass or cell.class_name for cell in made.cells or ()]
    found = f"RNN({', '.join(names) or 'a cell'})"
    for name in ("inner_loop", "call"):
        if name in made.may_call_super:
            because = f"{made.subclass} overrides {name}() of RNN, and cudnnlint does not analyze what runs there"
            return Finding(Truth.UNKNOWN, found, made.place, "unknown", because=because)
    return Finding(Truth.YES, found, made.place, "written")


def fix(case: Case) -> Intent | None:
    """Use the layer of the cell's name where cuDNN could compute it; return None where that is not certain."""
    made = case.construction
    cells = made.cells or ()
    if made.subclass or made.open or not cells or not all(plain(case, cell) for cell in cells) or may_be_padded(case):
        return None
    if not certainly(case.argument("unroll"), False) or listed_otherwise(case):
        return None
    layers = tuple(LAYERS[cell.class_name] for cell in cells)
    if len(cells) == 1:
        dropout = cells[0].argument("dropout")
        quiet = isinstance(dropout, Absent) or certainly(dropout, 0)
        effect = Effect.SAME_NUMBERS if quiet else Effect.SAME_AT_INFERENCE
        return Intent((CellToLayer(layers[0]),), effect, f"use the layer {layers[0]}")
    if case.layer.direction or not chainable(case):
        return None
    return Intent(
        (Unroll(layers),), Effect.SAME_AT_INFERENCE, f"use the layers {' and '.join(layers)} one after the other"
    )


def plain(case: Case, cell: Construction) -> bool:
    """Return whether this is Keras's own LSTMCell or GRUCell, with arguments that the kernel takes."""
    path, own = cell.path.split("."), not cell.subclass and cell is not case.gone_cell
    if cell.class_name not in LAYERS or not own or cell.open or "v1" in path or not KERAS & set(path):
        return False
    if dtype(cell.argument("dtype")) not in (None, dtype(case.argument("dtype"))) or unlike(case, cell):
        return False
    return all(
        isinstance(cell.argument(name), Absent) or certainly(cell.argument(name), wanted)
        for name, wanted in PLAIN.items()
    )


def unlike(case: Case, cell: Construction) -> bool:
    """Return whether the cell may compute in another dtype than the layer; without one of their own, they do not."""
    (outer, own), (inner, owned) = policy(case), policy(case, cell)
    return (own or owned) and unlike_dtypes(case, outer, inner) is not Truth.NO


def dtype(fact: Fact) -> str | None:
    """Return the name of a written dtype policy; None where none is written, "?" where it is not known."""
    if isinstance(fact, Absent) or certainly(fact, None):
        return None
    (name, *more) = [policy_name(value) for value in values(fact)] or ["?"]
    return "?" if more or name is None else name


def chainable(case: Case) -> bool:
    """Return whether several cells can become a chain: not with states passed in or out, nor backwards."""
    quiet = ("return_state", "stateful", "go_backwards")
    facts = [*(case.argument(name) for name in quiet), case.context("initial_state")]
    return all(certainly(fact, False) for fact in facts)
