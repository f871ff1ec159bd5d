"""The masks of Keras's own layers whose masking a program changes: by a subclass, or by an attribute of an object.

Keras sets `supports_masking` in its constructors, so that only what is set afterwards counts. A class attribute counts
in Keras 3 alone, and only for layers that set nothing themselves. Source: keras/src/layers/layer.py:Layer.__call__;
tf_keras/src/engine/base_layer.py:Layer._set_mask_metadata.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.core.masking import Epoch, OnMask
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.keras import masks
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.tensors import UNMASKED, Tensor, mask_of
from cudnnlint.frontends.source.python import classes, containers
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.copies import changed
from cudnnlint.frontends.source.python.truthiness import truth
from cudnnlint.frontends.source.python.values import (
    Class,
    Const,
    Function,
    Instance,
    Tuple,
    Unbound,
    UnknownValue,
    Value,
    words,
)
from cudnnlint.frontends.source.syntax.unit import Origin

if TYPE_CHECKING:
    from cudnnlint.frontends.source.keras.layer_inputs import LayerInputs
    from cudnnlint.frontends.source.keras.sites import Build
    from cudnnlint.frontends.source.python.interpreter import Interpreter

SUPPORTS = "supports_masking"
#: Layers that put their mask on by compute_mask() alone, and so lose it with `supports_masking = False`.
_BY_METHOD = words(
    "Add Attention Average BatchNormalization Bidirectional Concatenate Dense Embedding GRU LSTM Maximum Minimum "
    "Multiply SimpleRNN Subtract TimeDistributed"
)
#: Layers without a mask whose compute_mask() is Keras's default, which hands the mask on once it is asked.
_HANDS_ON = words(
    "AveragePooling1D Conv1D Conv1DTranspose Convolution1D Cropping1D DepthwiseConv1D EinsumDense MaxPool1D "
    "MaxPooling1D Permute RepeatVector Reshape SeparableConv1D UpSampling1D ZeroPadding1D"
)
_BECAUSE = "the program changes how this layer handles masks, and what comes of it is not known"


def output(
    run: Interpreter, instance: Instance, build: Build, given: LayerInputs, result: Value, origin: Origin
) -> Value:
    """Return the output of a layer of Keras with the mask that it has where the program changes the layer's masking."""
    method = own(instance, "compute_mask")
    attribute = own(instance, SUPPORTS)
    supports, zero = (_set(instance, name) for name in (SUPPORTS, "mask_zero"))
    on_object = _set(instance, "compute_mask") is not None
    if (method, attribute, supports, zero) == (None, None, None, None) and not on_object:
        return result
    first = result.contents.items[0] if isinstance(result, Tuple) and result.contents.items else result
    if not isinstance(first, Tensor):
        return result
    if build.class_name == "Embedding" and zero is not None:
        first = changed(first, mask=_of_embedding(run, build, given, zero, supports, first))
    if method is not None or on_object:
        found = _computed(run, instance, build, given, supports or _default(build, attribute), first, origin)
        mask = _doubt(given, first) if on_object or not isinstance(method, Function) else found
    elif supports is None and attribute is None:
        mask = first.mask
    else:
        mask = _switched(run, build, given, supports, attribute, first)
    made = changed(first, mask=mask)
    if not isinstance(result, Tuple):
        return made
    both = [made, *result.contents.items[1:]]
    if build.class_name == "Bidirectional" and not masks.is_none(first.mask) and mask is not first.mask:
        both = [changed(one, mask=_doubt(given, one)) if isinstance(one, Tensor) else one for one in both]
    return replace(result, contents=replace(result.contents, items=tuple(both)))


def own(instance: Instance, name: str) -> Value | None:
    """Return what the user's class of an object has by a name; None where that is Keras's."""
    found = classes.search(instance.kind, name) if isinstance(instance.kind, Class) else None
    return found[0] if found is not None and isinstance(found[1], Class) else None


def _set(instance: Instance, name: str) -> Value | None:
    value = instance.table.get(name)
    return None if value is None or isinstance(value, Unbound) else value


def _default(build: Build, attribute: Value | None) -> Value:
    """Return whether a layer with a compute_mask() of its own asks it; a Lambda of Keras 3 sets what it wants."""
    if build.class_name == "Lambda" or attribute is not None:
        return UnknownValue(_BECAUSE, None)
    return Const(True)


def _of_embedding(
    run: Interpreter, build: Build, given: LayerInputs, zero: Value, supports: Value | None, output: Tensor
) -> Value:
    """Return the mask of an Embedding whose `mask_zero` was set; it supports masks as it was constructed."""
    now, made = truth(zero), truth(build.arguments.get("mask_zero", Const(False)))
    if now is False or (made is False and supports is None and build.open is None):
        return UNMASKED
    if now is None or (made is not True and truth(supports or Const(None)) is not True):
        return UnknownValue(_BECAUSE, None)
    written = replace(build, arguments={**build.arguments, "mask_zero": Const(True)})
    return output.mask if made is True else masks.output(run, written, given).mask


def _computed(
    run: Interpreter,
    instance: Instance,
    build: Build,
    given: LayerInputs,
    supports: Value,
    first: Tensor,
    origin: Origin,
) -> Value:
    """Return the mask that the user's compute_mask() gives, where Keras asks it."""
    if truth(supports) is None or (build.class_name not in _BY_METHOD | _HANDS_ON | {"Dot"}):
        return _doubt(given, first)
    if truth(supports) is False:
        return UNMASKED
    several = len(given.inputs) > 1
    inputs: Value = containers.new_list(run, given.inputs) if several else given.first
    previous: Value = given.mask or (
        containers.new_list(run, [mask_of(one) for one in given.inputs]) if several else mask_of(given.first)
    )
    method = run.attribute(instance, "compute_mask", origin)
    computed = run.call(method, Arguments([inputs, previous]), origin)
    return masks.by_epoch(run, lambda epoch, index: masks.from_masks(masks.computed_mask(computed, index)))


def _switched(
    run: Interpreter, build: Build, given: LayerInputs, supports: Value | None, attribute: Value | None, first: Tensor
) -> Value:
    """Return the mask of a layer whose `supports_masking` is set, on the object or in its class."""
    table, doubt = state_of(run).names.masks, _doubt(given, first)
    wanted = truth(supports if supports is not None else attribute or Const(None))
    names = _HANDS_ON if wanted else _BY_METHOD

    def here(epoch: Epoch, index: int) -> Value:
        before = masks.in_epoch(first.mask, index)
        effect = table.effect(build.class_name, epoch)
        if supports is None and (wanted is None or effect is not OnMask.DROPS or epoch.major == 2):
            kept = effect is OnMask.DROPS or build.class_name == "Embedding"
            return before if kept else masks.in_epoch(doubt, index)
        if wanted is None or (build.class_name not in names and effect in (OnMask.DROPS, OnMask.OWN) and wanted):
            return masks.in_epoch(doubt, index)
        if wanted:
            return masks.in_epoch(_mask_carried(given), index) if effect is OnMask.DROPS else before
        return UNMASKED if build.class_name in names or masks.is_none(before) else masks.in_epoch(doubt, index)

    return masks.by_epoch(run, here)


def _mask_carried(given: LayerInputs) -> Value:
    """Return the mask of the first input."""
    return given.first.mask if isinstance(given.first, Tensor) and given.mask is None else UnknownValue(_BECAUSE, None)


def _doubt(given: LayerInputs, output: Tensor) -> Value:
    """Return an unknown mask where any may be there."""
    bare = all(isinstance(one, Tensor) and masks.is_none(one.mask) for one in given.inputs) and given.mask is None
    return UNMASKED if bare and masks.is_none(output.mask) else UnknownValue(_BECAUSE, None)
