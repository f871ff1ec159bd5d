"""How many time steps a sequence has, behind the layers of Keras's own."""

from __future__ import annotations

from typing import Any

from cudnnlint.core.masking import MaskTable, OnMask
from cudnnlint.keras.lattice import CallInputs
from cudnnlint.keras.view import LayerView

CONVOLUTIONS = ("Conv1D", "SeparableConv1D")
POOLS = ("MaxPooling1D", "MaxPool1D", "AveragePooling1D", "AvgPool1D")
#: Layers that may leave fewer steps than they get.
SHORTENING = (*CONVOLUTIONS, *POOLS, "Cropping1D")
SAME = (OnMask.KEEPS, OnMask.ANY, OnMask.ALL, OnMask.MAKES)


def arriving(layer: LayerView, given: CallInputs) -> int | None:
    """Return how many steps reach a layer: those of its input, or those that the layer itself is told."""
    return given.first.steps if given.first.steps is not None else _written(layer)


def _written(layer: LayerView) -> int | None:
    """Return the length that a first layer is given (`input_shape`, `batch_input_shape`, `input_length`)."""
    for name, at in (("batch_shape", 1), ("batch_input_shape", 1), ("shape", 0), ("input_shape", 0)):
        shape = layer.setting(name).known(None)
        if isinstance(shape, (list, tuple)) and len(shape) > at:
            return 0 if shape[at] == 0 else _length(shape[at])  # recurrent layers stop at 0
    found = _length(layer.setting("input_length").known(None))
    return found if found is not None or layer.inner is None else _written(layer.inner)


def behind(table: MaskTable, layer: LayerView, given: CallInputs, major: int) -> int | None:
    """Return how many steps the first output has; None where that is unknown."""
    name, steps = layer.class_name, arriving(layer, given)
    if name == "RepeatVector":
        return _length(layer.setting("n").known(None))
    if name == "Reshape":
        target = layer.setting("target_shape").known(None)
        return _length(target[0]) if isinstance(target, (list, tuple)) and target else None
    if steps is None:
        return None
    if name in CONVOLUTIONS or name in POOLS:
        left = _left(layer, steps)
        return None if left is None else _positive(left)
    effect = table.on_mask(name, major)
    if effect is OnMask.SEQUENCES:
        return steps if (layer.inner or layer).setting("return_sequences").truth() is True else None
    if effect is OnMask.SPREADS or effect in SAME:
        return steps if _alike(layer, given) else None
    return None


def too_few(layer: LayerView, given: CallInputs) -> bool:
    """Return whether so few steps reach a layer that none is left behind it."""
    steps = arriving(layer, given)
    left = None if steps is None else _left(layer, steps)
    return left is not None and left <= 0


def _left(layer: LayerView, steps: int) -> int | None:
    """Return how many steps a convolution, a pool or a Cropping1D leaves by its settings; fewer than 1 where none."""
    if layer.class_name in CONVOLUTIONS:
        return _convolved(layer, steps)
    if layer.class_name in POOLS:
        return _pooled(layer, steps)
    cut = layer.setting("cropping").known(1) if layer.class_name == "Cropping1D" else None
    ends = (cut, cut) if type(cut) is int else cut
    whole = isinstance(ends, (list, tuple)) and len(ends) == 2 and all(type(end) is int for end in ends)
    return steps - sum(ends) if whole and isinstance(ends, (list, tuple)) else None


def _alike(layer: LayerView, given: CallInputs) -> bool:
    """Return whether all inputs have as many steps, and are not joined one behind the other."""
    lengths = {tensor.steps for tensor in given.inputs}
    along = layer.setting("axis").known(-1) if layer.class_name == "Concatenate" else -1
    return len(given.inputs) < 2 or (len(lengths) == 1 and along in (-1, 2))


def _convolved(layer: LayerView, steps: int) -> int | None:
    kernel, stride, dilation = (_number(layer, name) for name in ("kernel_size", "strides", "dilation_rate"))
    padding = layer.setting("padding").known("valid")
    if kernel is None or stride is None or dilation is None or not _channels_last(layer):
        return None
    if padding in ("same", "causal"):
        return -(-steps // stride)
    return (steps - dilation * (kernel - 1) - 1) // stride + 1 if padding == "valid" else None


def _pooled(layer: LayerView, steps: int) -> int | None:
    size, strides = _one(layer.setting("pool_size").known(2)), layer.setting("strides").known(None)
    stride = size if strides is None else _one(strides)
    padding = layer.setting("padding").known("valid")
    if size is None or stride is None or padding not in ("same", "valid") or not _channels_last(layer):
        return None
    return -(-steps // stride) if padding == "same" else (steps - size) // stride + 1


def _channels_last(layer: LayerView) -> bool:
    return layer.setting("data_format").known(None) in (None, "channels_last")


def _number(layer: LayerView, name: str) -> int | None:
    return _one(layer.setting(name).known(None if name == "kernel_size" else 1))


def _one(value: Any) -> int | None:
    """Return a number, or the one of a list of one."""
    if isinstance(value, (list, tuple)) and len(value) == 1:
        value = value[0]
    return _length(value)


def _length(value: Any) -> int | None:
    return _positive(value) if type(value) is int else None


def _positive(value: int) -> int | None:
    return value if value > 0 else None
