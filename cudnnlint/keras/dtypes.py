"""The dtype of the output of a layer or an operation.

A layer casts floats to what it computes in, and leaves integers and booleans as they are.

Asked of keras 3.15.1; tf_keras stops at integers in any recurrent layer, whatever comes before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from cudnnlint.core.execution_context import POLICY
from cudnnlint.core.masking import Epoch, MaskTable, OnDtype
from cudnnlint.keras.lattice import GLOBAL, UNSTATED, CallInputs, Dtype
from cudnnlint.keras.view import OPEN, LayerView

FLOAT = "float32"
#: What a number of Python is beside booleans alone; beside integers it takes their dtype.
WHOLE_NUMBER = "int32"
#: Activations that return integers for integers; the others compute in floats, or stop.
SAME_ACTIVATIONS = (None, "linear", "relu", "relu6")
#: Layers that compute in integers whatever they encode, and whatever dtype is given.
LOOKUPS = ("IntegerLookup", "StringLookup", "TextVectorization")
INDICES = {**dict.fromkeys(LOOKUPS, "int64"), "Discretization": "int32", "HashedCrossing": "int64", "Hashing": "int64"}
_FIXED: dict[OnDtype | None, str] = {OnDtype.BOOLEANS: "bool", OnDtype.INDICES: "int32"}
#: Promotion (keras/src/backend/common/dtypes.py): of two integer dtypes one that holds both, a float where none does.
BITS = {"bool": 1, **{f"{sign}int{bits}": bits for bits in (8, 16, 32, 64) for sign in ("u", "")}}
WIDEST, WIDE = max(BITS.values()), 32


def behind(table: MaskTable, layer: LayerView, given: CallInputs, epoch: Epoch) -> Dtype:
    """Return the dtype of the output of one of Keras's own layers."""
    does = table.dtype_behind(layer.class_name, epoch.major)
    if does is OnDtype.OUTPUT_MODE:
        return _encoded(layer, epoch)
    first = given.first.dtype
    if layer.class_name == "InputLayer":
        own = layer.setting("dtype").known(None)
        return Dtype(own, token=layer.token) if isinstance(own, str) else first
    if layer.class_name == "Activation" and first.may_be_whole:
        return _activated(layer, first)
    if layer.class_name == "Lambda":
        return _computed(table, layer, given)
    if does in (OnDtype.PROMOTES, OnDtype.RATIO):
        dtype = promoted([tensor.dtype for tensor in given.inputs])
        if dtype.whole and does is OnDtype.RATIO:  # keras.ops.divide takes the wide integers to the wide float
            return Dtype("float64" if BITS.get(str(dtype.name), 0) >= WIDE else FLOAT)
        return dtype if dtype.may_be_whole and does is OnDtype.PROMOTES else layer.computes
    if not first.may_be_whole or does is OnDtype.FLOATS:
        return layer.computes
    if does is OnDtype.SAME:
        return first
    return Dtype(None, f"integers or booleans reach {layer.class_name}, and the dtype of its output is not known")


def _computed(table: MaskTable, layer: LayerView, given: CallInputs) -> Dtype:
    """Return the dtype of the output of a Lambda: known for a function of the table."""
    name = layer.setting("function").known(None)
    if not isinstance(name, str) or table.on_dtype(name) is None:
        return Dtype(None, "the dtype of what a Lambda gives depends on its code")
    dtype = of_operation(table, name, [tensor.dtype for tensor in given.inputs])
    return dtype if dtype.may_be_whole else layer.computes


def _activated(layer: LayerView, first: Dtype) -> Dtype:
    name = layer.setting("activation").known(None)
    if name in SAME_ACTIVATIONS:
        return first
    if isinstance(name, str):
        return layer.computes
    return Dtype(None, "integers or booleans reach an activation, and the dtype of its output is not known")


def _encoded(layer: LayerView, epoch: Epoch) -> Dtype:
    """Return the dtype of the output of a preprocessing layer: indices, or an encoding of them."""
    mode = layer.setting("output_mode").known("int" if layer.class_name in INDICES else "multi_hot")
    dtype = layer.setting("dtype").known(None)
    if mode is OPEN or dtype is OPEN:
        return Dtype(None, f"the dtype of the output of {layer.class_name} depends on its output_mode and dtype")
    indices = INDICES.get(layer.class_name, FLOAT)
    own = layer.class_name == "HashedCrossing" or (layer.class_name == "Discretization" and epoch.own_indices)
    if mode == "int" and dtype is not None and own and epoch.major > 2:
        return layer.computes
    return Dtype(indices) if mode == "int" or layer.class_name in LOOKUPS else layer.computes


def shown(layer: LayerView) -> Dtype | None:
    """Return the dtype that a graph shows of the output of a layer; None where it is the one of the run.

    Source: `compute_output_spec` of the lookups (floatx for an encoding), else of Layer, in Keras 3.8.
    """
    if layer.class_name == "InputLayer" or layer.setting("output_mode").known(None) == "int":
        return None
    return Dtype(FLOAT) if layer.class_name in LOOKUPS else layer.computes


def of_states(given: Sequence[Dtype]) -> str | None:
    """Return the dtypes of an initial state, as the surrounding "state_dtype" has them; None where one is unknown."""
    names = {POLICY if one.token == GLOBAL else one.name for one in given}
    return None if None in names or not names else ", ".join(sorted(str(name) for name in names))


def beside(tensors: Sequence[Dtype], numbers: Sequence[str]) -> list[Dtype]:
    """Return the dtypes that count in an operation: those of tensors, and of numbers where these decide anything."""
    counting = [name for name in numbers if name != WHOLE_NUMBER or all(one.name == "bool" for one in tensors)]
    return [*tensors, *map(Dtype, counting)]


def promoted(dtypes: Sequence[Dtype]) -> Dtype:
    """Return the dtype of several tensors taken together; one float makes a float of them."""
    if any(not dtype.may_be_whole for dtype in dtypes) or not dtypes:
        return next((dtype for dtype in dtypes if dtype.name and not dtype.whole), UNSTATED)
    unsure = next((dtype for dtype in dtypes if not dtype.whole), None)
    if unsure is not None:
        return unsure
    names = [dtype.name for dtype in dtypes]
    wide = reduce(wider, [name for name in names if name in BITS], "bool")
    found = next((dtype for dtype in dtypes if dtype.name == wide), Dtype(wide))
    return found if all(name in BITS for name in names) else next(d for d in dtypes if d.name not in BITS)


def wider(left: str, right: str) -> str:
    """Return the dtype that two of integers or booleans are promoted to; a float where no integer holds both."""
    if left not in BITS:
        return left  # a float already
    narrow, wide = sorted((left, right), key=BITS.__getitem__)
    if narrow.startswith("int") == wide.startswith("int"):
        return wide
    signed, unsigned = (wide, narrow) if wide.startswith("int") else (narrow, wide)
    bits = max(BITS[signed], 2 * BITS[unsigned])
    return f"int{bits}" if bits <= WIDEST else FLOAT


def of_operation(table: MaskTable, name: str, inputs: Sequence[Dtype], dtype: str | None = None) -> Dtype:
    """Return the dtype of the result of an operation, `name` without its module; `dtype` where the call passes one."""
    if dtype is not None:
        return Dtype(dtype)
    does = table.on_dtype(name)
    if does in _FIXED:
        return Dtype(_FIXED[does])
    if does is OnDtype.FLOATS:
        return next((one for one in inputs if one.name and not one.whole), UNSTATED)
    if does is OnDtype.PROMOTES:
        return promoted(inputs)
    if does is OnDtype.SAME and inputs:
        return inputs[0]
    if not any(one.may_be_whole for one in inputs):
        return next((one for one in inputs if one != UNSTATED), UNSTATED)
    return Dtype(None, f"integers or booleans are passed to `{name}`, and the dtype of its result is not known")
