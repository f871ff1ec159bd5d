"""The mask of what a user's own layer returns."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from cudnnlint.core.masking import Epoch
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.keras import layer_inputs, layers, masking_changed, masks, masks_put_within, products
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.masking_changed import SUPPORTS
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
    UnknownValue,
    Value,
    choice,
    join,
    options,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

_UNSURE = "whether this layer supports masking is decided while the program runs"


def output(
    run: Interpreter, instance: Instance, first: Value | None, mask: Value | None, result: Value, origin: Origin
) -> Value:
    """Return the output of a user's layer with the mask that Keras puts on it.

    Where the layer supports masking, outputs without a mask get the results of compute_mask(), which are the masks of
    the inputs unless the class has its own method; both are flattened (tests/frontends/source/test_several_outputs.py).
    `mask` is the mask that the call passes.
    """
    products.left_by(run, instance, first, result)
    found = classes.search(instance.kind, "compute_mask") if isinstance(instance.kind, Class) else None
    own = found is not None and isinstance(found[0], Function) and isinstance(found[1], Class)
    supports = _supports(instance, own)
    if first is None or not isinstance(result, (Tensor, Tuple, Listing, Mapping)):
        return result
    if True not in supports:
        return _of_recurrent(run, instance, first, mask, result)
    previous = entering(run, first) if mask is None else mask
    given = (
        run.call(run.attribute(instance, "compute_mask", origin), Arguments([first, previous]), origin)
        if own
        else previous
    )
    each = _in_order(run, given)
    if supports[0] is not supports[1]:
        each = (masks.by_epoch(run, partial(_if_supported, one, supports)) for one in each)
    return _with_masks(run, result, each, first)


def _supports(instance: Instance, own: bool) -> tuple[bool | None, bool | None]:
    """Return whether an object supports masking in Keras 2 and in Keras 3, as far as that is certain.

    Keras 2 sets the attribute in its constructor, so that one in the class says nothing; that of Keras 3 is a property
    of the base class, which an attribute of the class takes the place of.
    """
    written, in_class = instance.table.get(SUPPORTS), masking_changed.own(instance, SUPPORTS)
    on_object = truth(written or Const(own))
    return on_object, on_object if written is not None or in_class is None else truth(in_class)


def _if_supported(mask: Value, supports: tuple[bool | None, bool | None], epoch: Epoch, index: int) -> Value:
    """Return a mask in an epoch whose Keras puts it on: none where the layer does not support masking there."""
    here = supports[epoch.major == 3]
    return UnknownValue(_UNSURE, None) if here is None else masks.in_epoch(mask, index) if here else NONE


def _of_recurrent(run: Interpreter, instance: Instance, first: Value, mask: Value | None, result: Value) -> Value:
    """Return the output of a subclass of a recurrent class: it has the mask of that, whatever its call() hands on."""
    made = layers.made_of(instance)
    state, set_ = state_of(run), instance.table.get(SUPPORTS)
    if made is None or set_ is not None or made.build.class_name not in (*state.names.recurrent, "Bidirectional"):
        return result
    whole = masks.output(run, made.build, layer_inputs.LayerInputs([first], mask))
    if isinstance(result, Tensor):
        return _with_mask(run, result, mask_of(whole), first)
    if not isinstance(result, Tuple) or not result.contents.items or not isinstance(result.contents.items[0], Tensor):
        return result
    items = (_with_mask(run, result.contents.items[0], mask_of(whole), first), *result.contents.items[1:])
    return replace(result, contents=replace(result.contents, items=items))


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


def _in_order(run: Interpreter, given: Value) -> Iterator[Value]:
    """Yield the masks for one output after another: the flattened ones, and none behind the last."""
    each = [_flat(run, option) for option in options(given)]
    for place in itertools.count():
        found = [leaves[place] if place < len(leaves) else rest for leaves, rest in each]
        yield join(found, choice(given))


def _flat(run: Interpreter, given: Value) -> tuple[list[Value], Value]:
    """Return the masks in lists and dicts, these in the order of their keys, and what more there may be."""
    if isinstance(given, Mapping):
        inner = [containers.get_key(given, key) for key in _sorted_keys(run, given)]
        return [leaf for one in inner for leaf in _flat(run, one)[0]], NONE
    if not isinstance(given, (Listing, Tuple)):
        return [given], NONE
    contents = containers.elements(run, given)
    return [leaf for one in contents.items for leaf in _flat(run, one)[0]], contents.rest or NONE


def _with_masks(run: Interpreter, result: Value, masks_: Iterator[Value], first: Value) -> Value:
    """Return the outputs with their masks, in the order in which Keras flattens them."""
    if isinstance(result, Tensor):
        return _with_mask(run, result, next(masks_), first)
    if isinstance(result, (Listing, Tuple)):
        contents = containers.elements(run, result)
        items = tuple(_with_masks(run, item, masks_, first) for item in contents.items)
        if isinstance(result, Tuple):
            return replace(result, contents=replace(contents, items=items))
        return containers.new_list(run, items, contents.rest)
    if not isinstance(result, Mapping):
        next(masks_)
        return result
    keys = _sorted_keys(run, result)
    entries = [(key, _with_masks(run, containers.get_key(result, key), masks_, first)) for key in keys]
    return containers.new_dict(run, entries) if len(keys) == len(list(result.table.items())) else result


def _sorted_keys(run: Interpreter, mapping: Mapping) -> list[Const]:
    return sorted(_keys(run, mapping), key=lambda key: str(key.value))


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
    masked = replace(result, mask=masks.by_epoch(run, computed), source=Source(None, tensors))
    if isinstance(first, Tensor) and first.source is result.source:
        masks_put_within.put(run, first, masked)
    return masked
