"""What comes out of an operation of a saved model (`x + y`, `keras.ops.cast`): a new tensor, or the one given to it."""

from __future__ import annotations

from cudnnlint.core.masking import Epoch, MaskTable
from cudnnlint.core.place import SavedPlace
from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.serialized.entry import Entry, text
from cudnnlint.keras import dtypes
from cudnnlint.keras.lattice import CallInputs, TensorTraits, unknown
from cudnnlint.keras.masks import CAST, recast

#: Operations that may hand on the very tensor that they were given, mask and all.
SAME_TENSOR = frozenset({"Cast", "ConvertToTensor", "Identity", "cast", "convert_to_tensor", "identity"})


def op_output(entry: Entry, given: CallInputs, table: MaskTable, epoch: Epoch, place: SavedPlace) -> TensorTraits:
    """Return the output of an operation: it has no mask, unless the operation may be one that does nothing."""
    function = entry.config.get("function")
    name = function if isinstance(function, str) else entry.class_name
    inputs = dtypes.beside([tensor.dtype for tensor in (*given.inputs, *given.others)], given.numbers)
    dtype = dtypes.of_operation(table, name.rsplit(".", 1)[-1], inputs, text(entry.config.get("dtype")))
    made = TensorTraits(dtype=dtype)
    same = SAME_TENSOR | ({"GetItem"} if epoch.same_tensor else frozenset())
    if not {name, entry.class_name} & same or all(tensor.masks.none for tensor in given.inputs):
        return made
    if entry.class_name == "Cast":  # Keras 3's, with the dtype in its config
        return replace(made, masks=recast(dtype, given.first, epoch, CAST, place).masks)
    because = f"{entry.class_name} keeps the mask only if it changes nothing, and it is not known whether it does"
    return made.masked(unknown(because, place))
