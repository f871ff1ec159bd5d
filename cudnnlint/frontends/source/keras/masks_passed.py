"""The masks that Keras passes to the `call` of a user's own layer or model, where the program passes none.

Keras 2 passes as `mask` those of the first argument, also into `**kwargs`. Keras 3 passes `mask` where one argument
alone holds tensors, and the mask of each as `NAME_mask` where several do. Source: keras/src/layers/layer.py:
Layer.__call__ (3.0.5 to 3.15.1), tf_keras/src/engine/base_layer.py:Layer._get_input_masks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import masks, masks_of_own_layers
from cudnnlint.frontends.source.keras.tensors import BOOLEAN, UNMASKED, Tensor
from cudnnlint.frontends.source.python import containers, signatures
from cudnnlint.frontends.source.python.arguments import Arguments
from cudnnlint.frontends.source.python.values import (
    NONE,
    Function,
    Listing,
    Mapping,
    Tuple,
    UnknownValue,
    Value,
    join,
    options,
)

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

_UNSURE = "it is not known whether one argument alone holds tensors, and only then does Keras 3 pass a mask"


def add(run: Interpreter, method: Function, given: Arguments) -> None:
    """Add to the arguments of a call what Keras adds."""
    parameters = method.node.params
    names = [one.name.value for one in signatures.every_parameter(parameters)][1:]
    bound = dict(zip(names, given.positional, strict=False)) | given.keywords
    first = bound.get(names[0]) if names else None
    found: dict[str, tuple[Value, Value]] = {}
    if first is not None and "mask" not in bound and ("mask" in names or parameters.star_kwarg is not None):
        found["mask"] = masks_of_own_layers.entering(run, first), NONE
    for name, mask in _of_keras_3(run, names, bound).items():
        found[name] = found.get(name, (NONE, NONE))[0], mask
    for name, (old, new) in found.items():
        passed = _by_generation(run, old, new)
        if name in names or passed is not NONE:
            given.keywords[name] = passed


def _of_keras_3(run: Interpreter, names: list[str], bound: dict[str, Value]) -> dict[str, Value]:
    """Return the masks that Keras 3 passes, by name."""
    holds = {name: _holds_tensors(run, value) for name, value in bound.items() if name != "training"}
    sure = [name for name, tensors in holds.items() if tensors]
    may = [name for name, tensors in holds.items() if tensors is not False]
    wanted = {f"{name}_mask": name for name in may} if len(may) > 1 else {}
    if len(sure) < 2 and may:
        wanted["mask"] = (sure or may)[0]
    free = {name: of for name, of in wanted.items() if name in names and name not in bound}
    found = {name: masks_of_own_layers.entering(run, bound[of]) for name, of in free.items()}
    certain = sure == may or len(sure) > 1
    return found if certain else {name: join([mask, NONE], _UNSURE) for name, mask in found.items()}


def _holds_tensors(run: Interpreter, value: Value) -> bool | None:
    """Return whether an argument is a tensor, or holds some; None where that is not known."""
    found = {_is_tensor(run, option) for option in options(value)}
    return found.pop() if len(found) == 1 else None


def _is_tensor(run: Interpreter, value: Value) -> bool | None:
    if isinstance(value, (Listing, Tuple, Mapping)):
        inside = [_holds_tensors(run, item) for item in containers.elements(run, value).items]
        return True if True in inside else None if None in inside else False
    return None if isinstance(value, UnknownValue) else isinstance(value, Tensor)


def _by_generation(run: Interpreter, old: Value, new: Value) -> Value:
    """Return a mask that Keras 2 and Keras 3 pass differently; a list of masks is either of them."""
    if old is new or not all(one is NONE or isinstance(one, Tensor) for one in (old, new)):
        return join([old, new])
    mask = masks.by_epoch(run, lambda epoch, i: masks.in_epoch(_inside(old if epoch.major == 2 else new), i))
    if masks.is_none(mask):
        return NONE
    ranks = [one.mask_ranks for one in (old, new) if isinstance(one, Tensor)]
    return Tensor(mask, dtype=BOOLEAN, is_mask=True, mask_ranks=ranks[0])


def _inside(mask: Value) -> Value:
    return mask.mask if isinstance(mask, Tensor) else UNMASKED
