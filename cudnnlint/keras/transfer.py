"""The one function that says what a layer of Keras's own makes of the tensors that it is called with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cudnnlint.core.frozen import record
from cudnnlint.core.masking import Epoch, MaskTable, OnMask
from cudnnlint.keras import dtypes, masks, shapes, time_steps
from cudnnlint.keras.lattice import UNMASKED, CallInputs, TensorTraits
from cudnnlint.keras.view import LayerView

Inside = Callable[[CallInputs], TensorTraits]


@record(frozen=True)
class Transfer:
    """What layers make of tensors in one mask epoch."""

    table: MaskTable
    epoch: Epoch

    def cast(self, layer: LayerView, given: CallInputs) -> CallInputs:
        """Return the inputs of a layer after it has cast them to its own dtype."""
        return replace(given, inputs=tuple(masks.cast(layer, tensor, self.epoch) for tensor in given.inputs))

    def arriving(self, layer: LayerView, given: CallInputs) -> TensorTraits:
        """Return the tensor, with its mask, that reaches a recurrent layer or a Bidirectional."""
        given = self.cast(layer, given)
        arriving = given.first.masked(masks.arriving(given, self.epoch))
        return replace(arriving, steps=time_steps.arriving(layer, given))

    def output(self, layer: LayerView, given: CallInputs, inside: Inside | None = None) -> TensorTraits:
        """Return the first output of a layer.

        `inside` calls the layer that it wraps; without `inside` the wrapped layer is followed here.
        """
        given = self.cast(layer, given)
        effect = self.table.effect(layer.class_name, self.epoch)
        wrapped = layer.inner
        if inside is None and wrapped is not None:
            inside = lambda handed: self.output(wrapped, handed)  # noqa: E731
        if effect is OnMask.SPREADS:
            return self._spread(layer, given, inside)
        if effect is OnMask.INNER and inside is not None:
            found = inside(CallInputs(given.inputs))
            return found if not given.first.dtype.whole else replace(found, dtype=given.first.dtype)
        major, first = self.epoch.major, given.first
        ragged, because = shapes.raggedness(self.table, layer, first, major)
        return TensorTraits(
            masks=masks.leaving(self.table, layer, given, self.epoch),
            dtype=dtypes.behind(self.table, self._computing(layer), given),
            rank=shapes.rank_behind(self.table, layer, first, major),
            ragged=ragged,
            ragged_because=because,
            steps=time_steps.behind(self.table, layer, given, major),
        )

    def _computing(self, layer: LayerView) -> LayerView:
        """Return the layer whose dtype the output has: the wrapped one for a Bidirectional."""
        return layer.inner if layer.class_name == "Bidirectional" and layer.inner is not None else layer

    def _spread(self, layer: LayerView, given: CallInputs, inside: Inside | None) -> TensorTraits:
        step = self.step(given)
        found = inside(CallInputs((step,))) if inside is not None else TensorTraits()
        rank = None if found.rank is None else found.rank + 1
        left = masks.spread(self.table, layer, given, found.masks, self.epoch)
        length = time_steps.behind(self.table, layer, given, self.epoch.major)
        return TensorTraits(left, found.dtype, rank, found.ragged, found.ragged_because, steps=length)

    def step(self, given: CallInputs) -> TensorTraits:
        """Return the inputs of the layer inside a TimeDistributed."""
        first = given.first
        rank = None if first.rank is None else first.rank - 1
        if given.passed or not first.masks.none:
            return replace(first, masks=masks.inside(given, self.epoch), rank=rank, steps=None)
        return replace(first, masks=UNMASKED, rank=rank, steps=None)
