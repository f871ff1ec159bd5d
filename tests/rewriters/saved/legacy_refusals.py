"""Models that Keras 3 cannot hold, each with one layer to blame: `convert` must refuse them and name it.

`REFUSALS` maps what is wrong to a function that builds the model. The layer to blame is called "culprit", or begins
with the name that tf_keras gives an operation (`tf.`), or the refusal is about the file as a whole ("").
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow
from legacy_models import FEATURES, STEPS, WORDS, K, L

REFUSALS: dict[str, tuple[str, Callable[[], Any]]] = {}


def refusal(blamed: str = "culprit") -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    """Register a function from a tensor (batch, steps, features) to another one, as a functional model."""

    def register(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def build() -> Any:
            given = L.Input((STEPS, FEATURES))
            return K.Model(given, L.Dense(2)(L.GRU(3)(function(given))))

        REFUSALS[function.__name__] = (blamed, build)
        return function

    return register


@K.utils.register_keras_serializable("mine")
class OwnLayer(L.Layer):
    """A class that only its author's code knows."""

    def call(self, inputs: Any) -> Any:
        return inputs * 2


@K.utils.register_keras_serializable("mine")
class OwnLSTM(L.LSTM):
    """A subclass of a Keras layer."""


@K.utils.register_keras_serializable("mine")
def own_activation(x: Any) -> Any:
    return x * 0.5


@K.utils.register_keras_serializable("mine")
class OwnCell(L.LSTMCell):
    """A cell of one's own."""


@refusal()
def python_lambda(x: Any) -> Any:
    return L.Lambda(lambda y: y * 2, name="culprit")(x)


@refusal("tf.")
def unknown_function(x: Any) -> Any:
    return tensorflow.math.bessel_i0(x)


@refusal("tf.")
def further_argument(x: Any) -> Any:
    """Keras 3's cumsum has one direction."""
    return tensorflow.cumsum(x, axis=1, reverse=True)


@refusal("tf.")
def mean_of_whole_numbers(x: Any) -> Any:
    mean = tensorflow.reduce_mean(tensorflow.cast(x, "int32"), axis=1, keepdims=True)
    return x * tensorflow.cast(mean, "float32")


@refusal("tf.")
def computed_shape(x: Any) -> Any:
    return tensorflow.tile(x[:1], (tensorflow.shape(x)[0], 1, 1))


@refusal()
def own_layer(x: Any) -> Any:
    return OwnLayer(name="culprit")(x)


@refusal()
def own_subclass(x: Any) -> Any:
    return OwnLSTM(3, return_sequences=True, name="culprit")(x)


@refusal()
def own_activation_function(x: Any) -> Any:
    return L.Dense(3, activation=own_activation, name="culprit")(x)


@refusal("culprit")
def own_cell(x: Any) -> Any:
    return L.RNN(OwnCell(3, name="culprit"), return_sequences=True)(x)


@refusal()
def locally_connected(x: Any) -> Any:
    return L.LocallyConnected1D(3, 2, name="culprit")(x)


@refusal()
def time_major(x: Any) -> Any:
    return L.LSTM(3, return_sequences=True, time_major=True, name="culprit")(x)


@refusal()
def trained_by_force(x: Any) -> Any:
    return L.Dropout(0.5, name="culprit")(x, training=True)


@refusal()
def hard_sigmoid_on_the_state(x: Any) -> Any:
    return L.LSTM(3, activation="hard_sigmoid", return_sequences=True, name="culprit")(x)


@refusal()
def renormalised(x: Any) -> Any:
    return L.BatchNormalization(renorm=True, name="culprit")(x)


def subclassed() -> Any:
    class Own(K.Model):
        def __init__(self) -> None:
            super().__init__()
            self.last = L.LSTM(3)

        def call(self, inputs: Any) -> Any:
            return self.last(inputs)

        def get_config(self) -> dict[str, Any]:
            return {"name": "own"}

    model = Own()
    model(tensorflow.zeros((1, STEPS, FEATURES)))
    return model


def own_standardisation() -> Any:
    text = L.Input((1,), dtype="string")
    layer = L.TextVectorization(
        output_sequence_length=STEPS, vocabulary=["a", "b"], standardize=tensorflow.strings.lower, name="culprit"
    )
    return K.Model(text, L.LSTM(2)(L.Embedding(WORDS, FEATURES)(layer(text))))


def ragged_text() -> Any:
    text = L.Input((1,), dtype="string")
    layer = L.TextVectorization(ragged=True, vocabulary=["a", "b"], name="culprit")
    return K.Model(text, L.LSTM(2)(L.Embedding(WORDS, FEATURES)(layer(text))))


def hashed() -> Any:
    words = L.Input((STEPS,), dtype="string")
    return K.Model(words, L.LSTM(2)(L.Embedding(WORDS, FEATURES)(L.Hashing(WORDS, name="culprit")(words))))


REFUSALS["own_standardisation"] = ("culprit", own_standardisation)
REFUSALS["ragged_text"] = ("culprit", ragged_text)
REFUSALS["hashed"] = ("culprit", hashed)
REFUSALS["subclassed"] = ("", subclassed)
