"""What stops a call of a layer of Keras's own at the masks of its inputs, by mask epoch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cudnnlint.core.masking import stop_kind, unlike_masks
from cudnnlint.core.truth import Truth
from cudnnlint.frontends.source.keras import masks, tensor_shapes
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.sites import Build
from cudnnlint.frontends.source.keras.tensors import Tensor, carried
from cudnnlint.frontends.source.python.values import UNBOUND, Const, Unbound, Value, join
from cudnnlint.keras.joined_masks import unlike
from cudnnlint.keras.lattice import Kind, Masks
from cudnnlint.keras.masks import stop_of

if TYPE_CHECKING:
    from cudnnlint.core.masking import Epoch
    from cudnnlint.frontends.source.keras.layer_inputs import LayerInputs
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def stops_at(run: Interpreter, build: Build, given: LayerInputs) -> list[Value]:
    """Return the kinds of a call whose masks stop some release, by mask epoch."""
    return [] if build.subclass is not None else [*_of_any(run, build, given), *_of_some(run, build, given)]


def _of_any(run: Interpreter, build: Build, given: LayerInputs) -> Iterator[Value]:
    def stop(epoch: Epoch, index: int) -> Value:
        reaching = _reaching(given, index)
        if stop_of(build.class_name, reaching, epoch) is None:
            return UNBOUND
        kind = Const(stop_kind(build.class_name))
        sure = any(not {mask.kind for mask in one.options} & {Kind.NONE, Kind.UNKNOWN} for one in reaching)
        return kind if sure else join([kind, UNBOUND])

    if any(stop_of(build.class_name, None, epoch) for epoch in state_of(run).names.masks.epochs):
        found = masks.by_epoch(run, stop)
        yield from () if isinstance(found, Unbound) else (found,)


def _of_some(run: Interpreter, build: Build, given: LayerInputs) -> Iterator[Value]:
    """Yield the kind of a call that joins tensors with and without a mask along their steps or rows."""
    kind = Const(unlike_masks(build.class_name))
    tensors = [one for one in given.inputs if isinstance(one, Tensor)]
    if len(tensors) < 2 or not any(kind.value in epoch.stops for epoch in state_of(run).names.masks.epochs):
        return
    axis, rank, features = _axis(build), tensors[0].rank, _features(run, tensors)

    def stop(epoch: Epoch, index: int) -> Value:
        truth = unlike(build.class_name, _reaching(given, index), axis, rank, features, epoch)
        return {Truth.YES: kind, Truth.NO: UNBOUND}.get(truth, join([kind, UNBOUND]))

    found = masks.by_epoch(run, stop)
    yield from () if isinstance(found, Unbound) else (found,)


def _reaching(given: LayerInputs, index: int) -> list[Masks]:
    """Return the masks of the inputs of a call in one mask epoch."""
    return [masks.to_masks(masks.in_epoch(carried(value), index)) for value in given.inputs]


def _axis(build: Build) -> object:
    """Return what a layer joins its inputs along; None where it is not known."""
    axis = build.arguments.get("axis", Const(-1) if build.open is None else None)
    return axis.value if isinstance(axis, Const) else None


def _features(run: Interpreter, tensors: Sequence[Tensor]) -> int | None:
    """Return the last dimension of tensors that are joined along another one; None where it is not known."""
    shapes = [shape.dimensions[-1] for one in tensors if (shape := tensor_shapes.of(run, one)) is not None]
    sizes = [one.value for one in shapes if isinstance(one, Const) and isinstance(one.value, int)]
    return sizes[0] if sizes else None
