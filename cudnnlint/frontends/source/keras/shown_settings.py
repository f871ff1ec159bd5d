"""Settings that a layer shows as attributes: as they were given, or by their default."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.sites import Build
from cudnnlint.frontends.source.keras.tensors import ReleaseDefault
from cudnnlint.frontends.source.python.values import (
    UNBOUND,
    Const,
    Library,
    Unbound,
    Value,
    join,
    options,
    present,
    words,
)

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: Settings that a recurrent layer shows as they were given or are by default; an activation as the function.
_SHOWN = words(
    "activation recurrent_activation use_bias dropout recurrent_dropout return_sequences return_state go_backwards "
    "stateful unroll"
)


def of(run: Interpreter, build: Build, name: str) -> Value | None:
    """Return a setting of a layer; None where it was not given, or its default depends on the release."""
    given = build.arguments.get(name)
    default = None if build.open else state_of(run).names.lasting_defaults.get(build.class_name, {}).get(name)
    if name not in _SHOWN or (given is None and default is None):
        return None if given is None else present(given)
    unwritten = (Unbound, ReleaseDefault)
    parts = [Const(default) if isinstance(one, unwritten) else one for one in options(given or UNBOUND)]
    return join([_as_function(run, build.path, one) if "activation" in name else one for one in parts])


def _as_function(run: Interpreter, path: str, value: Value) -> Value:
    """Return an activation that is given by name, or by None, as the function that a layer makes of it."""
    name = value.value if isinstance(value, Const) else ""
    if name is not None and name not in state_of(run).names.activations:
        return value
    return Library(f"{path.rpartition('.layers.')[0]}.activations.{name or 'linear'}")
