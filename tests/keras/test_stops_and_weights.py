"""At which masks and integers a layer stops, and which weights it has, case by case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from test_transfer import FLOATS, NONE, RIGHT, TABLE, UNSURE, View, layer, masked, transfer

from cudnnlint.core.masking import unlike_masks
from cudnnlint.core.truth import Truth
from cudnnlint.keras import deep_masks, joined_masks, recurrent_weights
from cudnnlint.keras.lattice import CallInputs, Dtype, Masks, TensorTraits
from cudnnlint.keras.recurrent_weights import weight_shapes
from cudnnlint.keras.whole_stops import WHOLE, whole_stop

INT, HALVES = Dtype("int32"), Dtype("float16")


@pytest.mark.parametrize(
    ("rank", "last", "units", "kind"),
    [
        (2, 4, {4}, None), (None, None, {4}, None), (3, 1, {4}, None), (3, 2, {4}, deep_masks.UNFITTING_MASK),
        (3, 4, {4}, deep_masks.DEEP_MASK), (3, None, {4}, deep_masks.DEEP_MASK), (3, 2, (), deep_masks.DEEP_MASK),
        (3, 2, {4, 2}, deep_masks.DEEP_MASK),
    ],
)  # fmt: skip
def test_a_mask_with_a_value_for_each_feature_fits_the_states_or_does_not(
    rank: int | None, last: int | None, units: Any, kind: str | None
) -> None:
    assert deep_masks.stop_at(rank, last, units) == kind


PADDED, PLAIN, PERHAPS = Masks((RIGHT,)), Masks((NONE,)), Masks((UNSURE,))


@pytest.mark.parametrize(
    ("masks", "axis", "rank", "features", "stops"),
    [
        ((PADDED, PLAIN), 1, 3, 2, Truth.YES), ((PLAIN, PADDED), 1, 3, 2, Truth.YES),
        ((PADDED, PLAIN), -1, 3, 2, Truth.NO), ((PADDED, PLAIN), 2, 3, 2, Truth.NO),
        ((PADDED, PLAIN), 2, 4, 2, Truth.YES), ((PADDED, PLAIN), 1, 3, 1, Truth.NO),
        ((PADDED, PLAIN), 1, 3, None, Truth.UNKNOWN), ((PADDED, PLAIN), 1, None, 2, Truth.UNKNOWN),
        ((PADDED, PLAIN), -2, 3, 2, Truth.YES), ((PADDED, PLAIN), -1, None, 2, Truth.NO),
        ((PADDED, PLAIN), None, 3, 2, Truth.UNKNOWN),
        ((PADDED, PLAIN), 0, 1, 2, Truth.NO), ((PADDED, PLAIN), 0, 2, 2, Truth.NO),
        ((PADDED, PADDED), 1, 3, 2, Truth.NO), ((PLAIN, PLAIN), 1, 3, 2, Truth.NO),
        ((PERHAPS, PLAIN), 1, 3, 2, Truth.UNKNOWN), ((PERHAPS, PADDED), 1, 3, 2, Truth.UNKNOWN),
    ],
)  # fmt: skip
def test_keras_2_joins_inputs_with_and_without_a_mask_along_the_last_axis_alone(
    masks: Sequence[Masks], axis: object, rank: int | None, features: int | None, stops: Truth
) -> None:
    epoch = replace(transfer().epoch, stops={unlike_masks("Concatenate"): "all releases of Keras 2"})
    assert joined_masks.unlike("Concatenate", masks, axis, rank, features, epoch) is stops
    assert joined_masks.unlike("Add", masks, axis, rank, features, epoch) is Truth.NO


def shapes(name: str, **config: Any) -> Any:
    return weight_shapes(name, {"units": 3, "use_bias": True, **config})


def test_a_recurrent_layer_has_the_weights_of_its_gates() -> None:
    """As LSTM(3).weights, GRU(3).weights and SimpleRNN(3).weights are, but for the features of the input."""
    assert shapes("LSTM") == shapes("LSTMCell") == [(None, 12), (3, 12), (12,)]
    assert shapes("GRU", reset_after=True) == shapes("GRU") == shapes("GRUCell") == [(None, 9), (3, 9), (2, 9)]
    assert shapes("GRU", reset_after=False) == [(None, 9), (3, 9), (9,)]
    assert shapes("SimpleRNN") == [(None, 3), (3, 3), (3,)]
    assert shapes("LSTM", use_bias=False) == [(None, 12), (3, 12)]
    assert shapes("LSTM", reset_after=True) == shapes("LSTM")
    for name, config in (("Dense", {}), ("LSTM", {"use_bias": None}), ("LSTM", {"units": "3"}),
                         ("GRU", {"reset_after": None})):  # fmt: skip
        assert shapes(name, **config) is None
    assert shapes("LSTM", reset_after=None) == shapes("LSTM")  # which has no such argument


def test_only_a_gru_without_reset_after_in_its_file_is_taken_for_one_with_it() -> None:
    for name in ("GRU", "GRUCell"):
        assert recurrent_weights.is_assumed(name, {"units": 3}) is True
        assert recurrent_weights.is_assumed(name, {"reset_after": False}) is False
    assert recurrent_weights.is_assumed("LSTM", {"units": 3}) is False


def test_stored_weights_fit_in_any_order_and_none_may_be_too_much() -> None:
    needed = [(None, 12), (3, 12), (12,)]
    assert recurrent_weights.fit([(12,), (3, 12), (5, 12)], needed)
    assert recurrent_weights.fit([(3, 12), (3, 12), (12,)], needed)
    assert not recurrent_weights.fit([(5, 12), (4, 12), (12,)], needed)
    assert recurrent_weights.beside([(5, 12), (3, 12), (12,), (7,)], needed) == [(7,)]
    assert recurrent_weights.beside([(5, 12), (3, 12)], needed) is None
    assert not recurrent_weights.agree((3, 12), (12,))
    assert not recurrent_weights.agree((12,), (12, 3))


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint8", "bool", "int8", "float32"])
def test_integers_and_booleans_of_the_dtypes_that_were_asked_may_stop_a_layer(dtype: str) -> None:
    for name, setting, may in (
        ("Dense", None, False), ("Softmax", None, True), ("Dropout", 0.5, True), ("Dropout", 0, False),
        ("Dropout", None, False), ("GaussianNoise", 1.0, True), ("GaussianNoise", 0.0, False),
    ):  # fmt: skip
        found = whole_stop(TABLE, name, [Dtype(dtype)], {"rate": setting, "stddev": setting}.get)
        asked = may and dtype not in ("int8", "float32")
        assert found == (f"{dtype} given to {name}" if asked else None)


def test_of_an_activation_its_function_decides() -> None:
    given = [INT]
    assert whole_stop(TABLE, "Activation", given, {"activation": "relu"}.get) == "int32 given to Activation('relu')"
    assert whole_stop(TABLE, "Activation", given, {}.get) is None


@pytest.mark.parametrize(
    ("name", "given", "kind"),
    [
        ("Add", ("int32", "float32"), f"{WHOLE} together with another dtype given to Add"),
        ("Add", ("float16", "float32"), None),
        ("Add", ("int32", "int32"), "int32 given to Add"),
        ("Add", ("int32", "int64"), f"{WHOLE} together with another dtype given to Add"),
        ("Multiply", ("bool", "float32"), "booleans together with another dtype given to Multiply"),
        ("Multiply", ("int32", "float32"), f"{WHOLE} together with another dtype given to Multiply"),
        ("Add", ("bool", "float32"), f"{WHOLE} together with another dtype given to Add"),
        ("Attention", ("int32", "float32"), None),
    ],
)
def test_layers_that_take_several_tensors_take_them_in_one_dtype(
    name: str, given: tuple[str, ...], kind: str | None
) -> None:
    assert whole_stop(TABLE, name, [Dtype(one) for one in given], {}.get) == kind


def stops(view: View, *given: TensorTraits, **more: Any) -> list[str]:
    """What a layer comes to in Keras 3.5, which stops at masks in several places."""
    return transfer("keras 3.5.0").stops(view, CallInputs(given, **more))


def test_a_layer_stops_at_the_masks_and_integers_of_any_of_its_inputs() -> None:
    plain, padded = masked(NONE, dtype=FLOATS), masked(RIGHT, dtype=FLOATS)
    told = ["a mask that reaches Concatenate"]
    for given in ((padded, plain), (plain, padded), (plain, plain, padded)):
        assert stops(layer("Concatenate"), *given) == told
    assert stops(layer("Concatenate"), plain, plain) == []
    assert stops(layer("Dense"), padded) == []
    uncast = View("Concatenate", {"autocast": False}, computes=FLOATS)
    assert stops(uncast, masked(NONE, dtype=INT), plain) == [
        f"{WHOLE} together with another dtype given to Concatenate"
    ]


def test_a_mask_that_the_call_passes_takes_the_place_of_the_tensors_own() -> None:
    plain, padded = masked(NONE, dtype=FLOATS), masked(RIGHT, dtype=FLOATS)
    told = ["a mask that reaches TimeDistributed"]
    assert stops(layer("TimeDistributed", layer("Dense")), plain, mask=(Masks((RIGHT,)),)) == told
    assert stops(layer("TimeDistributed", layer("Dense")), padded) == told
    assert stops(layer("TimeDistributed", layer("Dense")), plain) == []
