"""A wrapper does not accept one of its arguments.

## What it does
Finds arguments of a `Bidirectional` or `TimeDistributed` that the target's wrapper does not know, such as
`return_sequences` outside the layer inside, and values that it refuses: a number as `name`, or the class `LSTM` where a
layer is wanted, `LSTM(64)`.

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

## Good
```python
import keras

layer = keras.layers.Bidirectional(keras.layers.LSTM(64, return_sequences=True), name="both")
```

## Fix safety
There is no automatic fix: what the argument was meant for is yours to say. One of the layer inside belongs into its
own parentheses.

## References
- `keras/src/layers/layer.py:Layer.__init__`, `keras/src/layers/core/wrapper.py:Wrapper.__init__`
- `tf_keras/src/engine/base_layer.py:Layer.__init__` (`generic_utils.validate_kwargs`)
"""

from __future__ import annotations

from collections.abc import Iterator

from cudnnlint.core.fact import Absent, Fact, alternatives, shown
from cudnnlint.core.layer import Wrapper
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.refused_values import refused_among
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding
from cudnnlint.core.truth import Truth

#: What every wrapper that has it takes a layer for.
HELD = ("layer", "backward_layer")
CODE = "CDN242"
NEEDED = "arguments that the wrapper accepts"
SAYS = "the wrapper does not accept {found} in this release"
ADVICE = "Leave the argument out, or move it into the parentheses of the layer inside, if it is one of that."


def find(case: Case) -> Finding:
    """Return YES for a name that a wrapper around the layer does not know, or a value that it refuses."""
    if case.layer.saved:
        return ABSENT_FAULT
    found = [finding for wrapper in case.layer.wrappers for finding in refused(case, wrapper)]
    return next((one for one in found if one.truth is Truth.YES), (found or [ABSENT_FAULT])[0])


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
    sure = not any(isinstance(one, Absent) for one in alternatives(fact))
    because = f"{name} may or may not be passed"
    found = f"{name}={shown(fact)}"
    return Finding(Truth.of(sure) | Truth.UNKNOWN, found, case.construction.place, "written", because=because)


def advise(case: Case) -> str | None:
    """Return what to write in place of a value that a wrapper refuses; None for the usual advice."""
    refusals = (one for wrapper in case.layer.wrappers for _, one, _ in refused_among(case, wrapper.arguments))
    return next((one.advice for one in refusals if one.advice and one.then == "raises"), None)
