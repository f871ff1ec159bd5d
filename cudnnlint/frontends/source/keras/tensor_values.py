"""What a program does with tensors and their shapes by operators, indices and loops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.core.masking import Epoch
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.keras import indexing, masks, padding, tensor_shapes, tensors
from cudnnlint.frontends.source.keras.keras_state import KerasLibrary
from cudnnlint.frontends.source.keras.tensors import Source, Tensor, computed, operation
from cudnnlint.frontends.source.python.values import Const, Contents, Foreign, Tuple, Value

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


class TensorValues(KerasLibrary):
    """The part of the model of Keras that is about tensors as values."""

    def operation(self, *values: Value, name: str = "") -> Value | None:
        """Return the result of arithmetic, a comparison or the like on tensors; None where there is no tensor."""
        if not any(isinstance(value, Tensor) for value in values):
            return None
        return computed(self.state.names.masks, name, values) if name else operation(*values)

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
        """Return a tensor on which a program puts a mask: `y._keras_mask = x._keras_mask`."""
        if not isinstance(value, Tensor) or name != "_keras_mask":
            return None

        def put_on(epoch: Epoch, index: int) -> Value:
            return masks.from_masks(masks.computed_mask(given, index))

        return replace(value, mask=masks.by_epoch(run, put_on), source=Source(None, (value,)))
