"""The arguments of a constructor as a layer takes them: without the defaults of a config, serialised objects by name.

Asked of keras 3.15.1 and tf_keras 2.21.0: `{"module": "builtins", "class_name": "function", "config": "tanh"}` is the
function of that name, and an initializer with an empty config is found by its class_name as it is by a text.
"""

from __future__ import annotations

from cudnnlint.frontends.source.keras.tensors import ReleaseDefault
from cudnnlint.frontends.source.python.values import (
    NONE,
    UNBOUND,
    Const,
    Mapping,
    Value,
    choice,
    join,
    options,
)


def taken(name: str, value: Value) -> Value:
    """Return an argument as the constructor takes it."""
    if name.endswith(("activation", "initializer")) and any(isinstance(one, Mapping) for one in options(value)):
        value = join([_by_name(name, one) for one in options(value)], choice(value))
    return _without_default(value)


def _by_name(name: str, value: Value) -> Value:
    """Return the name in a serialised object; the value itself where it is none, or not known."""
    if not isinstance(value, Mapping) or value.body is not None:
        return value
    module, kind, config = (value.table.get(key) or NONE for key in ("module", "class_name", "config"))
    if not isinstance(kind, Const) or not isinstance(kind.value, str):
        return value
    if name.endswith("initializer"):
        plain = isinstance(config, Mapping) and config.body is None and not [*config.table.items()]
        return Const(kind.value, at=value.at) if plain else value
    of_python = isinstance(module, Const) and module.value == "builtins" and kind.value == "function"
    return Const(config.value, at=value.at) if of_python and isinstance(config, Const) else value


def _without_default(value: Value) -> Value:
    """Return an argument with Unbound in place of ReleaseDefault, which a config has where it was not given."""
    if not any(isinstance(option, ReleaseDefault) for option in options(value)):
        return value
    return join([UNBOUND if isinstance(option, ReleaseDefault) else option for option in options(value)], choice(value))
