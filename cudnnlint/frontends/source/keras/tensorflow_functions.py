"""TensorFlow's functions on a tensor of a Keras graph: Keras 3 stops there, outside of the call of a layer.

Asked of keras 3.15.1 and 3.0.5: each of these functions raises ValueError, by position, by name or in a list. Keras 2
makes a layer of it. Those of `tf.keras.backend` (asked of 3.15.1) are TensorFlow's as well; `keras.backend` has them no
longer (tables/releases.toml). A function of the program that `tf.function` traces takes none in Keras 2, either.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import stops
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.tensors import Tensor, tensors_in
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import Const, Listing, Tuple, Value, words

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The kinds of stops (stops.py, tables/defaults.toml).
GONE = Const("a function of keras.backend that only Keras 2 has")
KIND = Const("a function of TensorFlow on a tensor of a Keras graph")
OF_TRACED = Const("a tf.function on a tensor of a Keras graph")
#: The functions that were asked, without "tensorflow.", "tensorflow.math." and "tensorflow.compat.v1.".
ASKED = words(
    "abs add argmax boolean_mask cast concat convert_to_tensor einsum ensure_shape equal expand_dims gather greater "
    "identity logical_and logical_not matmul multiply not_equal one_hot ones_like pad range rank reduce_any reduce_sum "
    "reshape reverse reverse_sequence sequence_mask shape size split squeeze stack stop_gradient tile transpose "
    "unstack where zeros_like nn.dropout nn.relu nn.softmax nn.top_k"
)
OF_BACKEND = words(
    "abs all any argmax batch_dot batch_flatten bias_add cast cast_to_floatx clip concatenate cumsum dot dropout equal "
    "exp expand_dims flatten gather greater greater_equal l2_normalize less less_equal log max maximum mean min "
    "minimum not_equal one_hot ones_like permute_dimensions pow prod relu repeat repeat_elements reshape reverse round "
    "shape sigmoid sign softmax sqrt square squeeze stack std stop_gradient sum switch tanh tile transpose var "
    "zeros_like"
)
_BACKEND = "keras.backend."
_ROOTS = {
    "tensorflow.keras.backend.": OF_BACKEND, "tensorflow.math.": ASKED, "tensorflow.compat.v1.math.": ASKED,
    "tensorflow.compat.v1.": ASKED, "tensorflow.": ASKED,
}  # fmt: skip


def noted(run: Interpreter, name: str, arguments: Arguments, result: Value | None) -> None:
    """Note that a function of TensorFlow was called, where Keras 3 certainly stops at it."""
    gone = name.startswith(_BACKEND) and name in state_of(run).names.dropped and not run.guards
    if gone and isinstance(result, Tensor) and result.source is not None:
        stops.note(run, result.source, GONE)
    root = next((root for root in _ROOTS if name.startswith(root)), None)
    if root is None or name[len(root) :] not in _ROOTS[root] or not isinstance(result, (Tensor, Tuple)):
        return
    if "tf_keras" not in state_of(run).packages:
        given = [one for value in arguments.every() for one in _tensors(run, value)]
        _note(run, given, tensors_in(result), KIND)


def traced(run: Interpreter, results: Iterable[Value]) -> None:
    """Note that a function was called that `tf.function` traces, and what it gave."""
    found = [one for value in results for one in _tensors(run, value)]
    _note(run, found, found, OF_TRACED)


def _note(run: Interpreter, given: Iterable[Tensor], results: Iterable[Tensor], kind: Const) -> None:
    """Note a stop at the results where one of the tensors that were given is of a Keras graph."""
    state = state_of(run)
    if state.line_by_line or state.in_lambda:
        return
    if any(one.source is not None and set() < one.source.roots <= state.symbolic for one in given):
        for tensor in results:
            if tensor.source is not None:
                stops.note(run, tensor.source, kind)


def _tensors(run: Interpreter, value: Value) -> list[Tensor]:
    """Return a tensor, or those in a list of them."""
    return tensors_in(Tuple(containers.elements(run, value)) if isinstance(value, Listing) else value)
