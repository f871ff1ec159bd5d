"""The variables of the environment: those that a program sets for the framework, and what it reads of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.context import devices
from cudnnlint.frontends.source.context.scoped import switch
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import (
    NONE,
    UNBOUND,
    Const,
    Either,
    Imported,
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
    from cudnnlint.frontends.source.python.state import ModuleUnit

#: How the cells of the world begin that hold what the program sets.
_SET = "os.environ "


def environment(run: Interpreter, name: Value, value: Value, origin: Origin | None) -> None:
    """Set a variable of the environment; what was imported before has read it already."""
    variable = name.value if isinstance(name, Const) else None
    value = value if origin is None else at_call(value, origin)
    _keep(run, variable, value)
    if variable == "CUDA_VISIBLE_DEVICES":
        because = choice(value)
        _hide(run, join([devices.hides(option) for option in options(value)], because))
    elif variable in ("JAX_PLATFORMS", "JAX_PLATFORM_NAME"):
        because = choice(value)
        switch(run, devices.FROM_JAX, join([devices.on_cpu(option) for option in options(value)], because))
    elif variable == "KERAS_BACKEND" and not _imported(run, "keras", "tensorflow.keras"):
        switch(run, "backend", value)
    elif variable == "TF_USE_LEGACY_KERAS" and not _imported(run, "tensorflow.keras"):
        switch(run, "legacy_keras", value)
    elif variable == "TF_XLA_FLAGS" and isinstance(value, Const) and "tf_xla_auto_jit" in str(value.value):
        switch(run, "xla", clustered(value.at))


def _hide(run: Interpreter, hidden: Value) -> None:
    """Hide the GPUs, or show them, if the framework has not looked for them: it does so once."""
    world = state_of(run).world
    looked = world.get(devices.INITIALISED) or UNBOUND
    before = world.get("hidden") or UNBOUND
    switch(run, "hidden", join([hidden if one is UNBOUND else before for one in options(looked)], choice(looked)))


def _keep(run: Interpreter, variable: object, value: Value) -> None:
    """Keep what the program sets; one whose name is not known may be any that it has set."""
    world = state_of(run).world
    if isinstance(variable, str):
        run.journal.write(world, _SET + variable, value)
        return
    for cell, _ in [(cell, held) for cell, held in world.items() if isinstance(cell, str) and cell.startswith(_SET)]:
        run.journal.write(world, cell, UNBOUND)


def shown(run: Interpreter, name: Value | None) -> Value:
    """Return a variable of the environment: what the program has set, else unknown; None names none."""
    outside = UnknownValue(_outside(run))
    variable = name.value if isinstance(name, Const) else None
    held = state_of(run).world.get(f"{_SET}{variable}")
    if held is None:
        return outside
    return join([outside if option is UNBOUND else option for option in options(held)], choice(held))


def _outside(run: Interpreter) -> str:
    return run.library.outside("os.getenv") or ""


def read(run: Interpreter, arguments: Arguments, origin: Origin) -> Value:
    """Evaluate `os.environ.get(name, default)`, `os.getenv(name, default)`."""
    return shown(run, arguments.get(0, "key"))


def at_call(value: Value, origin: Origin) -> Value:
    """Return the value, with the place of the call that passes it where it has none."""
    if isinstance(value, Either):
        return replace(value, options=tuple(at_call(option, origin) for option in value.options))
    return value if value.at is not None or value is UNBOUND else replace(value, at=origin)


def clustered(origin: Origin | None) -> Value:
    because = "XLA compiles every operation that it can, and it is not known whether it compiles this layer"
    return UnknownValue(because, None, at=origin)


def _imported(run: Interpreter, *packages: str) -> bool:
    """Return whether the file, or a module of the project that it has imported, holds something of these packages."""
    todo: list[ModuleUnit] = [*run.units]
    seen = {id(unit) for unit in todo}
    while todo:
        unit = todo.pop()
        cells = [option for _, value in unit.table.items() for option in options(value)]
        names = [option.name for option in cells if isinstance(option, Library)]
        brought = [run.modules.module(name, unit) for name in unit.stars]
        names += [module.name for module in brought if isinstance(module, Library)]
        if any(f"{name}.".startswith(f"{package}.") for name in names for package in packages):
            return True
        imported = [option for option in (*cells, *brought) if isinstance(option, Imported)]
        found = [run.modules.unit(option.module, option.by) for option in imported]
        todo += [one for one in found if one is not None and id(one) not in seen]
        seen |= {id(one) for one in found}
    return False


def set_variable(run: Interpreter, arguments: Arguments, origin: Origin) -> Value:
    """Evaluate `os.environ.setdefault(name, value)`, `os.putenv(name, value)`: what a program reads stays as it is."""
    if len(arguments.positional) != 2:
        return NONE
    name, value = arguments.positional
    before = shown(run, name)
    environment(run, name, value, origin)
    _keep(run, name.value if isinstance(name, Const) else None, before)
    return before


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
    return UnknownValue(_outside(run), origin, at=origin)


#: What reads and sets variables, by its dotted name.
HANDLERS = {
    "os.environ.get": read,
    "os.getenv": read,
    "os.environ.setdefault": set_variable,
    "os.putenv": set_variable,
    "os.environ.update": updated,
    "os.environ.pop": removed,
}
