"""The initial state that a recurrent layer is called with: how many tensors it has, and their dtypes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import masks, precision
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.layer_inputs import LayerInputs
from cudnnlint.frontends.source.keras.sites import Build
from cudnnlint.frontends.source.keras.tensors import Tensor, dtype_named
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.values import Const, Listing, Tuple, Unbound, Value, assumption
from cudnnlint.frontends.source.stdlib import arrays
from cudnnlint.keras import dtypes
from cudnnlint.keras.lattice import UNSTATED, Dtype

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The kind of stop (stops.py, tables/defaults.toml).
CONSTANTS = Const("states of a Bidirectional that no layer gives")


def shown(run: Interpreter, given: LayerInputs) -> dict[str, Value]:
    """Return the surroundings "states" and "state_dtype" of a call; those that are not shown are left out.

    None in the list of the states is no tensor. States by the default of a parameter, `def call(self, x, states=())`,
    are what a caller leaves out by chance.
    """
    states = _states(run, given)
    names = dtypes.of_states([_dtype(run, state) for state in states])
    found: dict[str, Value] = {} if names is None else {"state_dtype": Const(names)}
    tensors = [one for one in states if given.states is None or not containers.is_nothing(one)]
    counted = all(_single(run, state) for state in tensors) and not (given.states and assumption(given.states))
    return found | ({"states": Const(len(tensors))} if counted else {})


def _single(run: Interpreter, state: Value) -> bool:
    """Return whether a value is certainly one tensor: an Input, what a layer of Keras gives, `tf.zeros()`, an array.

    The result of an operation or of a Lambda may be a list of tensors (`tf.split`).
    """
    if not isinstance(state, Tensor):
        return arrays.is_array(state)
    sources = state_of(run).symbolic, state_of(run).constants
    return state.rank is not None or any(state.source in each for each in sources)


def _states(run: Interpreter, given: LayerInputs) -> list[Value]:
    """Return the states: passed as such, or behind the input in a list."""
    if given.states is None:
        return list(given.inputs[1:])
    if not isinstance(given.states, (Listing, Tuple)):
        return [given.states]
    contents = containers.elements(run, given.states)
    return [*contents.items, *([contents.rest] if contents.rest is not None else [])]


def _dtype(run: Interpreter, state: Value) -> Dtype:
    """Return the dtype of one state; that of an Input is floatx where none is written."""
    if not isinstance(state, Tensor):
        return UNSTATED
    if state.dtype is None and state.source in state_of(run).symbolic:
        floats = precision.float_now(run)
        return Dtype(masks.WHOLE) if isinstance(floats, Unbound) else dtype_named(floats)
    return masks.dtype_of(run, state)


def stops_at(run: Interpreter, build: Build, given: LayerInputs) -> list[Value]:
    """Return the kind of a call of a Bidirectional whose states are tensors that no layer gives, as `tf.zeros` does."""
    if build.class_name != "Bidirectional" or given.states is None:
        return []
    sources = [one.source if isinstance(one, Tensor) else None for one in _states(run, given)]
    return [CONSTANTS] if sources and set(sources) <= state_of(run).constants else []
