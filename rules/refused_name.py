"""The target refuses the name of the layer.

## What it does
Finds recurrent layers whose `name`, or that of the wrapper around them or of another layer in the same model, has a
blank, a slash, a bracket, an umlaut or another character that the target does not allow there.

## Why it matters
Keras opens a scope of TensorFlow with the name of the layer. TensorFlow takes letters without accents, digits and
`_ . / > -` there. With anything else Keras 2 stops where the layer is called on an Input, and Keras 3 when fit() or
predict() trace the model: "'my lstm' is not a valid scope name". Keras 3 refuses a `/` on every backend, where the
layer is made, and torch a `.`, with which it joins the names of weights.

## Bad
```python
import keras

model = keras.Sequential([keras.Input((20, 8)), keras.layers.LSTM(64, name="my lstm")])
```

```python
import keras

layer = keras.layers.LSTM(64, name="encoder/lstm")
```

## Good
```python
import keras

model = keras.Sequential([keras.Input((20, 8)), keras.layers.LSTM(64, name="my_lstm")])
```

## Fix safety
There is no automatic fix: code that looks the layer up by its name, and files of weights that go by names, have to
change with it.

## References
- `tensorflow/python/framework/ops.py:Graph.name_scope` (`_VALID_SCOPE_NAME_REGEX`)
- `keras/src/layers/layer.py:Layer._open_name_scope`, `tf_keras/src/engine/base_layer.py:Layer._name_scope`
- `keras/src/ops/operation.py:Operation.__init__`, `torch/nn/modules/module.py:Module.register_parameter`
"""

from __future__ import annotations

from cudnnlint.core.fact import ABSENT, Fact, Known, values
from cudnnlint.core.fault_lines import with_holder, worst_line
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.recurrent_inputs import every_cell
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN238"
NEEDED = "a name that begins with a letter and has only unaccented letters, digits, _ and -"
SAYS = "the name {found} is refused"
ADVICE = "Write _ for what is refused, and change the code that looks the layer up by its name."
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")


OUTSIDE = "TensorFlow takes a scope that begins like this inside another one only"


def find(case: Case) -> Finding:
    """Return YES where the name of the layer, its cell or a wrapper around it certainly stops the target."""
    wrappers = case.layer.wrappers
    names = [case.argument("name"), *(wrapper.arguments.get("name", ABSENT) for wrapper in wrappers)]
    kinds = [wrapper.kind for wrapper in wrappers]
    found = [judged(case, fact, kinds[level : level + 1]) for level, fact in enumerate(names)]
    found += [judged(case, cell.argument("name"), ["RNN"]) for cell in every_cell(case.construction.cells)]
    found = [one for one in (*found, outermost(case), beside(case)) if one.truth is not Truth.NO]
    return next((one for one in found if one.truth is Truth.YES), (found or [ABSENT_FAULT])[0])


def beside(case: Case) -> Finding:
    """Return YES where the name of another layer in the model, or the model's own, certainly stops the target."""
    worst = worst_line(case.context("names_beside"), lambda line: of_another(case, *with_holder(line)))
    if worst is None:
        return ABSENT_FAULT
    (name, _), _, held = with_holder(worst[0]), *worst[1:]
    because = "the model that may have this layer, or another layer in it, has a name which may be refused"
    return replace(held, found=f"{name!r} of the model or of another layer in it", origin="written", because=because)


def outermost(case: Case) -> Finding:
    """Return YES where the name of the model that fit() and predict() call certainly stops the target."""
    name, refused = case.context("outermost_name"), case.trait("root scope") | case.trait("outermost scope")
    held = judge_fact(name, lambda name: isinstance(name, str) and name[:1] in refused)
    held = replace(held, truth=held.truth & in_graph(case) & (Truth.YES if case.layer.saved else Truth.UNKNOWN))
    held = judged(case, name, []) if held.truth is Truth.NO else replace(held, because=OUTSIDE)
    return held if held.truth is Truth.NO else replace(held, found=f"{held.found} of the model")


def of_another(case: Case, name: str, holder: str | None) -> Truth:
    """Return whether the name of another layer is refused; on torch that hangs on whether it has weights."""
    truth = judged(case, Known(name), [holder] if holder else []).truth
    return truth & Truth.UNKNOWN if "/" not in name and "." in name and case.point.backend == "torch" else truth


def judged(case: Case, fact: Fact, around: list[str]) -> Finding:
    """Return what was found in one name; `around` is the class of what holds the layer, if that is no model."""
    if not any(isinstance(name, str) for name in values(fact)):
        return ABSENT_FAULT
    banned, allowed = case.trait("name"), case.trait("scope") | PLAIN
    named = judge_fact(fact, lambda name: isinstance(name, str) and not banned.isdisjoint(name))
    if named.truth is Truth.YES:
        return named
    scoped = judge_fact(fact, lambda name: isinstance(name, str) and not allowed.issuperset(name))
    if scoped.truth is Truth.YES and case.trait("scope"):
        because = f"it is not known whether {around[0]} opens a scope for the layer inside" if around else None
        return replace(scoped, truth=in_graph(case) & opened(case, around), because=because)
    first = judge_fact(fact, lambda name: isinstance(name, str) and name[:1] in case.trait("root scope"))
    if first.truth is Truth.YES and not around:
        return replace(first, truth=in_graph(case) & Truth.UNKNOWN, because=OUTSIDE)
    return ABSENT_FAULT


def in_graph(case: Case) -> Truth:
    """Return whether the layer is traced: eagerly, TensorFlow looks at no name."""
    return ~judge_fact(case.context("eager"), bool).truth


def opened(case: Case, around: list[str]) -> Truth:
    """Return whether what holds a layer calls it under its own name: a model does."""
    if around and not case.trait("opens scope").issuperset(around):
        return Truth.NO if case.trait("opens no scope").issuperset(around) else Truth.UNKNOWN
    return Truth.YES
