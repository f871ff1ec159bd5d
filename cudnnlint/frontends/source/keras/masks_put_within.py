"""The mask that a user's own layer makes, where its `call` gives back the very tensor that it got.

A mask is the property of a tensor, so every layer that gets this tensor afterwards meets the mask, in both generations.
In code that runs line by line the order is that of the lines; in a graph it is not followed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.core.quick_dataclass import replace
from cudnnlint.frontends.source.keras import masks
from cudnnlint.frontends.source.keras.keras_state import state_of
from cudnnlint.frontends.source.keras.tensors import Source, Tensor
from cudnnlint.frontends.source.python.values import UNBOUND, Unbound, UnknownValue, join, options

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter

BECAUSE = "a layer that gives back this very tensor puts a mask on it, and it is not known whether that happens before"
_DOUBT = UnknownValue(BECAUSE, None, "unknown")


def put(run: Interpreter, tensor: Tensor, given: Tensor) -> None:
    """Record that a layer that was called with a tensor gives it back, with a mask that it did not have."""
    state, source = state_of(run), tensor.source
    if source is None or not masks.is_none(tensor.mask) or masks.is_none(given.mask):
        return
    state.put_within.add(source)
    if state.line_by_line:
        run.journal.write(state.world, _key(run, source), given.mask)
    for seen, code in state.unmasked.get(source, ()):
        if not state.line_by_line or code != state.code:  # else it ran before
            seen.context["mask"] = _DOUBT


def now(run: Interpreter, tensor: Tensor) -> Tensor:
    """Return a tensor with the mask that was put on it so far."""
    state, source = state_of(run), tensor.source
    if source is None or source not in state.put_within or not masks.is_none(tensor.mask):
        return tensor
    if not state.line_by_line:
        return replace(tensor, mask=_DOUBT)
    found = options(state.world.get(_key(run, source)) or UNBOUND)
    return replace(tensor, mask=join([tensor.mask if isinstance(one, Unbound) else one for one in found]))


def _key(run: Interpreter, source: Source) -> str:
    return f"·put on {id(source)} in {state_of(run).code}"
