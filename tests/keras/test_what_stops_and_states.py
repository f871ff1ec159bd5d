"""Which masks stop a layer, which dtypes an initial state has, and what a TimeDistributed hands on of its mask."""

from __future__ import annotations

from dataclasses import replace

import pytest
from test_transfer import FLOATS, K3, NONE, RIGHT, View, kinds, layer, masked, transfer

from cudnnlint.core.execution_context import POLICY
from cudnnlint.keras.dtypes import of_states
from cudnnlint.keras.lattice import GLOBAL, CallInputs, Dtype, Mask, Masks
from cudnnlint.keras.masks import stop_of

PLAIN, PADDED = Masks((NONE,)), Masks((RIGHT,))
#: The masks of the inputs, one for each, and the rows [[stop]] of a class of which each stops then.
REACHING = {
    "any": (None, (True, True, True)),
    "none": ([PLAIN, PLAIN], (False, False, False)),
    "the only one": ([PADDED], (True, False, False)),
    "the first of two": ([PADDED, PLAIN], (True, False, False)),
    "the second of two": ([PLAIN, PADDED], (True, True, False)),
    "the first of three": ([PADDED, PLAIN, PLAIN], (True, False, True)),
    "the last of three": ([PLAIN, PLAIN, PADDED], (True, True, True)),
}


@pytest.mark.parametrize("masks", REACHING)
@pytest.mark.parametrize(("row", "index"), [("", 0), (" by its values", 1), (" of three inputs", 2)])
def test_a_row_says_at_which_inputs_a_mask_stops_a_layer(row: str, index: int, masks: str) -> None:
    reaching, stops = REACHING[masks]
    epoch = replace(transfer().epoch, stops={f"Attention{row}": "these releases"})
    assert stop_of("Attention", reaching, epoch) == ("these releases" if stops[index] else None)
    assert stop_of("Add", reaching, epoch) is None


HALVES, POLICYS, UNKNOWN = Dtype("float16"), Dtype("float32", token=GLOBAL), Dtype(None, "it is not read")


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ((FLOATS,), "float32"), ((FLOATS, HALVES, FLOATS), "float16, float32"), ((POLICYS,), POLICY),
        ((POLICYS, HALVES), ", ".join(sorted(("float16", POLICY)))), ((), None), ((UNKNOWN,), None),
        ((FLOATS, UNKNOWN), None),
    ],
)  # fmt: skip
def test_the_dtypes_of_a_state_are_told_where_each_is_known(given: tuple[Dtype, ...], found: str | None) -> None:
    assert of_states(given) == found


@pytest.mark.parametrize(("inside", "kind"), [("LSTM", "unknown"), ("Bidirectional", "unknown"), ("Dense", "right")])
def test_keras_3_hands_on_a_mask_of_unknown_rank_but_around_a_layer_of_sequences(inside: str, kind: str) -> None:
    unranked = Mask(RIGHT.kind, RIGHT.origin)
    wrapper = layer("TimeDistributed", inner=View(inside))
    found = transfer(K3).output(wrapper, CallInputs((masked(unranked, dtype=FLOATS),)))
    assert kinds(found.masks) == [kind]
