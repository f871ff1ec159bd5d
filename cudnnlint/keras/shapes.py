"""The rank and the raggedness of what comes out of a layer."""

from __future__ import annotations

from cudnnlint.core.masking import MaskTable, OnMask
from cudnnlint.core.recurrent_inputs import RANKS
from cudnnlint.keras.lattice import CallInputs, TensorTraits
from cudnnlint.keras.view import LayerView, Setting

#: What a layer does with masks where its output has the rank of its inputs.
SAME = (OnMask.KEEPS, OnMask.SAME, OnMask.ANY, OnMask.ALL, OnMask.MAKES)
#: The ends of the names of layers over sequences and images: pools, convolutions, paddings.
DIMENSIONS = ("1D", "2D", "3D")
#: Layers with an output of one rank, and those that are told the shape of it, without the batch.
FIXED = {"Flatten": 2, "RepeatVector": 3}
TOLD = {"Reshape": "target_shape", "Permute": "dims"}


def rank_behind(table: MaskTable, layer: LayerView, given: CallInputs, major: int) -> int | None:
    """Return the rank of the first output, batch included; None where it is unknown, or only assumed."""
    name, rank = layer.class_name, _common(given)
    if name in FIXED:
        return FIXED[name]
    if name in TOLD:
        return _written(layer.setting(TOLD[name]), 1)
    if name == "InputLayer":
        return _declared(layer) if rank is None else rank
    effect = table.on_mask(name, major)
    if effect is OnMask.SEQUENCES:
        return _recurrent(layer, rank)
    if rank is None:
        return None
    if name == "Embedding":
        return rank + 1
    if name.startswith("Global"):
        return _pooled(layer, rank)
    if name == "MultiHeadAttention":
        return rank if layer.setting("output_shape").known(None) is None else None
    same = effect in SAME or (effect is OnMask.DROPS and name.endswith(DIMENSIONS))
    return rank if same and name != "ReversibleEmbedding" else None


def _common(given: CallInputs) -> int | None:
    """Return the rank that all inputs have."""
    found = {tensor.rank for tensor in given.inputs}
    return found.pop() if len(found) == 1 else None


def _written(shape: Setting, batch: int) -> int | None:
    """Return the rank of a shape that lacks so many dimensions for the batch."""
    found = shape.known(None)
    return len(found) + batch if isinstance(found, (list, tuple)) and not shape.assumed else None


def _declared(layer: LayerView) -> int | None:
    """Return the rank of what an InputLayer declares."""
    shapes = (("batch_shape", 0), ("batch_input_shape", 0), ("shape", 1))
    return next((rank for name, batch in shapes if (rank := _written(layer.setting(name), batch)) is not None), None)


def _recurrent(layer: LayerView, rank: int | None) -> int | None:
    """Return the rank behind a recurrent layer; one of Keras's own kinds takes no other rank than its own."""
    inner = layer.inner or layer
    sequences, before = inner.setting("return_sequences"), RANKS.get(inner.class_name, rank)
    whole = None if sequences.assumed else sequences.truth()
    return None if whole is None or before is None else before if whole else before - 1


def _pooled(layer: LayerView, rank: int) -> int | None:
    keeps = layer.setting("keepdims")
    whole = None if keeps.assumed else keeps.truth()
    return None if whole is None else rank if whole else 2


def raggedness(table: MaskTable, layer: LayerView, first: TensorTraits, major: int) -> tuple[bool | None, str]:
    """Return whether the output is ragged; None, with the reason, where that is unknown."""
    if layer.setting("ragged").truth() is True:
        return True, ""
    if first.ragged is False:
        return False, ""
    effect = table.on_mask(layer.class_name, major)
    if effect not in (OnMask.DROPS, OnMask.ENDS, OnMask.OWN, OnMask.INFERENCE, None):
        return first.ragged, first.ragged_because
    return None, f"a RaggedTensor reaches {layer.class_name}, and it is not known whether its output is ragged"
