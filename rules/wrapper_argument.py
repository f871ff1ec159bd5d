"""A wrapper, or the Input in front of the layer, does not accept one of its arguments.

## What it does
Finds arguments of a `Bidirectional` or `TimeDistributed` that the target's wrapper does not know, such as
`return_sequences` outside the layer inside, and values that it refuses: a number as `name`, or the class `LSTM` where a
layer is wanted, `LSTM(64)`. It also finds arguments of the `Input` that leads to the layer which the target's has not:
`batch_input_shape` in Keras 3.

## Why it matters
A wrapper has few arguments of its own. It hands none on to the layer inside, and Keras stops where it is made:
"Unrecognized keyword arguments passed to Bidirectional".

## Bad
```python
import keras

layer = keras.layers.Bidirectional(keras.layers.LSTM(64), return_sequences=True)
```

```python
import keras

layer = keras.layers.TimeDistributed(keras.layers.LSTM(64), name=1)
```

```python
import keras

layer = keras.layers.Bidirectional(keras.layers.LSTM)
```

```python target=keras@3.15.1
import keras

inputs = keras.Input(batch_input_shape=(8, 10, 4))
outputs = keras.layers.LSTM(64)(inputs)
```

## Good
```python
import keras

layer = keras.layers.Bidirectional(keras.layers.LSTM(64, return_sequences=True), name="both")
```

## Fix safety
There is no automatic fix: what the argument was meant for is yours to say. One of the layer inside belongs into its
own parentheses.

## References
- `keras/src/layers/core/input_layer.py:Input`, `tf_keras/src/engine/input_layer.py:Input`
- `keras/src/layers/layer.py:Layer.__init__`, `keras/src/layers/core/wrapper.py:Wrapper.__init__`
- `tf_keras/src/engine/base_layer.py:Layer.__init__` (`generic_utils.validate_kwargs`)
"""

from __future__ import annotations

from collections.abc import Iterator

from cudnnlint.core.fact import Absent, Fact, alternatives, shown, values
from cudnnlint.core.layer import Wrapper
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.refused_values import refused_among
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

#: What every wrapper that has it takes a layer for.
HELD = ("layer", "backward_layer")
CODE = "CDN242"
NEEDED = "arguments that it accepts"
SAYS = "{detail} does not accept {found} in this release"
ADVICE = (
    "Leave the argument out, or move it into the parentheses of the layer inside, if it is one of that. "
    "An Input of Keras 3 takes batch_shape for batch_input_shape, and each one wants a shape, once."
)


def find(case: Case) -> Finding:
    """Return YES for a name that a wrapper around the layer does not know, or a value that it refuses."""
    if case.layer.saved:
        return ABSENT_FAULT
    found = [replace(one, detail="the wrapper") for wrapper in case.layer.wrappers for one in refused(case, wrapper)]
    found += of_input(case)
    return next((one for one in found if one.truth is Truth.YES), (found or [ABSENT_FAULT])[0])


def of_input(case: Case) -> Iterator[Finding]:
    """Yield what is wrong with the arguments of the Input that leads to the layer."""
    given, taken, refused = case.context("input_arguments"), case.trait("Input-takes"), case.trait("Input-refuses")
    told = {name for text in values(given) if text for name in text.split(", ")}
    wrong = {name for name in told if name in refused or (taken and "=" not in name and name not in taken)}
    names = ", ".join(sorted(wrong))
    if names:
        finding = judge_fact(given, lambda text: bool(text) and not wrong.isdisjoint(text.split(", ")))
        because = f"{names} of the Input in front may or may not be passed"
        yield replace(finding, found=names, detail="the Input in front of the layer", origin="written", because=because)


def refused(case: Case, wrapper: Wrapper) -> Iterator[Finding]:
    """Yield what is wrong with the arguments of one wrapper, in doubt where releases differ or it may not be passed."""
    taken = case.trait(f"{wrapper.kind}-takes")
    for name, fact in wrapper.arguments.items():
        if taken and name not in taken:
            yield unknown_name(case, name, fact)
    for name, refusal, finding in refused_among(case, wrapper.arguments):
        if name in taken or name in HELD:
            certain = Truth.of(refusal.then == "raises") | Truth.UNKNOWN
            because = f"releases differ on {name}={finding.found}"
            yield replace(finding, truth=certain, found=f"{name}={finding.found}", because=because)


def unknown_name(case: Case, name: str, fact: Fact) -> Finding:
    """Return YES for an argument that no wrapper of this kind has, UNKNOWN where it may not be passed."""
    because = f"{name} may or may not be passed"
    sure = not any(isinstance(one, Absent) for one in alternatives(fact))
    found = f"{name}={shown(fact)}"
    return Finding(Truth.of(sure) | Truth.UNKNOWN, found, case.construction.place, "written", because=because)


def advise(case: Case) -> str | None:
    """Return what to write in place of a value that a wrapper refuses; None for the usual advice."""
    refusals = (one for wrapper in case.layer.wrappers for _, one, _ in refused_among(case, wrapper.arguments))
    return next((one.advice for one in refusals if one.advice and one.then == "raises"), None)
