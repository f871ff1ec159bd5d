"""What can be entered: an object whose cells say what it changes in the execution context while it is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.core.regex import regex
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.python.values import Const, Instance, Library, Value
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The entries of the execution context that a call has.
AT_CALL = (
    "device", "eager", "jit_compile", "xla", "torch_compiled", "second_order", "cudnn_off", "distributed", "run_stops",
)  # fmt: skip
#: The attributes of a model that say how fit(), evaluate() and predict() run it.
COMPILED_AS = {"jit_compile": "jit_compile", "eager": "run_eagerly"}
#: The entries that say which own function the program registered under a name of Keras's.
NAMED = {"named_tanh": "tanh", "named_sigmoid": "sigmoid"}
#: The device of a strategy, for the models that are made in its scope.
STRATEGY = "strategy"
#: The cell of a model or layer that says in which device scope it was made.
MADE_IN = "·made in"
#: What a file holds that switches something for the whole program.
SWITCHES = regex(
    rb"disable_(?:eager_execution|v2_behavior)\s*\(|run_functions_eagerly\s*\(|environ\.update\s*\("
    rb"|environ\b[^\n]{0,20}[\"'](?:CUDA_VISIBLE_DEVICES|JAX_PLATFORM\w+|KERAS_BACKEND|TF_USE_LEGACY_KERAS|TF_XLA_FLAGS)[\"']\s*(?:\]\s*=|,)"
    rb"|\bset_(?:jit|visible_devices|floatx|policy|global_policy|dtype_policy|backend)\s*\("
)


def cell(name: str) -> str:
    """Return the cell of a scope's object that holds the entry `name` of the execution context."""
    return f"·{name}"


def is_quiet(value: Value) -> bool:
    """Return whether a value says no more than that nothing was seen."""
    return isinstance(value, Const) and value.value in (None, False) and value.assumed is None


def scope(run: Interpreter, kind: str, origin: Origin, **said: Value) -> Instance:
    """Return something that can be entered: an object of the library class `kind`."""
    made = Instance(Library(kind), run.journal.table(), at=origin)
    for name, value in said.items():
        run.journal.write(made.table, cell(name), value)
    return made


def switch(run: Interpreter, name: str, value: Value) -> None:
    """Set an entry of the execution context from here on, wherever no scope sets it."""
    run.journal.write(state_of(run).world, name, value)
