"""Models of Keras 2 that Keras 3 computes the same only by operations in the graph: masks that merge, and TensorFlow's.

`CARRIED` maps a name to a function that builds the model; `batch` are inputs for any of them, with padding. Needs
tf_keras; imported only by tests marked slow.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import tensorflow as tf
from legacy_models import FEATURES, STEPS, WORDS, K, L

CARRIED: dict[str, Callable[[], Any]] = {}


def ids(number: int = 0) -> Any:
    return L.Input((STEPS,), name=f"ids{number}")


def floats() -> Any:
    return L.Input((STEPS, FEATURES), name="floats")


def words(tensor: Any) -> Any:
    return L.Embedding(WORDS, FEATURES, mask_zero=True)(tensor)


def masked(function: Callable[..., Any]) -> Callable[..., Any]:
    """Register a function of two tensors of ids and one of floats, as a functional model."""

    def build() -> Any:
        inputs = [ids(), ids(1), floats()]
        return K.Model(inputs, function(*inputs))

    CARRIED[function.__name__] = build
    return function


@masked
def positions(one: Any, _: Any, x: Any) -> Any:
    return L.LSTM(3)(L.Add()([words(one), L.Dense(FEATURES)(x)]))


@masked
def attention(one: Any, _: Any, __: Any) -> Any:
    hidden = L.LSTM(4, return_sequences=True)(words(one))
    return L.GRU(3)(L.Multiply()([hidden, L.Conv1D(4, 1, activation="sigmoid")(hidden)]))


@masked
def joined(one: Any, _: Any, x: Any) -> Any:
    both = L.Concatenate()([words(one), L.Dense(2)(x)])
    return L.TimeDistributed(L.Dense(2))(L.Bidirectional(L.LSTM(3, return_sequences=True))(both))


@masked
def two_masks(one: Any, two: Any, x: Any) -> Any:
    h = L.LSTM(4, return_sequences=True)(L.Average()([words(one), words(two)]))
    return L.LSTM(3)(L.Maximum()([h, L.Masking()(x)]))


@masked
def three_users(one: Any, _: Any, x: Any) -> Any:
    h = L.Subtract()([words(one), x])
    return L.Concatenate()([L.SimpleRNN(3)(h), L.GRU(3)(h), L.GlobalAveragePooling1D()(h)])


@masked
def inside_a_nested_model(one: Any, _: Any, x: Any) -> Any:
    a, b = L.Input((STEPS,)), L.Input((STEPS, FEATURES))
    return K.Model([a, b], L.LSTM(3)(L.Add()([words(a), L.Dense(FEATURES)(b)])))([one, x])


@masked
def ended_by_rescaling(one: Any, two: Any, x: Any) -> Any:
    normal = L.Normalization(mean=[0.1] * FEATURES, variance=[2.0] * FEATURES)
    return L.Concatenate()([
        L.GRU(3)(L.Rescaling(2.0)(words(one))),
        L.Bidirectional(L.LSTM(2))(L.Identity()(words(two))),
        L.LSTM(2)(normal(L.Masking()(x))),
    ])


def ended_in_a_chain() -> Any:
    return K.Sequential([floats(), L.Masking(), L.Rescaling(3.0), L.LSTM(3, return_sequences=True), L.GRU(2)])


CARRIED["ended_in_a_chain"] = ended_in_a_chain

#: From a tensor (batch, steps, features) to another of rank 3.
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "arithmetic": lambda x: 1.0 - (x * 2.0 + 1.0) / 3.0 - x**2,
    "unary": lambda x: tf.exp(-x) + tf.math.log(x * x + 1.0) + tf.sqrt(abs(x)) + tf.square(tf.tanh(x)) + tf.sign(x),
    "activations": lambda x: tf.sigmoid(x) + tf.nn.relu(x) + tf.nn.softmax(x, axis=1) + tf.math.softplus(x),
    "slices": lambda x: x[:, 1:] - x[:, :-1, ::-1] + tf.expand_dims(x[:, -1], 1),
    "new_axis": lambda x: tf.squeeze(x[:, :, tf.newaxis, :2], 2),
    "reduced": lambda x: x - tf.reduce_mean(x, axis=[1], keepdims=True) + tf.reduce_max(x, axis=-1, keepdims=True),
    "stacked": lambda x: tf.reduce_sum(tf.stack([x, x + 1.0], axis=1), axis=1),
    "joined": lambda x: tf.concat([x, tf.reverse(x, axis=[1]), tf.gather(x, [0, 2], axis=-1)], axis=-1),
    "turned": lambda x: tf.matmul(x, tf.transpose(x, [0, 2, 1])),
    "shaped": lambda x: tf.tile(tf.reshape(x, (-1, STEPS * FEATURES // 2, 2)), [1, 1, 2]),
    "cast": lambda x: tf.cast(tf.cast(x * 3.0, tf.int32), tf.float32),
    "compared": lambda x: tf.where(tf.logical_and(x > 0.0, x < 1.0), x, tf.maximum(-x, 0.1)),
    "parts": lambda x: tf.concat(tf.split(x, 2, axis=-1), axis=1),
    "one_hot": lambda x: tf.one_hot(tf.argmax(x, axis=-1), FEATURES),
    "clipped": lambda x: tf.clip_by_value(x, -0.5, 0.5) * tf.constant(numpy.arange(FEATURES, dtype="float32")),
    "turned_by_the_product": lambda x: tf.matmul(tf.nn.softmax(tf.matmul(x, x, transpose_b=True)), x),
    "turned_first": lambda x: tf.matmul(x, x, transpose_a=True),
    "rounded": lambda x: tf.math.floor(x) + tf.math.ceil(x) + tf.round(x) + tf.math.erf(x) + tf.math.expm1(x),
    "inverse": lambda x: tf.math.rsqrt(abs(x) + 1.0) + tf.math.log1p(abs(x)) + tf.math.reciprocal(abs(x) + 1.0),
    "more_activations": lambda x: tf.nn.leaky_relu(x) + tf.nn.elu(x) + tf.nn.gelu(x) + tf.nn.swish(x) + tf.nn.selu(x),
    "logarithms": lambda x: tf.nn.log_softmax(x) + tf.math.log_sigmoid(x) + tf.reduce_logsumexp(x, 1, keepdims=True),
    "remainders": lambda x: tf.math.floormod(x, 2.0) + x // 0.3 + x % 3.0 + tf.math.divide_no_nan(x, tf.nn.relu(x)),
    "sums": lambda x: tf.add_n([x, x, tf.cumsum(x, axis=1)]) + tf.math.squared_difference(x, x + 1.0),
    "spread": lambda x: x / (tf.math.reduce_std(x, axis=1, keepdims=True) + tf.math.reduce_variance(x)),
    "lengths": lambda x: tf.math.l2_normalize(x, axis=-1) / (1.0 + tf.norm(x, axis=-1, keepdims=True)),
    "padded": lambda x: tf.roll(tf.pad(x, [[0, 0], [1, 0], [0, 2]]), 1, axis=1),
    "repeated": lambda x: tf.repeat(x, 2, axis=1) + tf.repeat(tf.repeat(x[:, :, :1], FEATURES, 2), 2, 1),
    "sorted": lambda x: tf.sort(x, axis=1) + tf.math.top_k(x, FEATURES)[0],
    "uneven_parts": lambda x: tf.split(x, [1, FEATURES - 1], axis=-1)[1] + tf.split(x, [1, FEATURES - 1], axis=-1)[0],
    "unstacked": lambda x: tf.stack(tf.unstack(x, axis=1)[::-1], axis=1),
    "weighted": lambda x: tf.tensordot(x, tf.constant(numpy.eye(FEATURES, 3, dtype="float32")), axes=1),
    "dot": lambda x: K.backend.dot(x, tf.constant(numpy.eye(FEATURES, 3, dtype="float32"))),
    "steps_that_count": lambda x: x * tf.cast(tf.sequence_mask(tf.argmax(x[:, :, 0], 1), STEPS), "float32")[:, :, None],
    "triangle": lambda x: tf.linalg.band_part(tf.matmul(x, x, transpose_b=True), -1, 0),
    "batch_size": lambda x: tf.reshape(x, (tf.shape(x)[0], -1, FEATURES)),
    "both_sizes": lambda x: tf.reshape(L.Dense(6)(x), (tf.shape(x)[0], tf.shape(L.Dense(2)(x))[1], 3, 2))[:, :, 0],
    "merged_sizes": lambda x: tf.reshape(tf.reshape(x, (-1, FEATURES)) * 2.0, (tf.shape(x)[0], STEPS, FEATURES)),
    "unstacked_sizes": lambda x: tf.reshape(x, (tf.unstack(tf.shape(x))[0], FEATURES, STEPS)),
    "known_size": lambda x: x / tf.cast(tf.shape(x)[1], "float32"),
    "zeros": lambda x: tf.concat([x, tf.zeros((tf.shape(x)[0], STEPS, 2)), tf.ones((tf.shape(x)[0], STEPS, 1))], -1),
    "filled": lambda x: x + tf.fill((tf.shape(x)[0], 1, FEATURES), 0.25),
    "backend": lambda x: K.backend.mean(x, axis=1, keepdims=True) * K.backend.concatenate([x, x], axis=1),
}


def functional(function: Callable[[Any], Any]) -> Callable[[], Any]:
    """A model with a function of TensorFlow in it."""

    def build() -> Any:
        given = floats()
        return K.Model(given, L.Dense(2)(L.GRU(3)(function(given))))

    return build


CARRIED.update({f"tensorflow_{name}": functional(function) for name, function in FUNCTIONS.items()})


def batch(model: Any) -> list[Any]:
    """Inputs for the model: the first row has no padding, the others have ever more, and some has it in the middle."""
    draw, made = numpy.random.default_rng(5), []
    for number, tensor in enumerate(model.inputs):
        whole = tensor.shape.rank == 2
        one = draw.integers(1, WORDS, (5, STEPS)) if whole else draw.normal(0, 1, (5, STEPS, FEATURES))
        for row in range(1, 5):
            one[row, max(1, STEPS - row - number) :] = 0
        one[4, 0] = 0 if number else one[4, 0]
        made.append(one.astype("float32"))
    return made
