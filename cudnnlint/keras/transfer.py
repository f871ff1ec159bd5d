"""The one function that says what a layer of Keras's own makes of the tensors that it is called with."""

from __future__ import annotations

from collections.abc import Callable
from operator import is_

from cudnnlint.core.frozen import record
from cudnnlint.core.masking import Epoch, MaskTable, OnMask, stop_kind
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.keras import dtypes, masks, shapes, time_steps
from cudnnlint.keras.lattice import GLOBAL, UNMASKED, CallInputs, Dtype, TensorTraits, unknown
from cudnnlint.keras.view import LayerView
from cudnnlint.keras.whole_stops import whole_stop

Inside = Callable[[CallInputs], TensorTraits]


@record(frozen=True)
class Transfer:
    """What layers make of tensors in one mask epoch."""

    table: MaskTable
    epoch: Epoch

    def cast(self, layer: LayerView, given: CallInputs) -> CallInputs:
        """Return the inputs of a layer after it has cast them to its own dtype."""
        inputs = tuple(self._cast(layer, tensor) for tensor in given.inputs)
        same = all(map(is_, inputs, given.inputs))
        return given if same else replace(given, inputs=inputs)

    def _cast(self, layer: LayerView, tensor: TensorTraits) -> TensorTraits:
        graph_casts = self.epoch.graph_casts and tensor.shown is not None and tensor.dtype.whole
        if graph_casts and _other(tensor.shown, layer.computes):
            because = f"Keras may cast the integers that reach {layer.class_name} when it builds the graph"
            lost = not self.epoch.cast_keeps and not tensor.masks.none
            left = unknown(f"{because}, which loses the mask") if lost else tensor.masks
            return replace(tensor, dtype=Dtype(None, because), shown=None, masks=left)
        return masks.cast(layer, tensor, self.epoch)

    def arriving(self, layer: LayerView, given: CallInputs) -> TensorTraits:
        """Return the tensor, with its mask, that reaches a recurrent layer or a Bidirectional."""
        given = self.cast(layer, given)
        arriving = given.first.masked(masks.arriving(given, self.epoch))
        return replace(arriving, steps=time_steps.arriving(layer, given))

    def stops(self, layer: LayerView, given: CallInputs) -> list[str]:
        """Return the kinds of stops that a layer comes to at the masks and integers that reach it; none if it runs."""
        given = self.cast(layer, given)
        setting = lambda name: layer.setting(name).known(None)  # noqa: E731
        dtypes_given = [tensor.dtype for tensor in given.inputs] or [given.first.dtype]
        whole = whole_stop(self.table, layer.class_name, dtypes_given, setting)
        return [*self._stops_at_masks(layer, given), *([whole] if whole is not None else [])]

    def _stops_at_masks(self, layer: LayerView, given: CallInputs) -> list[str]:
        first = masks.effective(given, self.epoch) if given.passed else given.first.masks
        reaching = [first, *(tensor.masks for tensor in given.inputs[1:])]
        return [] if masks.stop_of(layer.class_name, reaching, self.epoch) is None else [stop_kind(layer.class_name)]

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
            whole = given.first.dtype.whole
            return replace(found, dtype=given.first.dtype, shown=layer.computes) if whole else found
        major, first = self.epoch.major, given.first
        ragged, because = shapes.raggedness(self.table, layer, first, major)
        return TensorTraits(
            masks=masks.leaving(self.table, layer, given, self.epoch),
            dtype=dtypes.behind(self.table, self._computing(layer), given, self.epoch),
            shown=dtypes.shown(layer),
            rank=shapes.rank_behind(self.table, layer, given, major),
            ragged=ragged,
            ragged_because=because,
            steps=time_steps.behind(self.table, layer, given, major),
        )

    def _computing(self, layer: LayerView) -> LayerView:
        """Return the layer whose dtype the output has: in Keras 2 the wrapped one for a Bidirectional."""
        wraps = layer.class_name == "Bidirectional" and self.epoch.major == 2
        return layer.inner if wraps and layer.inner is not None else layer

    def _spread(self, layer: LayerView, given: CallInputs, inside: Inside | None) -> TensorTraits:
        step = self.step(given)
        found = inside(CallInputs((step,))) if inside is not None else TensorTraits()
        rank = None if found.rank is None else found.rank + 1
        left = masks.spread(self.table, layer, given, found.masks, self.epoch)
        length = time_steps.behind(self.table, layer, given, self.epoch.major)
        return TensorTraits(
            left, found.dtype, rank, found.ragged, found.ragged_because, steps=length, shown=layer.computes
        )

    def step(self, given: CallInputs) -> TensorTraits:
        """Return the inputs of the layer inside a TimeDistributed."""
        first = given.first
        rank = None if first.rank is None else first.rank - 1
        if given.passed or not first.masks.none:
            return replace(first, masks=masks.inside(given, self.epoch), rank=rank, steps=None)
        return replace(first, masks=UNMASKED, rank=rank, steps=None)


def _other(shown: Dtype | None, wanted: Dtype) -> bool:
    """Return whether a layer's dtype is, or may be, another than the floats that a graph shows."""
    if shown is None or shown.whole or (shown.token == GLOBAL and wanted.token == GLOBAL):
        return False
    return shown.name is None or shown.name != wanted.name
