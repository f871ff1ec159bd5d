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


@masked
def one_after_another(one: Any, two: Any, x: Any) -> Any:
    both = L.Concatenate(axis=1)([words(one), L.Masking()(x)])
    return L.Concatenate()([L.LSTM(3)(both), L.GRU(2)(L.Concatenate(axis=-2)([words(two), words(one), both]))])


@masked
def one_after_another_and_merged(one: Any, two: Any, x: Any) -> Any:
    both = L.Concatenate(axis=1)([words(one), words(two)])
    return L.LSTM(3)(L.Add()([both, L.Concatenate(axis=1)([x, L.Dense(FEATURES)(x)])]))


@masked
def attended(one: Any, two: Any, x: Any) -> Any:
    query, value = L.Add()([words(one), L.Dense(FEATURES)(x)]), L.Multiply()([words(two), x])
    scaled = L.Attention(use_scale=True)
    seen = [L.Attention()([query, value]), L.AdditiveAttention()([query, x]), scaled([x, value, x])]
    return L.Concatenate()([L.LSTM(3)(tensor) for tensor in seen])


@masked
def attended_by_heads(one: Any, two: Any, x: Any) -> Any:
    query, value = L.Add()([words(one), L.Dense(FEATURES)(x)]), L.Subtract()([words(two), x])
    heads = [L.MultiHeadAttention(2, 3) for _ in range(4)]
    seen = [heads[0](query, value), heads[1](query, x), heads[2](x, value, key=x), heads[3](words(one), value)]
    return L.Concatenate()([*seen, heads[0].__class__(1, 2)(value, value, use_causal_mask=True)])


@masked
def called_with_states(one: Any, two: Any, x: Any) -> Any:
    h, tensor = L.Dense(3)(L.GlobalMaxPooling1D()(x)), words(one)
    _, *states = L.LSTM(3, return_state=True)(words(two))
    return L.Concatenate()([
        L.GRU(3)(tensor, initial_state=h),
        L.SimpleRNN(2)(L.LSTM(3, return_sequences=True)(tensor, initial_state=states)),
        L.SimpleRNN(3)(L.Dropout(0.5)(tensor), initial_state=h),
        L.RNN(L.GRUCell(3))(L.Masking()(x), initial_state=h),
        L.GRU(2)(L.Bidirectional(L.GRU(3, return_sequences=True))(words(two), initial_state=[h, states[0]])),
        L.Bidirectional(L.LSTM(3))(tensor, initial_state=[*states, h, h]),
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


WORDLIST = ["of", "sea", "the", "wind", "caf\u00e9", "a\u2028b"]


def texts(output_mode: str, adapted: bool, **arguments: Any) -> Any:
    """A TextVectorization that was given its vocabulary, or learned it."""
    if output_mode == "int":
        arguments.setdefault("output_sequence_length", STEPS)
    weights = {"idf_weights": [0.5, 1.0, 1.5, 2.0, 2.5, 3.0]} if output_mode == "tf_idf" and not adapted else {}
    known = {} if adapted else {"vocabulary": WORDLIST, **weights}
    layer = L.TextVectorization(output_mode=output_mode, **known, **arguments)
    if adapted:
        layer.adapt(tf.constant(["The sea, the wind", "of the caf\u00e9", "sea a\u2028b"]))
    return layer


def lookups(adapted: bool) -> Any:
    """A layer of each kind, in each way to look words up; a nested model has one too."""
    line, some = L.Input((1,), dtype="string"), L.Input((STEPS,), dtype="string")
    numbers = L.Input((STEPS,), dtype="int64")
    known: dict[str, Any] = {} if adapted else {"vocabulary": WORDLIST}
    strings = [L.StringLookup(**known), L.StringLookup(mask_token="", num_oov_indices=2, **known)]
    whole = L.IntegerLookup(**({} if adapted else {"vocabulary": [3, 7, 11]}), mask_token=0)
    counted = L.StringLookup(output_mode="multi_hot", **known)
    for layer in (*strings, counted) if adapted else ():
        layer.adapt(tf.constant(WORDLIST))
    if adapted:
        whole.adapt(tf.constant([3, 7, 7, 11]))
    inner_input = L.Input((1,), dtype="string")
    inner = K.Model(inner_input, texts("count", adapted, split="character", standardize="lower")(inner_input))
    embed = L.Embedding(20, 3, mask_zero=True)
    ids = [strings[0](some), strings[1](some), whole(numbers), texts("int", adapted)(line)]
    read = [L.LSTM(2)(embed(one)) for one in ids]
    plain = [counted(some), texts("multi_hot", adapted)(line), texts("tf_idf", adapted, ngrams=2)(line), inner(line)]
    back = L.StringLookup(invert=True, vocabulary=WORDLIST)(L.StringLookup(vocabulary=WORDLIST)(some))
    again = L.LSTM(2)(embed(L.StringLookup(vocabulary=WORDLIST)(back)))
    return K.Model([line, some, numbers], [L.Dense(2)(L.Concatenate()([*read, again])), *plain])


LOOKUPS: dict[str, Callable[[], Any]] = {"given": lambda: lookups(False), "learned": lambda: lookups(True)}
LOOKUPS["first"] = lambda: K.Sequential(
    [L.Input((1,), dtype="string"), texts("int", True), L.Embedding(20, 3), L.GRU(2)]
)


def words_for(model: Any) -> list[Any]:
    """Texts, words and numbers for a model of LOOKUPS, some of them not in its vocabularies."""
    line = tf.constant([["The sea of CAF\u00c9!"], ["wind"], [""], ["a\u2028b b the the"]])
    found = [["sea", "of", "none", "", "caf\u00e9"][:STEPS] + [""] * (STEPS - 5)]
    some = tf.constant(found * 3 + [["a\u2028b"] * STEPS])
    numbers = tf.constant([[3, 7, 0, 5, 11][:STEPS] + [0] * (STEPS - 5)] * 4, dtype="int64")
    return [line, some, numbers][: len(model.inputs)]


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
