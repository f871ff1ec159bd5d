"""The batch size that a layer is built with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.frontends.source.keras import graphs, input_tensors
from cudnnlint.frontends.source.keras.sites import CallSeen
from cudnnlint.frontends.source.keras.tensors import Source, Tensor
from cudnnlint.frontends.source.python.values import Instance, UnknownValue, Value, may_be_missing

if TYPE_CHECKING:
    from cudnnlint.frontends.source.python.interpreter import Interpreter


def batch_when_built(
    run: Interpreter, instance: Instance, before: CallSeen | None, roots: frozenset[Source], tensors: list[Tensor]
) -> dict[str, Value]:
    """Return the surrounding "batch" of a call: only the first one, which builds the layer, needs a batch size."""
    took = instance.table.get(graphs.TOOK)
    if before is not None and "batch" in before.context:
        return {"batch": before.context["batch"]}
    if took is not None and not may_be_missing(took):
        return {}
    found = input_tensors.batch(run, roots, tensors)
    if took is None or not found:
        return found
    return {"batch": UnknownValue("an earlier call may have built the layer with a batch size", None)}
