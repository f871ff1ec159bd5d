"""Settings that a finished layer shows and does not let set: `layer.recurrent_dropout = 0.5`."""

from __future__ import annotations

from cudnnlint.frontends.source.keras import mutations
from cudnnlint.frontends.source.keras.sites import Build
from cudnnlint.frontends.source.python.state import Table
from cudnnlint.frontends.source.python.values import (
    UNBOUND,
    Const,
    Instance,
    Library,
    Unbound,
    UnknownValue,
    Value,
    equal,
    join,
    options,
    words,
)

#: What a layer shows of its cell, by properties that cannot be set. Source: fixtures/evidence/stops.json.
_SHOWN = words(
    "dtype name "
    "units activation use_bias dropout recurrent_dropout kernel_initializer recurrent_initializer bias_initializer "
    "kernel_regularizer recurrent_regularizer bias_regularizer kernel_constraint recurrent_constraint bias_constraint"
)
LOCKED = {
    "LSTM": _SHOWN | words("recurrent_activation unit_forget_bias implementation"),
    "GRU": _SHOWN | words("recurrent_activation reset_after implementation"),
    "SimpleRNN": _SHOWN,
}


def tried_on(build: Build) -> Value:
    """Return the name of a setting that is set on the finished layer and cannot be.

    Keras 3 on TensorFlow passes over the very object that was there, which the same number or boolean is.
    """
    found = [(name, table.get(name) or UNBOUND) for table in build.objects for name in sorted(build.shown)]
    tried = [(name, value) for name, value in found if not isinstance(value, Unbound)]
    if build.subclass is not None:  # what its own constructor is given it may hand on and set again
        tried = [(name, value) for name, value in tried if not equal(value, build.arguments.get(name, UNBOUND))]
    single = len(build.objects) == 1 and not any(_set_on_cell(build.objects[0], name, value) for name, value in tried)
    sure = next((name for name, value in tried if single and _is_other(build, name, value)), None)
    if sure is not None:
        return Const(sure)
    return join([UNBOUND, *(Const(name) for name, _ in tried)]) if tried else build.locked


def _set_on_cell(table: Table, name: str, value: Value) -> bool:
    """Return whether the same is, or may be, set on the layer's own cell, whose setting the layer shows."""
    cells = [one for one in options(table.get("cell") or UNBOUND) if mutations.is_own(one)]
    found = [cell.table.get(name) or UNBOUND for cell in cells if isinstance(cell, Instance)]
    return any(equal(one, value) for each in found for one in options(each))


def _is_other(build: Build, name: str, value: Value) -> bool:
    """Return whether a value is certainly another object than the one that the layer was constructed with."""
    if value.assumed or (build.open is not None and name not in build.arguments):
        return False
    if name == "dtype":  # where it is not given, the policy decides
        given = build.arguments.get(name)
        return isinstance(value, Const) and isinstance(given, Const) and value.value != given.value
    named, standard = name.endswith(("activation", "initializer")), mutations.STANDARD | {"unit_forget_bias": True}
    made = build.arguments.get(name, Const(standard.get(name)))
    if name.endswith(("regularizer", "constraint")):  # functions and objects, whatever names them; None where not given
        return isinstance(made, Const) and made.value is None and not isinstance(value, UnknownValue) and value != made
    if named and isinstance(value, Library) and isinstance(made, Const):
        return made.value is not None and value.name.rsplit(".", 1)[-1] != made.value
    if named or not isinstance(value, Const):
        return named and isinstance(value, Const) and isinstance(value.value, str)
    return isinstance(made, Const) and not made.assumed and made.value != value.value
