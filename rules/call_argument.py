"""The layer is called with an argument that it does not accept.

## What it does
Compares the names by which a call passes its arguments with those that the layer takes in the target. In Keras 3 they
are `sequences`, `initial_state`, `mask` and `training`, and `inputs`, `mask` and `training` for a TimeDistributed. In
Keras 2 the first is called `inputs`, and most layers take `constants` too.

## Why it matters
The call stops with a TypeError, on every machine. Code for Keras 2 that passes the input by its name, or `constants`
to an RNN, does so in Keras 3.

## Bad
```python
import keras

inputs = keras.Input((10, 4))
outputs = keras.layers.LSTM(64)(inputs=inputs)
```

```python target=tf_keras@2.21.0
import tf_keras as keras

inputs = keras.Input((10, 4))
outputs = keras.layers.LSTM(64)(sequences=inputs)
```

## Good
```python
import keras

inputs = keras.Input((10, 4))
outputs = keras.layers.LSTM(64)(inputs)
```

## Fix safety
There is no automatic fix: pass the input without a name, which every release takes.

## References
- `keras/src/layers/rnn/lstm.py:LSTM.call`, `keras/src/layers/rnn/bidirectional.py:Bidirectional.call`
- `tf_keras/src/layers/rnn/base_rnn.py:RNN.__call__`
"""

from __future__ import annotations

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.recurrent_inputs import keywords_of_method, keywords_taken, own_call
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN240"
NEEDED = "a call by the names that the layer takes"
SAYS = "The call passes {found}, and the layer takes {detail}"
ADVICE = "Pass the input without a name: layer(x). Every release takes it so."
ADVICE_FOR_SUPER = "Pass on to super().call() what it takes in the target, and leave the rest out."


def find(case: Case) -> Finding:
    """Return YES where a call names an argument that Keras's own class does not take."""
    direct = keywords_of_method(case.layer, case.construction, case.point)
    finding = _beyond(case, "direct_call_keywords", direct)
    made = case.construction
    own = "call" in made.overrides or (own_call(made) and "__call__" not in made.calls_super)
    if finding.truth is not Truth.YES and not own:
        finding = _beyond(case, "call_keywords", keywords_taken(case.layer, case.point))
    return finding


def _beyond(case: Case, name: str, takes: frozenset[str]) -> Finding:
    finding = judge_fact(case.context(name), lambda names: bool(names) and not takes >= {*names.split(", ")})
    if finding.truth is not Truth.YES:
        return ABSENT_FAULT
    found, detail = finding.found.strip("'"), ", ".join(sorted(takes))
    return replace(finding, found=found, place=case.construction.place, origin="written", detail=detail)


def advise(case: Case) -> str | None:
    """Return the way out where the user's own `call` passes the argument on."""
    return ADVICE_FOR_SUPER if own_call(case.construction) else None
