"""What a program does with tensors and their shapes by operators, indices and loops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.core.masking import Epoch
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.keras import indexing, masks, padding, products, tensor_shapes, tensors
from cudnnlint.frontends.source.keras.keras_state import KerasLibrary
from cudnnlint.frontends.source.keras.tensors import Source, Tensor, computed, operation
from cudnnlint.frontends.source.python.values import Const, Contents, Foreign, Tuple, Value, join
from cudnnlint.keras.same_tensor import GRAPH_ALONE

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

_ONE_GRAPH = "the program puts a mask on a tensor of a graph, and it is not known whether that very graph runs"


class TensorValues(KerasLibrary):
    """The part of the model of Keras that is about tensors as values."""

    def operation(self, *values: Value, name: str = "") -> Value | None:
        """Return the result of arithmetic, a comparison or the like on tensors; None where there is no tensor."""
        if not any(isinstance(value, Tensor) for value in values):
            return None
        made = computed(self.state.names.masks, name, values) if name else operation(*values)
        products.noted(self.state, name, values, made)
        return made

    def item(self, run: Interpreter, value: Value, index: Value | None) -> Value | None:
        """Return a part of a tensor: one entry, or some of the rows of a batch."""
        if isinstance(value, Tensor):
            if tensors.part(value, index) is not None:
                return value
            if isinstance(index, Tuple) and not index.contents.items:
                return masks.copied(run, value)
            plain = index if isinstance(index, (Const, Tuple)) else None
            found = padding.part_of(value) if plain is None else indexing.indexed(value, plain)
            indexing.noted(run, value, index, found)
            return found
        if isinstance(value, tensor_shapes.Dimensions):
            return tensor_shapes.item(value, index)
        return super().item(run, value, index)

    def elements(self, value: Foreign) -> Contents | None:
        """Return what a loop over a tensor, or over its shape, runs over."""
        if isinstance(value, tensor_shapes.Dimensions):
            return Contents(value.dimensions)
        if not isinstance(value, Tensor):
            return None
        return Contents((), tensors.part(value, None) or Tensor(Const("none")))

    def is_there(self, value: Foreign) -> bool:
        """Return whether it is a tensor; a mask that is asked for may be None."""
        if not isinstance(value, Tensor):
            return False
        return not value.is_mask or (isinstance(value.mask, Const) and value.mask.value != "none")

    def with_attribute(self, run: Interpreter, value: Foreign, name: str, given: Value) -> Value | None:
        """Return a tensor on which a program puts a mask: `y._keras_mask = x._keras_mask`.

        The tensors of a functional model's graph are not those that it runs on: from there Keras 3 takes the mask
        along to the layers that it hands a mask to, and Keras 2 nothing.
        """
        if not isinstance(value, Tensor) or name != "_keras_mask":
            return None
        in_graph = self._in_graph(value)

        def put_on(epoch: Epoch, index: int) -> Value:
            put, before = masks.from_masks(masks.computed_mask(given, index)), masks.in_epoch(value.mask, index)
            if not in_graph or (epoch.major > GRAPH_ALONE and not masks.is_none(put)):
                return put
            return before if epoch.graph_again else join([before, put], _ONE_GRAPH)

        return replace(value, mask=masks.by_epoch(run, put_on), source=Source(None, (value,)))

    def _in_graph(self, value: Tensor) -> bool:
        """Return whether a tensor is one of a functional model's graph, not one in a `call` or a Lambda."""
        runs = self.state.line_by_line or self.state.in_lambda
        return not runs and value.source is not None and value.source.roots <= self.state.symbolic
