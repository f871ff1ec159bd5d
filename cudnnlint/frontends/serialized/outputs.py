"""What one call of a layer gives, and what reaches a recurrent layer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from cudnnlint.core.quick_dataclass import dataclass, replace
from cudnnlint.frontends.serialized.connections import TensorRef
from cudnnlint.keras.lattice import UNSTATED, Dtype, TensorTraits


@dataclass(frozen=True)
class Outputs:
    """The outputs of a call; those beyond the listed ones are all alike.

    `traced`: the dtypes that the graph shows of them are those of the run.
    """

    listed: tuple[TensorTraits, ...] = ()
    rest: TensorTraits = field(default_factory=TensorTraits)
    traced: bool = False

    def at(self, output: int) -> TensorTraits:
        """Return one output."""
        return self.listed[output] if output < len(self.listed) else self.rest


@dataclass(frozen=True)
class Arrival:
    """What reaches a recurrent layer in one call; `states` are the dtypes of its initial state.

    `assuming` is what is assumed of the models that contain it.
    """

    tensor: TensorTraits
    states: tuple[Dtype, ...]
    assuming: str | None


def built(tensor: TensorTraits) -> TensorTraits:
    """Return a tensor of a model that Keras 2 built: its recurrent layers take no integers then."""
    return tensor if tensor.dtype.name is not None else replace(tensor, dtype=UNSTATED)


def take(made: Mapping[tuple[int, int], Outputs], ref: TensorRef) -> TensorTraits:
    """Return a tensor, with the rank that the file writes for it, and the dtype where it is not known otherwise.

    The file has the dtypes of the symbolic graph: for most layers what they compute in, also where they hand integers
    on when the model runs (keras/src/layers/layer.py:Layer.compute_output_spec). So it settles a dtype that is
    unknown for a reason only for an operation on tensors which are what the graph shows.
    """
    outputs = made[ref.layer, ref.call]
    tensor = outputs.at(ref.output)
    dtype, rank = tensor.dtype, ref.rank if ref.rank is not None else tensor.rank
    if ref.dtype is not None and (dtype == UNSTATED or (dtype.name is None and outputs.traced)):
        dtype = Dtype(ref.dtype)
    return replace(tensor, dtype=dtype, rank=rank)
