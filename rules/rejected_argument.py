"""The constructor does not accept one of the arguments, or its value.

## What it does
Compares the arguments in the code with the constructor of the target. It reports unknown names, and values that the
layer rejects: a list as `units`, a text as a dropout rate, a number as `name`, a `np.int64` where Keras 3 wants an
`int`, the name of an initializer, regularizer, constraint or activation that the release does not have (`"l1_l2"`). A
call without `units` is reported too, and so is what no release lets a program set on a finished layer:
`layer.units = 3`, `layer.kernel_regularizer = ...` (`layer.cell.dropout` can be set). An error that the program takes
itself, by a `try`, `contextlib.suppress` or `pytest.raises`, is not reported.

## Why it matters
The program stops where the layer is made, on every machine. Most cases are Keras 2 code that runs with Keras 3, which
no longer accepts `batch_input_shape`, `time_major` or `weights`. Some are code for a newer release, such as
`use_cudnn`.

## Bad
```python
import keras

layer = keras.layers.LSTM(64, time_major=False)
```

## Fixed
```python
import keras

layer = keras.layers.LSTM(64)
```

## Good
```python
import keras

model = keras.Sequential([keras.Input(batch_shape=(8, 10, 4)), keras.layers.LSTM(64, stateful=True)])
```

## Fix safety
Arguments that have no effect in the target (`implementation`, `use_cudnn`, `time_major=False`) are removed safely.
`batch_input_shape` of a layer in a Sequential becomes an Input in front of it.

## References
- `keras/src/layers/layer.py:Layer.__init__`
- `tf_keras/src/engine/base_layer.py:Layer.__init__`
- `rules/tables/values.toml`: which kinds of values stop which releases
"""

from __future__ import annotations

from collections.abc import Iterator

from cudnnlint.core.edit import DropArgument, Effect, Intent, PutInput
from cudnnlint.core.fact import Absent, alternatives, certainly, place_of, shown, values
from cudnnlint.core.named_objects import misnamed
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.core.refused_values import refused
from cudnnlint.core.replacements import advise as advise
from cudnnlint.core.rule import ABSENT_FAULT, Case, Finding, judge_argument, judge_fact
from cudnnlint.core.truth import Truth

CODE = "CDN208"
NEEDED = "arguments that the class accepts"
SAYS = "{class} does not accept {found} in this release"
ADVICE = "Remove or correct the argument."
SHAPE = "batch_input_shape"
#: Dropping these changes nothing, as they only choose how to compute; the shape goes into an Input.
HARMLESS = frozenset({"implementation", "use_cudnn", "enable_caching_device", "return_runtime", SHAPE})
NEED_UNITS = frozenset({"GRU", "LSTM", "SimpleRNN", "CuDNNGRU", "CuDNNLSTM"})


def find(case: Case) -> Finding:
    """Return YES for a name that the class does not know, or a value that it refuses."""
    names = [name for name in case.rejected if not (case.layer.saved and name in ("time_major", "batch_input_shape"))]
    if names:
        facts = {name: case.construction.argument(name) for name in names}
        found = ", ".join(f"{name}={shown(fact)}" for name, fact in facts.items())
        place = place_of(facts[names[0]]) or case.construction.place
        if all(any(isinstance(one, Absent) for one in alternatives(fact)) for fact in facts.values()):
            because = f"{' and '.join(names)} may or may not be passed"
            return Finding(Truth.UNKNOWN, found, place, "written", because=because)
        return Finding(Truth.YES, found, place, "written")
    if not isinstance(case.construction.locked, Absent):
        return set_later(case)
    if lacks_units(case):
        found = "a configuration without units" if case.layer.saved else "a call without units"
        return Finding(Truth.YES, found, case.construction.place, "written")
    refused = [replace(finding, found=f"{name}={finding.found}") for name, finding in values_refused(case)]
    doubts = [one for one in refused if one.truth is Truth.UNKNOWN]
    return next((one for one in refused if one.truth is Truth.YES), (doubts or [ABSENT_FAULT])[-1])


def values_refused(case: Case) -> Iterator[tuple[str, Finding]]:
    """Yield each argument whose value is checked, with what was found."""
    unread = case.trait("unread")
    for name, refusal, finding in refused(case):
        if f"{case.construction.class_name}.{name}" in unread:
            continue
        differs = None if refusal.then == "raises" else f"releases differ on {name}={finding.found}"
        yield name, finding if differs is None else replace(finding, truth=Truth.UNKNOWN, because=differs)
    finding = judge_argument(case, "use_cudnn", lambda value: value not in ("auto", True, False))
    yield from [("use_cudnn", finding)] if finding.truth is Truth.YES else ()
    yield from misnamed(case)


def set_later(case: Case) -> Finding:
    """Return YES for a setting that the program sets on the finished layer: it is a property that cannot be set."""
    settable = {None, *case.trait("settable")}
    finding = judge_fact(case.construction.locked, lambda name: name not in settable)
    name = next((name for name in values(case.construction.locked) if name not in settable), "")
    if not name:
        return ABSENT_FAULT
    because = f"{name} may or may not be set after the construction"
    found = f"{name}, which is set after its construction,"
    return replace(finding, found=found, place=case.construction.place, origin="written", because=because)


def lacks_units(case: Case) -> bool:
    """Return whether a layer is made without a number of units, which has no default in any release.

    A graph shows no arguments at all.
    """
    given = case.construction.arguments
    shown = case.construction.open is None and not case.construction.path.startswith("graph.")
    needs = shown and case.construction.class_name in NEED_UNITS
    return needs and not {"units", "output_dim"} & set(given)


def fix(case: Case) -> Intent | None:
    """Remove what has no effect in the target; a shape becomes an Input."""
    written = {name: case.construction.argument(name) for name in case.rejected}
    quiet = {name for name, fact in written.items() if name == "time_major" and certainly(fact, False)}
    if not written or written.keys() - HARMLESS - quiet or case.layer.saved:
        return None
    steps = tuple(PutInput(name) if name == SHAPE else DropArgument(name) for name in written)
    says = [f"move {name} into an Input" if name == SHAPE else f"remove {name}" for name in written]
    return Intent(steps, Effect.SAME_NUMBERS, " and ".join(says))
