"""A setting is lost when the layer is saved or wrapped in a Bidirectional.

## What it does
Finds `use_cudnn`, `implementation` and `autocast` where they are set and then lost.

## Why it matters
Keras 3 does not save these arguments in a layer's configuration, so a loaded model has the defaults again. If
`use_cudnn=False` was set so that an export runs on a CPU or a left-padded mask raises no error, that setting is gone. A
Bidirectional rebuilds its layers from their configuration and loses the settings at once (`use_cudnn` up to Keras
3.11).

## Bad
```python target=keras@3.11.3:tensorflow
import keras

layer = keras.layers.Bidirectional(keras.layers.LSTM(64, use_cudnn=False))
```

```python target=keras@3.15.1:tensorflow
import keras

model = keras.Sequential([keras.Input((10, 4)), keras.layers.LSTM(64, implementation=1)])
model.save("model.keras")
```

## Good
```python target=keras@3.15.1:tensorflow
import keras

layer = keras.layers.Bidirectional(keras.layers.LSTM(64))
```

## Fix safety
There is no automatic fix. Set the attribute again on the loaded layer (`layer.use_cudnn = False`) before it is called.

## References
- `keras/src/layers/rnn/lstm.py:LSTM.get_config`
- `keras/src/layers/rnn/bidirectional.py:Bidirectional.__init__`
- keras issue 20588
"""

from __future__ import annotations

from cudnnlint.core.execution_context import export
from cudnnlint.core.fact import Assumed, Known, alternatives
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN302"
NEEDED = "a setting that is kept"
SAYS = "the setting {found} is lost: {detail}"
ADVICE = "Set it again on the layer that is used, before its first call (for example layer.use_cudnn = False)."
SETTINGS = ("use_cudnn", "implementation", "autocast")


def find(case: Case) -> Finding:
    """Return YES where a setting other than the default does not reach the layer, or not the saved one."""
    for name in SETTINGS:
        fact = case.construction.argument(name)
        written = judge_fact(fact, lambda value, name=name: name in case.defaults and value != case.defaults[name])
        if written.truth is not Truth.YES:
            continue
        detail = None
        if name in case.lost:
            detail = "Bidirectional rebuilds its layers from their configuration, which does not contain it"
        elif saving(case):
            detail = f"{saving(case)} does not save it, and the loaded layer has the default"
        if detail:
            return Finding(Truth.YES, f"{name}={written.found}", written.place, "written", detail=detail)
    return ABSENT_FAULT


def saving(case: Case) -> str | None:
    """Return the call that saves the model, if one is seen; an export keeps the outcome of the setting."""
    if export(case):
        return None
    facts = alternatives(case.context("saved"))
    return next((str(fact.value) for fact in facts if isinstance(fact, (Known, Assumed)) and fact.value), None)


def advise(case: Case) -> str | None:
    """Name the release in which a Bidirectional hands the setting on."""
    if "use_cudnn" not in case.lost or case.layer.saved:
        return None
    return f"Upgrade to Keras 3.12 or later, which hands it on. {ADVICE}"
