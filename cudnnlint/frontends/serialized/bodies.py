"""Which tensors of a run are the same one, and which have lost their mask meanwhile."""

from __future__ import annotations

from collections.abc import Hashable

from cudnnlint.core.masking import Epoch
from cudnnlint.keras.lattice import UNMASKED, CallInputs, TensorTraits, unknown
from cudnnlint.keras.same_tensor import GRAPH_ALONE, PUT, TAKE_MASKS_OFF, hands_on, is_cast
from cudnnlint.keras.view import LayerView


class Bodies:
    """The tensors of a run, by their origin.

    `very` is the tensor that one is, where a layer hands on the one that it got; `bared` are those whose masks a layer
    took off, `put` those on which a model put the mask that it was called with.
    """

    def __init__(self, epoch: Epoch) -> None:
        self.epoch = epoch
        self.very: dict[Hashable, Hashable] = {}
        self.bared: set[Hashable] = set()
        self.put: set[Hashable] = set()

    def called(self, layer: LayerView, given: CallInputs, origin: Hashable) -> None:
        """Remember what a call does with the tensors that it takes; `origin` is that of its first output."""
        if self.epoch.attention_takes and hands_on(layer, given):
            self.very[origin] = self._itself(given.first)
        elif self.epoch.attention_takes and layer.class_name in TAKE_MASKS_OFF:
            every = (*given.inputs, *given.others)
            self.bared |= {self._itself(tensor) for tensor in every if not is_cast(layer, tensor)}

    def masked(self, tensor: TensorTraits) -> None:
        """Remember that a model put a mask on its input, which stays there: layers that run later meet it."""
        self.bared.discard(self._itself(tensor))
        if tensor.masks.none and self.epoch.major > GRAPH_ALONE:
            self.put.add(self._itself(tensor))

    def now(self, tensor: TensorTraits) -> TensorTraits:
        """Return a tensor as it is now: without a mask if a layer took that off, perhaps with one if a model put it."""
        if tensor.origin is None:
            return tensor
        if tensor.masks.none and self._itself(tensor) in self.put:
            return tensor.masked(unknown(PUT))
        return tensor.masked(UNMASKED) if self._itself(tensor) in self.bared else tensor

    def _itself(self, tensor: TensorTraits) -> Hashable:
        return self.very.get(tensor.origin, tensor.origin)
