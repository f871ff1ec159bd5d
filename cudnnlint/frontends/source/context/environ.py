"""The variables of the environment that a program sets for the framework: `os.environ[...] = ...` and its like."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.context import devices
from cudnnlint.frontends.source.context.scoped import switch
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import (
    NONE,
    UNBOUND,
    Const,
    Either,
    Library,
    UnknownValue,
    Value,
    choice,
    join,
    options,
)
from cudnnlint.frontends.source.python.values import Mapping as Dict
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def environment(run: Interpreter, name: Value, value: Value, origin: Origin | None) -> None:
    """Set a variable of the environment; what was imported before has read it already."""
    variable = name.value if isinstance(name, Const) else None
    value = value if origin is None else at_call(value, origin)
    if variable == "CUDA_VISIBLE_DEVICES":
        because = choice(value)
        switch(run, "hidden", join([devices.hides(option) for option in options(value)], because))
    elif variable in ("JAX_PLATFORMS", "JAX_PLATFORM_NAME"):
        because = choice(value)
        switch(run, devices.FROM_JAX, join([devices.on_cpu(option) for option in options(value)], because))
    elif variable == "KERAS_BACKEND" and not _imported(run, "keras", "tensorflow.keras"):
        switch(run, "backend", value)
    elif variable == "TF_USE_LEGACY_KERAS" and not _imported(run, "tensorflow.keras"):
        switch(run, "legacy_keras", value)
    elif variable == "TF_XLA_FLAGS" and isinstance(value, Const) and "tf_xla_auto_jit" in str(value.value):
        switch(run, "xla", clustered(value.at))


def at_call(value: Value, origin: Origin) -> Value:
    """Return the value, with the place of the call that passes it where it has none."""
    if isinstance(value, Either):
        return replace(value, options=tuple(at_call(option, origin) for option in value.options))
    return value if value.at is not None or value is UNBOUND else replace(value, at=origin)


def clustered(origin: Origin | None) -> Value:
    because = "XLA compiles every operation that it can, and it is not known whether it compiles this layer"
    return UnknownValue(because, None, at=origin)


def _imported(run: Interpreter, *packages: str) -> bool:
    """Return whether the file already holds something of these packages."""
    cells = [option for unit in run.units for _, value in unit.table.items() for option in options(value)]
    names = [option.name for option in cells if isinstance(option, Library)]
    return any(f"{name}.".startswith(f"{package}.") for name in names for package in packages)


def set_variable(run: Interpreter, arguments: Arguments, origin: Origin) -> Value:
    """Evaluate `os.environ.setdefault(name, value)`, `os.putenv(name, value)`."""
    if len(arguments.positional) == 2:
        name, value = arguments.positional
        environment(run, name, value, origin)
    return NONE


def updated(run: Interpreter, arguments: Arguments, origin: Origin) -> Value:
    """Evaluate `os.environ.update({...}, NAME=value)`."""
    for mapping in arguments.positional:
        for key, value in mapping.table.items() if isinstance(mapping, Dict) else ():
            environment(run, containers.key_value(key), value, origin)
    for name, value in arguments.keywords.items():
        environment(run, Const(name), value, origin)
    return NONE


def removed(run: Interpreter, arguments: Arguments, origin: Origin) -> Value:
    """Evaluate `os.environ.pop(name)`."""
    environment(run, arguments.positional[0] if arguments.positional else NONE, UNBOUND, None)
    return UnknownValue("comes from the environment", origin, at=origin)
