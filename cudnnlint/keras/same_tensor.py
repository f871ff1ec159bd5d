"""Which layers give the very tensor that they got, and which change it: a mask is the property of a tensor."""

from __future__ import annotations

from cudnnlint.keras.lattice import CallInputs, TensorTraits
from cudnnlint.keras.view import LayerView

#: Up to this generation a layer meets the mask of the graph alone, whatever a tensor has when the model runs.
GRAPH_ALONE = 2
PUT = "a model that is called with a mask puts it on this tensor too, and it is not known whether that happens before"
#: What takes the masks off the tensors that it is called with, where `attention_takes`.
TAKE_MASKS_OFF = ("MultiHeadAttention",)
#: Layers that give the very tensor that they got, unless they cast it.
VERY = ("ActivityRegularization", "Identity", "InputLayer")


def is_cast(layer: LayerView, tensor: TensorTraits) -> bool:
    """Return whether a layer makes another tensor of its input, of its own dtype."""
    wanted, has = layer.computes.name, tensor.dtype.name
    return not tensor.dtype.whole and wanted is not None and has is not None and wanted != has


def hands_on(layer: LayerView, given: CallInputs) -> bool:
    """Return whether a layer gives the very tensor that it got."""
    linear = layer.class_name == "Activation" and layer.setting("activation").known(None) == "linear"
    dropout = "Dropout" in layer.class_name and layer.setting("rate").known(None) == 0
    same = layer.class_name in VERY or linear or dropout
    return same and len(given.inputs) == 1 and not is_cast(layer, given.first)
