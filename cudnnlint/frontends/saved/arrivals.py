"""What reaches a recurrent layer, as facts of SURROUNDINGS: its mask, dtype, raggedness, steps, initial state."""

from __future__ import annotations

from cudnnlint.core.fact import Assumed, Fact, Known, Unknown, one_of
from cudnnlint.core.place import Place, SavedPlace
from cudnnlint.frontends.serialized.outputs import Arrival
from cudnnlint.keras import dtypes
from cudnnlint.keras.lattice import Dtype, Kind, Mask, TensorTraits


def facts(arrival: Arrival, place: SavedPlace) -> dict[str, Fact]:
    """Return the facts of one call; what was not seen has none."""
    found = {"mask": one_of([_mask(mask) for mask in arrival.tensor.masks.options], str(arrival.tensor.masks.because))}
    found |= {name: fact for name, fact in _kinds(arrival.tensor, place) if fact is not None}
    if arrival.tensor.rank is not None:
        found["input_rank"] = Known(arrival.tensor.rank, place)
    if arrival.tensor.steps is not None:
        found["steps"] = Known(arrival.tensor.steps, place)
    if arrival.states:
        found["initial_state"] = Known(True, place)
        found["state_dtype"] = Known(dtypes.of_states(arrival.states), place)
    return {name: _assumed(fact, arrival.assuming) for name, fact in found.items()}


def _mask(mask: Mask) -> Fact:
    place = _place(mask.token)
    if mask.kind is Kind.UNKNOWN:
        return Unknown(mask.because, place)
    if mask.because:
        return Assumed(mask.kind.value, mask.because, place)
    return Known(mask.kind.value, place)


def _kinds(tensor: TensorTraits, place: SavedPlace) -> list[tuple[str, Fact | None]]:
    return [("input_dtype", _dtype(tensor.dtype, place)), ("ragged", _ragged(tensor, place))]


def _dtype(dtype: Dtype, place: SavedPlace) -> Fact | None:
    """Return the dtype, where an Input says it or where it holds, or may hold, integers."""
    if dtype.name is None:
        return Unknown(dtype.because, place) if dtype.because else None
    return Known(dtype.name, _place(dtype.token)) if dtype.whole or dtype.token is not None else None


def _ragged(tensor: TensorTraits, place: SavedPlace) -> Fact | None:
    if tensor.ragged is None:
        return Unknown(tensor.ragged_because, place)
    return Known(True, place) if tensor.ragged else None


def _place(token: object) -> Place | None:
    return token if isinstance(token, SavedPlace) else None


def _assumed(fact: Fact, because: str | None) -> Fact:
    return Assumed(fact.value, because, fact.place) if because is not None and isinstance(fact, Known) else fact
