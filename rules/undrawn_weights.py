"""The backend cannot make orthogonal weights in the layer's dtype.

## What it does
Finds recurrent layers whose weights are half precision (`dtype="bfloat16"`, `dtype="float16"`, `set_floatx("float16")`;
not the mixed policies) and whose initializer is the orthogonal one, which is the default for recurrent weights, on a
backend that cannot compute it in that dtype.

## Why it matters
The orthogonal initializer needs a QR decomposition. torch and JAX have none in float16 or bfloat16, TensorFlow none in
bfloat16, and from 2.4 to 2.9 none in float16 either. The program stops when the layer's weights are made, on every
machine.

## Bad
```python target=keras@3.15.1:torch
import keras

layer = keras.layers.LSTM(64, dtype="float16")
```

## Fixed
```python target=keras@3.15.1:torch
import keras

layer = keras.layers.LSTM(64, dtype="mixed_float16")
```

## Good
```python target=keras@3.15.1:torch
import keras

layer = keras.layers.LSTM(64, dtype="float16", recurrent_initializer="glorot_uniform")
```

## Fix safety
Under the mixed policy the weights are float32, and the layer computes in half precision as before: the numbers change
slightly, and the weights take twice the memory.

## References
- `keras/src/initializers/random_initializers.py:Orthogonal.__call__`
- fixtures/evidence/undrawn_weights.json (asked of 30 releases and backends)
"""

from __future__ import annotations

from cudnnlint.core.edit import Effect, Intent, SetArgument
from cudnnlint.core.execution_context import floatx, policy, policy_name
from cudnnlint.core.fact import Absent, Assumed, Known, Opaque, Ref, Single, alternatives, values
from cudnnlint.core.layer import Construction
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.recurrent_inputs import VECTOR_CELLS, computing_cells
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_fact
from cudnnlint.core.truth import Truth, joint

CODE = "CDN246"
NEEDED = "a dtype in which the backend draws orthogonal weights"
SAYS = "the weights are {found}, in which this backend cannot draw orthogonal ones"
ADVICE = "Use the mixed policy of that dtype, whose weights are float32, or another recurrent_initializer."
INITIALIZERS = ("recurrent_initializer", "kernel_initializer")  # only the first is orthogonal where it is not written
ORDER = (Truth.YES, Truth.UNKNOWN, Truth.NO)


def find(case: Case) -> Finding:
    """Return YES where the weights have a dtype that the target cannot draw, and an initializer is orthogonal."""
    undrawn = case.trait("undrawn")
    if not undrawn:
        return ABSENT_FAULT
    leaves = computing_cells(case.construction.cells)
    cells: list[Construction | None] = [cell for cell in leaves if cell.class_name in VECTOR_CELLS]
    found = [_of_weights(case, undrawn, cell) for cell in cells or [None]]
    return min(found, key=lambda one: ORDER.index(one.truth))


def _of_weights(case: Case, undrawn: frozenset[str], cell: Construction | None) -> Finding:
    """Return whether the weights of the layer, or of a cell of it, have a dtype that cannot be drawn."""
    fact, own = policy(case, cell)

    def faulty(value: object) -> Truth:
        name = policy_name(value)
        if name is None:
            return Truth.UNKNOWN
        sure = own or name == floatx(case)  # what a program sets for all layers may mean a mixed policy
        return (Truth.YES if sure else Truth.UNKNOWN) if name in undrawn else Truth.NO

    finding = judge_fact(fact, faulty)
    if finding.truth is Truth.NO:
        return finding
    drawn = [(cell or case).argument(name) for name in INITIALIZERS]
    orthogonal = Truth.of(cell is not None and isinstance(drawn[0], Absent))  # a cell's default
    for one in drawn:
        orthogonal |= joint([_draws_orthogonal(single) for single in alternatives(one)])
    return replace(finding, truth=finding.truth & orthogonal)


def _draws_orthogonal(initializer: Single) -> Truth:
    value = initializer.value if isinstance(initializer, (Known, Assumed)) else None
    if isinstance(value, Opaque) and value.made_by:
        return _is_orthogonal(Ref(value.made_by))
    return judge_fact(initializer, _is_orthogonal).truth


def _is_orthogonal(value: object) -> Truth:
    if isinstance(value, dict):
        value = value.get("class_name")
    if isinstance(value, Ref):
        value = value.name.rpartition(".")[2]
    return Truth.of(value.lower().startswith("orthogonal")) if isinstance(value, str) else Truth.UNKNOWN


def fix(case: Case) -> Intent | None:
    """Set the mixed policy of the dtype that is written on the layer."""
    fact, own = policy(case)
    names = {policy_name(value) for value in values(fact)}
    if not own or len(names) != 1 or case.construction.cells:
        return None
    computes = names.pop()
    if case.dtypes and computes not in case.dtypes:
        return None  # the kernel would not take it: see unsupported-dtype
    mixed = f"mixed_{computes}"
    return Intent((SetArgument("dtype", mixed),), Effect.CHANGES_NUMBERS, f'set dtype="{mixed}" on the layer')
