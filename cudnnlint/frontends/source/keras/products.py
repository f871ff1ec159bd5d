"""The product of a tensor of a Keras graph and a number, which Keras 3 takes for a sparse tensor.

A layer of the user's that says nothing of its output is run on sparse data then, while the graph is built: additions,
slices and Keras's own layers stop there, and what does not stop may give no shape. Keras's own layers take such a
product. Asked of keras 3.0.5, 3.8.0 and 3.15.1 on TensorFlow (keras/src/ops/numpy.py:Multiply.compute_output_spec).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import stops
from cudnnlint.frontends.source.keras.keras_state import KerasState, state_of
from cudnnlint.frontends.source.keras.tensors import Tensor, tensors_in
from cudnnlint.frontends.source.python import classes
from cudnnlint.frontends.source.python.values import UNBOUND, Class, Const, Instance, Value, join

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

#: The kind of stop (stops.py, tables/defaults.toml).
KIND = Const("a product with a number given to a layer of one's own")
_OPERATORS = ("Multiply", "MultiplyAssign")
_SAID = ("compute_output_shape", "compute_output_spec")


def noted(state: KerasState, name: str, values: tuple[Value, ...], product: Tensor) -> None:
    """Note the result of an operator: whether it is the product of a tensor of a graph and of no tensor."""
    roots = product.source.roots if product.source is not None else frozenset()
    one = len([value for value in values if isinstance(value, Tensor)]) == 1
    if name in _OPERATORS and one and set() < roots <= state.symbolic and not (state.line_by_line or state.in_lambda):
        assert product.source is not None
        state.products.add(product.source)


def given_to(run: Interpreter, instance: Value, first: Value | None) -> list[Value]:
    """Return the kind of a call of a user's layer with such a product, which may stop."""
    products = state_of(run).products
    if first is None or not products or not isinstance(instance, Instance) or not isinstance(instance.kind, Class):
        return []
    found = [classes.search(instance.kind, name) for name in _SAID]
    if any(one is not None and isinstance(one[1], Class) for one in found):
        return []
    return [join([KIND, UNBOUND])] if any(tensor.source in products for tensor in tensors_in(first)) else []


def left_by(run: Interpreter, instance: Value, first: Value | None, result: Value) -> None:
    """Note the stop at what a user's layer gives for such a product."""
    kinds = given_to(run, instance, first)
    for tensor in tensors_in(result) if kinds else ():
        if tensor.source is not None and tensor.source not in state_of(run).products:
            stops.note(run, tensor.source, *kinds)
