"""The mask of what a user's own layer returns."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from cudnnlint.core.masking import Epoch
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.keras import masks
from cudnnlint.frontends.source.keras.tensors import Source, Tensor, mask_of
from cudnnlint.frontends.source.python import classes, containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    NONE,
    Class,
    Const,
    Function,
    Instance,
    Listing,
    Mapping,
    Tuple,
    Value,
    choice,
    join,
    options,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def output(
    run: Interpreter, instance: Instance, first: Value | None, mask: Value | None, result: Value, origin: Origin
) -> Value:
    """Return the output of a user's layer with the mask that Keras puts on it.

    Where the layer supports masking, an output without a mask gets the result of compute_mask(), which is the input's
    mask unless the class has its own method. `mask` is the mask that the call passes.
    """
    found = classes.search(instance.kind, "compute_mask") if isinstance(instance.kind, Class) else None
    own = found is not None and isinstance(found[0], Function) and isinstance(found[1], Class)
    supports = instance.table.get("supports_masking") or Const(own)
    if first is None or truth(supports) is not True or not isinstance(result, (Tensor, Tuple)):
        return result
    previous = entering(run, first) if mask is None else mask
    given = (
        run.call(run.attribute(instance, "compute_mask", origin), Arguments([first, previous]), origin)
        if own
        else previous
    )
    if isinstance(result, Tensor):
        leading = join([_leading(run, option) for option in options(given)], choice(given))
        return _with_mask(run, result, leading, first)
    given_each = containers.elements(run, given).items if isinstance(given, (Listing, Tuple)) else ()
    items = [
        _with_mask(run, item, mask, first) if isinstance(item, Tensor) else item
        for item, mask in itertools.zip_longest(
            result.contents.items, given_each[: len(result.contents.items)], fillvalue=NONE
        )
    ]
    return replace(result, contents=replace(result.contents, items=tuple(items)))


def entering(run: Interpreter, first: Value) -> Value:
    """Return what Keras passes as `mask`: that of a tensor, or those of a list or dict of tensors in the same form.

    Where none of several tensors has a mask, Keras 2 passes None.
    """
    if isinstance(first, (Listing, Tuple)):
        found = [mask_of(item) for item in containers.elements(run, first).items]
        each: Value = containers.new_list(run, found)
    elif isinstance(first, Mapping):
        entries = [(key, mask_of(containers.get_key(first, key))) for key in _keys(run, first)]
        found, each = [mask for _, mask in entries], containers.new_dict(run, entries)
    else:
        return mask_of(first)
    if any(mask is not NONE for mask in found):
        return each
    return join([each, NONE], "Keras 2 passes None where no tensor has a mask")


def _leading(run: Interpreter, given: Value) -> Value:
    """Return the mask that a single output gets: the first of several, in the order of the keys where it is a dict."""
    if isinstance(given, (Listing, Tuple)):
        contents = containers.elements(run, given)
        return contents.items[0] if contents.items else contents.rest or NONE
    if isinstance(given, Mapping):
        keys = sorted(_keys(run, given), key=str)
        return containers.get_key(given, keys[0]) if keys else NONE
    return given


def _keys(run: Interpreter, mapping: Mapping) -> list[Const]:
    """Return the keys of a dict of tensors that are known."""
    every = containers.elements(run, mapping).items
    return [one for key in every for one in options(key) if isinstance(one, Const) and isinstance(one.value, str)]


def _with_mask(run: Interpreter, result: Tensor, given: Value, first: Value) -> Tensor:
    """Return the tensor with the computed mask, unless it has one already."""

    def computed(epoch: Epoch, index: int) -> Value:
        before = masks.in_epoch(result.mask, index)
        after = masks.from_masks(masks.computed_mask(given, index))
        parts = [after if masks.is_none(option) else option for option in options(before)]
        return join(parts, choice(before))

    tensors = (result, first) if isinstance(first, Tensor) else (result,)
    return replace(result, mask=masks.by_epoch(run, computed), source=Source(None, tensors))
