"""The rank and the raggedness of what comes out of a layer."""

from __future__ import annotations

from cudnnlint.core.masking import MaskTable, OnMask
from cudnnlint.keras.lattice import TensorTraits
from cudnnlint.keras.view import LayerView


def rank_behind(table: MaskTable, layer: LayerView, first: TensorTraits, major: int) -> int | None:
    """Return the rank of the first output, batch included; None where it is unknown."""
    name, rank = layer.class_name, first.rank
    if name == "Reshape":
        target = layer.setting("target_shape").known(None)
        return len(target) + 1 if isinstance(target, (list, tuple)) else None
    if name == "RepeatVector":
        return 3
    if name == "InputLayer" and rank is None:
        shapes = {key: layer.setting(key).known(None) for key in ("batch_shape", "batch_input_shape", "shape")}
        known = {key: shape for key, shape in shapes.items() if isinstance(shape, (list, tuple))}
        return next((len(shape) + (key == "shape") for key, shape in known.items()), None)
    if rank is None:
        return None
    if name == "Embedding":
        return rank + 1
    effect = table.on_mask(name, major)
    if effect is OnMask.SEQUENCES:
        sequences = (layer.inner or layer).setting("return_sequences").truth()
        return None if sequences is None else rank if sequences else rank - 1
    same = (OnMask.KEEPS, OnMask.SAME, OnMask.ANY, OnMask.ALL, OnMask.MAKES)
    return rank if effect in same and name != "MultiHeadAttention" else None


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
