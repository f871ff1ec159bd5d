"""What one call of a layer gives, and what reaches a recurrent layer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from cudnnlint.frontends.serialized.connections import TensorRef
from cudnnlint.keras.lattice import Dtype, Tensor


@dataclass(frozen=True)
class Outputs:
    """The outputs of a call; those beyond the listed ones are all alike."""

    listed: tuple[Tensor, ...] = ()
    rest: Tensor = field(default_factory=Tensor)

    def at(self, output: int) -> Tensor:
        """Return one output."""
        return self.listed[output] if output < len(self.listed) else self.rest


@dataclass(frozen=True)
class Arrival:
    """What reaches a recurrent layer in one call; `assuming` is what is assumed of the models that contain it."""

    tensor: Tensor
    states: bool
    assuming: str | None


def take(made: Mapping[tuple[int, int], Outputs], ref: TensorRef) -> Tensor:
    """Return a tensor, with the dtype and the rank that the file writes for it."""
    tensor = made[ref.layer, ref.call].at(ref.output)
    dtype, rank = tensor.dtype, ref.rank if ref.rank is not None else tensor.rank
    if ref.dtype is not None and ref.dtype != dtype.name:
        dtype = Dtype(ref.dtype)
    return replace(tensor, dtype=dtype, rank=rank)
