"""Keras refuses the Bidirectional around the layer.

## What it does
Finds a Bidirectional around another wrapper or a whole model, one whose two layers were given but do not fit together
or of which one is no recurrent layer, one with a `merge_mode` that does not exist, and one that adds up outputs of
different sizes.

## Why it matters
The constructor, or the first call, stops with an error, on every machine. Of two layers that are given, one has to have
`go_backwards=True` and the other not, and `return_sequences`, `return_state` and `stateful` have to be the same. A
wrapper such as TimeDistributed has no `go_backwards` that could be turned round: put the Bidirectional inside it.

## Bad
```python
import keras

forward, backward = keras.layers.LSTM(64), keras.layers.LSTM(64)
layer = keras.layers.Bidirectional(forward, backward_layer=backward)
```

```python
import keras

layer = keras.layers.Bidirectional(keras.layers.LSTM(64), backward_layer=keras.layers.Dense(64))
```

```python
import keras

layer = keras.layers.Bidirectional(keras.Sequential([keras.layers.LSTM(64)]))
```

## Good
```python
import keras

forward, backward = keras.layers.LSTM(64), keras.layers.LSTM(64, go_backwards=True)
layer = keras.layers.Bidirectional(forward, backward_layer=backward)
```

## Fix safety
There is no automatic fix: only the author knows what was meant.

## References
- `keras/src/layers/rnn/bidirectional.py:Bidirectional.__init__`, `_verify_layer_config`
- `tf_keras/src/layers/rnn/bidirectional.py:Bidirectional.__init__`
"""

from __future__ import annotations

from cudnnlint.core.directions import other, unlike
from cudnnlint.core.fact import Absent
from cudnnlint.core.layer import Construction, Wrapper
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.recurrent_inputs import RANKS
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN232"
NEEDED = "two layers that differ in go_backwards alone"
SAYS = "Keras refuses this Bidirectional: {found}"
ADVICE = "Put the Bidirectional around the recurrent layer itself, and give backward_layer go_backwards=True."
MERGED = ("sum", "mul", "ave", "concat", None)
ALIKE = ("return_sequences", "return_state", "stateful")
#: What adds the two outputs up, number by number, and the arguments that say how many there are.
ADDED, SIZES = ("sum", "mul", "ave"), ("units", "filters")


def find(case: Case) -> Finding:
    """Return YES where the constructor of the Bidirectional, or its first call, certainly stops."""
    around = next((one for one in case.layer.wrappers if one.kind == "Bidirectional" and not one.role), None)
    if around is not None:
        return without_directions(case, around)
    direction = case.layer.direction
    if direction is None:
        return ABSENT_FAULT
    found = [merged(direction)]
    if direction.explicit and direction.sibling is not None:
        if direction.role == "forward" and no_recurrent_layer(direction.sibling):
            backward = f"its backward_layer is a {direction.sibling.class_name}"
            return Finding(Truth.YES, backward, direction.sibling.place, "written")
        found += [compared(case, direction, name) for name in ("go_backwards", *ALIKE)]
        found += [summed(case, direction, name) for name in SIZES]
    certain = [finding for finding in found if finding.truth is Truth.YES]
    doubtful = [finding for finding in found if finding.truth is Truth.UNKNOWN]
    if case.layer.saved:
        doubtful = []  # it was made before it was saved: only a file that somebody wrote by hand can be refused
    return (certain or doubtful or [ABSENT_FAULT])[0]


def without_directions(case: Case, around: Wrapper) -> Finding:
    """Return YES for a Bidirectional around a wrapper or a model: UNKNOWN where it may be around something else."""
    if "layer" not in around.arguments:
        wrapper = f"it is around a {case.layer.wrappers[0].kind}"
        return Finding(Truth.YES, wrapper, case.construction.place, "written")
    finding = judge_fact(around.arguments["layer"], lambda model: True)
    because = "the layer may be part of a model that a Bidirectional is given"
    return replace(finding, found=f"it is around {finding.found}", because=because)


def no_recurrent_layer(made: Construction) -> bool:
    """Return whether the backward layer is an object of Keras's own without directions: a Dense, a cell, a model."""
    return made.subclass is None and made.class_name not in {*RANKS, "RNN"}


def merged(direction: Wrapper) -> Finding:
    """Return YES for a way to merge that does not exist."""
    fact = direction.arguments.get("merge_mode", Absent())
    finding = judge_fact(fact, lambda value: value not in MERGED)
    if finding.truth is not Truth.YES:
        return ABSENT_FAULT
    return Finding(Truth.YES, f"merge_mode is {finding.found}", finding.place, finding.origin)


def compared(case: Case, direction: Wrapper, name: str) -> Finding:
    """Return YES where the two directions do not differ in go_backwards, or differ in something else."""
    finding = unlike(case, direction, name)
    truth = ~finding.truth if name == "go_backwards" else finding.truth
    return replace(finding, truth=truth, place=case.construction.place)


def summed(case: Case, direction: Wrapper, name: str) -> Finding:
    """Return YES where outputs of different sizes are to be added up; one of size 1 is added to every number."""
    merges = judge_fact(direction.arguments.get("merge_mode", Absent()), lambda value: value in ADDED).truth
    sizes = [judge_fact(fact, several).truth for fact in (case.argument(name), other(case, direction, name))]
    if sizes != [Truth.YES, Truth.YES]:
        return ABSENT_FAULT
    finding = unlike(case, direction, name)
    mode = f"merge_mode adds up outputs of different sizes: {finding.found}"
    return replace(finding, truth=merges & finding.truth, found=mode, place=case.construction.place)


def several(size: object) -> bool:
    """Return whether this is a number of at least two."""
    return isinstance(size, int) and size > 1
