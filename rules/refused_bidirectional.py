"""Keras 3 refuses a Bidirectional around an unregistered class or a layer that runs backward.

## What it does
Finds a Bidirectional around a layer, or an RNN with a cell, whose class is your own and not registered;
`Bidirectional(LSTM(..., go_backwards=True))` without a `backward_layer`; and a Bidirectional with
`batch_input_shape=...`; and before Keras 3.2 one whose layer has `return_state=True`. Keras 3 only.

## Why it matters
The constructor stops with an error, on every machine. Keras 3 makes the layer anew from its configuration, and finds
your class by the name that it is registered under: "Could not locate class 'MyLSTM'". It gives `go_backwards=True` to
the second layer, which it makes itself, and then finds that both run backwards; Keras 2 turns the setting round.
`batch_input_shape` is gone. Up to Keras 3.1 no model can be built of a Bidirectional that returns its states: "can only
concatenate list (not "tuple") to list".

## Bad
```python target=keras@3.15.1
import keras

layer = keras.layers.Bidirectional(keras.layers.LSTM(64, go_backwards=True))
```

```python target=keras@3.15.1
import keras

class MyLSTM(keras.layers.LSTM):
    pass

layer = keras.layers.Bidirectional(MyLSTM(64))
```

## Good
```python target=keras@3.15.1
import keras

@keras.saving.register_keras_serializable()
class MyLSTM(keras.layers.LSTM):
    pass

layer = keras.layers.Bidirectional(MyLSTM(64))
```

## Fix safety
There is no automatic fix: without `go_backwards=True` the two directions change places, and a class that is registered
has to come back from its `get_config()`.

## References
- `keras/src/layers/rnn/bidirectional.py:Bidirectional.__init__`, `_verify_layer_config`
- `keras/src/saving/serialization_lib.py:_retrieve_class_or_fn`
"""

from __future__ import annotations

from cudnnlint.core.fact import Absent
from cudnnlint.core.layer import Construction, Wrapper
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_argument, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN233"
NEEDED = "a layer that runs forwards, of a class that is registered, and an Input for the shape"
SAYS = "Keras 3 refuses this Bidirectional: {found}"
ADVICE = (
    "Take go_backwards=True off the layer inside: a Bidirectional runs both ways anyway. Write Input(batch_shape=...) "
    "for batch_input_shape, and @keras.saving.register_keras_serializable() above a class of your own. For "
    "return_state=True use a newer release: Keras 3.1 and older cannot put the states of both directions together."
)


def find(case: Case) -> Finding:
    """Return YES where the constructor of the Bidirectional certainly stops in Keras 3."""
    direction = case.layer.direction
    if direction is None:
        return ABSENT_FAULT
    states = unjoined_states(case)
    if states.truth is not Truth.NO or case.layer.saved:
        return states
    if not isinstance(direction.arguments.get("batch_input_shape", Absent()), Absent):
        return Finding(Truth.YES, "it is given batch_input_shape", case.construction.place, "written")
    own = [made for made in with_cells(case.construction, direction) if made.subclass and not made.registered]
    if own:
        certain = any(made.registered is False for made in own)
        because = f"{own[0].subclass} may be registered somewhere"
        found = f"{own[0].subclass} is not registered"
        return Finding(Truth.of(certain) | Truth.UNKNOWN, found, case.construction.place, "written", because=because)
    if direction.explicit:
        return ABSENT_FAULT
    finding = judge_argument(case, "go_backwards", bool)
    return replace(finding, found=f"go_backwards of the layer inside is {finding.found}")


def unjoined_states(case: Case) -> Finding:
    """Return YES where a model is built of a Bidirectional whose states the release cannot put together."""
    if not case.trait("unjoined-states"):
        return ABSENT_FAULT
    finding = judge_argument(case, "return_state", bool)
    eager = judge_fact(case.context("eager"), bool).truth & Truth.UNKNOWN  # asked on a CPU alone, where it runs
    because = finding.because or "it is called eagerly, or may be"
    truth = finding.truth & (~eager if eager is Truth.UNKNOWN else Truth.YES)
    return replace(finding, truth=truth, found=f"return_state of the layer inside is {finding.found}", because=because)


def with_cells(made: Construction, direction: Wrapper) -> tuple[Construction, ...]:
    """Return the layer that the Bidirectional is given, and its cells: the one that is made anew."""
    given = direction.sibling if direction.explicit and direction.role == "backward" else made
    return (given, *(given.cells or ())) if given is not None else ()
