"""How many time steps reach a recurrent layer, as the source and as the saved configuration show them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cudnnlint.core.fact import Known
from cudnnlint.core.layer import Layer, Model
from cudnnlint.frontends import saved
from cudnnlint.frontends.source.reader import read
from cudnnlint.rulebook import loader

NAMES = loader.load().tables.names

CALLED = {
    "x = keras.Input((200, 8))": 200,
    "x = keras.Input(batch_shape=(4, 50, 8))": 50,
    "x = keras.Input((None, 8))": None,
    "x = keras.Input((200,)); x = L.Embedding(10, 8)(x)": 200,
    "x = keras.Input((200, 8)); x = L.GRU(4, return_sequences=True)(x)": 200,
    "x = keras.Input((200, 8)); x = L.Dense(4)(L.Dropout(0.1)(x))": 200,
    "x = keras.Input((200, 8)); x = L.TimeDistributed(L.Dense(4))(x)": 200,
    "x = keras.Input((200, 8)); x = L.Conv1D(4, 3)(x)": 198,
    "x = keras.Input((200, 8)); x = L.Conv1D(4, 3, strides=2, padding='same')(x)": 100,
    "x = keras.Input((200, 8)); x = L.Conv1D(4, 5, dilation_rate=2, padding='causal')(x)": 200,
    "x = keras.Input((201, 8)); x = L.MaxPooling1D()(x)": 100,
    "x = keras.Input((201, 8)); x = L.AveragePooling1D(4, padding='same')(x)": 51,
    "x = keras.Input((8,)); x = L.RepeatVector(7)(x)": 7,
    "x = keras.Input((8,)); x = L.Reshape((4, 2))(x)": 4,
    "x = keras.Input((8,)); x = L.Reshape((-1, 2))(x)": None,
    "x = keras.Input((200, 8)); x = L.Concatenate()([x, x])": 200,
    "x = keras.Input((200, 8)); x = L.Concatenate(axis=1)([x, x])": None,
    "x = keras.Input((200, 8)); x = L.Permute((2, 1))(x)": None,
    "x = keras.Input((200, 8)); x = x * 2": None,
}
SEQUENTIAL = {
    "L.LSTM(4, input_shape=(30, 8))": 30,
    "L.LSTM(4, batch_input_shape=(1, 30, 8))": 30,
    "L.LSTM(4, input_shape=(None, 8))": None,
    "L.Embedding(10, 8, input_length=30), L.LSTM(4)": 30,
    "L.Bidirectional(L.LSTM(4), input_shape=(30, 8))": 30,
    "L.Bidirectional(L.LSTM(4, input_shape=(30, 8)))": 30,
    "keras.Input((30, 8)), L.LSTM(4)": 30,
    "L.TimeDistributed(L.LSTM(4), input_shape=(5, 30, 8))": None,
}


def steps(layer: Layer) -> Any:
    """How many steps the first call of a layer has."""
    fact = layer.calls[0].context("steps") if layer.calls else None
    return fact.value if isinstance(fact, Known) else None


def last(model: Model) -> Any:
    """The steps of the layer that the model ends with."""
    return steps(model.layers[-1])


@pytest.mark.parametrize(("lines", "count"), CALLED.items(), ids=CALLED)
def test_steps_of_a_layer_that_is_called(lines: str, count: int | None) -> None:
    text = f"import keras\nimport keras.layers as L\n{lines}\ny = L.LSTM(4)(x)\n"
    assert last(read("case.py", text.encode(), NAMES)) == count


@pytest.mark.parametrize(("layers", "count"), SEQUENTIAL.items(), ids=SEQUENTIAL)
def test_steps_of_a_layer_in_a_sequential(layers: str, count: int | None) -> None:
    text = f"import keras\nimport keras.layers as L\nmodel = keras.Sequential([{layers}])\n"
    assert last(read("case.py", text.encode(), NAMES)) == count


def saved_layer(class_name: str, **config: Any) -> dict[str, Any]:
    return {"class_name": class_name, "config": {"name": class_name.lower(), **config}}


SAVED = [
    ([saved_layer("InputLayer", batch_shape=[None, 200, 8]), saved_layer("LSTM", units=4)], 200),
    ([saved_layer("InputLayer", batch_input_shape=[None, 200, 8]), saved_layer("LSTM", units=4)], 200),
    ([saved_layer("InputLayer", batch_shape=[None, None, 8]), saved_layer("LSTM", units=4)], None),
    ([saved_layer("LSTM", units=4, batch_input_shape=[None, 30, 8])], 30),
    ([saved_layer("Embedding", input_dim=9, output_dim=4, input_length=30), saved_layer("GRU", units=4)], 30),
    ([saved_layer("InputLayer", batch_shape=[None, 9, 8]),
      saved_layer("Conv1D", kernel_size=[3], strides=[1], dilation_rate=[1], padding="valid"),
      saved_layer("GRU", units=4)], 7),
]  # fmt: skip


@pytest.mark.parametrize(("layers", "count"), SAVED, ids=range(len(SAVED)))
def test_steps_of_a_saved_layer(layers: list[dict[str, Any]], count: int | None) -> None:
    model = {"class_name": "Sequential", "config": {"name": "model", "layers": layers}}
    assert last(saved.read_bytes("config.json", json.dumps(model).encode(), NAMES)) == count
