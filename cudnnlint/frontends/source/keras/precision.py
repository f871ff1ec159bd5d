"""The precision policy: set for the whole program, or given to a layer as an object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.core.fact import PolicyName
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.keras import layers
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import (
    NONE,
    UNBOUND,
    Const,
    Either,
    Value,
    choice,
    join,
    options,
    placed,
    words,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

POLICIES = words("DTypePolicy FloatDTypePolicy Policy PolicyV1")
#: The cells of the world: the policy that was set, and the type that holds where none was.
POLICY, FLOAT = "dtype", "floatx"


def named(value: Value) -> Value:
    """Return a policy object as its name; any other value as it is."""
    if isinstance(value, Either):
        return join([named(option) for option in value.options], value.because)
    made = layers.made_of(value)
    if made is None or made.build.class_name not in POLICIES:
        return value
    return placed(_as_object(named(made.build.arguments.get("name", UNBOUND))), value.at)


def _as_object(name: Value) -> Value:
    """Return the name of a policy as what a policy object is, which early releases tell from a text."""
    text = isinstance(name, Const) and type(name.value) is str
    return replace(name, value=PolicyName(name.value)) if text and isinstance(name, Const) else name


def current(run: Interpreter) -> Value:
    """Return the policy of a layer that is made now; Unbound where none was set."""
    policy = state_of(run).world.get(POLICY) or UNBOUND
    others = float_now(run)
    return join([others if option is UNBOUND else option for option in options(policy)], choice(policy))


def float_now(run: Interpreter) -> Value:
    """Return the type that set_floatx() was given; Unbound where it was not called."""
    return state_of(run).world.get(FLOAT) or UNBOUND


def set_policy(run: Interpreter, arguments: Arguments, origin: Origin) -> Value:
    """Evaluate `set_global_policy(policy)`, `set_dtype_policy(policy)`."""
    value = arguments.get(0, "policy") or arguments.get(0, "dtype_policy") or UNBOUND
    run.journal.write(state_of(run).world, POLICY, placed(named(value), origin))
    return NONE


def set_float(run: Interpreter, arguments: Arguments, origin: Origin) -> Value:
    """Evaluate `set_floatx(name)`: Keras 3 asks for it once, when the first layer is made, Keras 2 for each layer."""
    value = placed(arguments.get(0, "value") or UNBOUND, origin)
    if state_of(run).constructed:
        value = join(
            [value, state_of(run).world.get(FLOAT) or UNBOUND], "Keras 3 reads floatx when the first layer is made"
        )
    run.journal.write(state_of(run).world, FLOAT, value)
    return NONE


def get_policy(run: Interpreter, arguments: Arguments, origin: Origin) -> Value:
    """Evaluate `global_policy()`, `dtype_policy()`, `floatx()`."""
    value = current(run)
    return join([Const("float32") if option is UNBOUND else option for option in options(value)], choice(value))
