"""What the function of a Lambda gives: one tensor or several, and the mask that is set beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.keras import layers, masks, run_time_masks
from cudnnlint.frontends.source.keras.layer_inputs import LayerInputs
from cudnnlint.frontends.source.keras.sites import Build
from cudnnlint.frontends.source.keras.tensors import UNMASKED, Source, Tensor, mask_of, tensors_in
from cudnnlint.frontends.source.python import containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import Contents, Function, Library, Listing, Tuple, Value
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def own_mask(run: Interpreter, mask: Value, given: LayerInputs, origin: Origin) -> Value:
    """Return the mask that a Lambda's `mask=` sets: the result of a function of inputs and mask, or the mask itself."""
    if isinstance(mask, Function):
        return run.call(mask, Arguments([given.first, mask_of(given.first)]), origin)
    return mask


def computed(run: Interpreter, build: Build, inputs: Value, origin: Origin) -> Value | None:
    """Return the result of a Lambda's function. If that is its input itself, it still has its mask."""
    function = build.arguments.get("function")
    merges = isinstance(function, Library) and function.name.rpartition(".")[2] in layers.MERGES
    followed = function if merges or isinstance(function, Function) else None
    return None if followed is None else run_time_masks.of_lambda(run, followed, inputs, origin)


def several(run: Interpreter, build: Build, result: Value | None, source: Source) -> Value | None:
    """Return the tensors of a Lambda whose function gives a list of them; None for any other, or where a mask comes in.

    Keras 3 and Keras 2 put no mask on any of them (asked of keras 3.15.1 and tf_keras 2.21.0).
    """
    if not isinstance(result, (Listing, Tuple)) or "mask" in build.arguments:
        return None
    contents = containers.elements(run, result)
    items = [one for one in contents.items if isinstance(one, Tensor)]
    masked = any(not masks.is_none(one.mask) for value in source.inputs for one in tensors_in(value))
    if masked or not contents.certain or not items or len(items) < len(contents.items):
        return None
    sources = [Source(source.layer, source.inputs, source.keywords, place) for place in range(len(items))]
    bare = [one if one.is_mask else replace(one, mask=UNMASKED) for one in items]
    return Tuple(Contents(tuple(replace(one, source=own) for one, own in zip(bare, sources, strict=True))))
