"""More recipes for `legacy_models`: odd wiring, odd spelling, layers that share, dtypes, what compile() left behind."""

from __future__ import annotations

from typing import Any

import tf_keras
from legacy_models import FEATURES, STEPS, WORDS, K, L, Maker, recipe
from tf_keras.src.layers.rnn import gru_v1, lstm_v1


@recipe
def named_tensors(make: Maker) -> Any:
    """Inputs and outputs by name."""
    given = {"left": L.Input((STEPS, FEATURES), name="left"), "right": L.Input((STEPS, FEATURES), name="right")}
    x = make.draw.choice([L.Concatenate, L.Add])()([given["right"], given["left"]])
    out = {"zulu": make.head(make.recurrent(True)(x), True), "alpha": make.recurrent(False)(make.flat()(x))}
    return K.Model(given, out if make.maybe() else list(out.values()))


@recipe
def masks_by_hand(make: Maker) -> Any:
    """A mask that is an input of its own, given to each layer."""
    given, mask = L.Input((STEPS, FEATURES)), L.Input((STEPS,), dtype="bool")
    x = make.plain(True)(given, mask=mask)
    return K.Model([given, mask], make.plain(False)(x, mask=mask))


@recipe
def version_one(make: Maker) -> Any:
    """The layers of TensorFlow 1, which tf_keras still has under compat.v1."""
    x = given = L.Input((STEPS, FEATURES))
    lstm, gru = lstm_v1.LSTM, gru_v1.GRU
    x = make.draw.choice([lstm, gru])(make.units(), return_sequences=True, implementation=make.draw.choice([1, 2]))(x)
    x = L.Bidirectional(make.draw.choice([lstm, gru])(make.units(), return_sequences=True))(x)
    last = {"activation": make.draw.choice(["relu", "tanh"]), "recurrent_activation": "hard_sigmoid"}
    return K.Model(given, make.draw.choice([lstm, gru])(make.units(), dropout=0.2, **last)(make.flat()(x)))


@recipe
def keyword_calls(make: Maker) -> Any:
    """Layers that are called by keyword."""
    given, units = L.Input((STEPS, FEATURES)), make.units()
    x, state = L.GRU(units, return_sequences=True, return_state=True, reset_after=make.maybe())(inputs=given)
    x = L.SimpleRNN(units, return_sequences=True)(inputs=x, initial_state=[state])
    x = L.MultiHeadAttention(2, 3, dropout=0.1)(query=x, value=L.Dense(units)(inputs=given))
    return K.Model(given, make.head(x, True))


@recipe
def shared_everywhere(make: Maker) -> Any:
    """One layer in the outer model and in a nested one, which stands inside two others.

    (Twice inside one nested model is more than tf_keras itself can load.)
    """
    shared = make.recurrent(True)
    core_in = L.Input((STEPS, FEATURES))
    core = K.Model(core_in, L.Dense(FEATURES)(shared(core_in)), name="core")
    one = K.Sequential([L.Input((STEPS, FEATURES)), core, make.flat()], name="one")
    two_in = L.Input((STEPS, FEATURES))
    two = K.Model(two_in, L.Add()([core(two_in), L.Dense(FEATURES)(two_in)]), name="two")
    given = L.Input((STEPS, FEATURES))
    return K.Model(given, make.recurrent(False)(L.Concatenate()([one(given), two(given), shared(given)])))


@recipe
def shape_in_the_first_layer(make: Maker) -> Any:
    """A Sequential without an Input, as most tutorials write it."""
    shape = {"input_shape": (STEPS, FEATURES)}
    first = make.draw.choice(
        [
            lambda: [make.legacy(True, **shape)],
            lambda: [make.plain(True, **shape)],
            lambda: [L.Bidirectional(make.legacy(True), **shape)],
            lambda: [L.TimeDistributed(L.Dense(3), **shape)],
            lambda: [L.Masking(0.0, **shape), make.plain(True)],
            lambda: [L.Embedding(WORDS, FEATURES, input_length=STEPS)],
            lambda: [L.Embedding(WORDS, FEATURES, mask_zero=True, batch_input_shape=(3, STEPS)), make.plain(True)],
            lambda: [K.Sequential([L.Conv1D(3, 2, **shape), make.legacy(True)], name="inner")],
            lambda: [L.Reshape((STEPS, FEATURES), input_dim=STEPS * FEATURES)],
        ]
    )()
    return K.Sequential([*first, make.plain(False), L.Dense(2, activation="softmax")])


@recipe
def half_precision(make: Maker) -> Any:
    """Mixed precision, and layers that opt out of it."""
    policy = K.mixed_precision.Policy("mixed_float16")
    x = given = L.Input((STEPS, FEATURES))
    x = L.Dense(4, dtype=policy, activation="relu")(x)
    x = L.LSTM(3, return_sequences=True, dtype=policy)(x)
    x = L.BatchNormalization(dtype=policy)(x)
    return K.Model(given, L.GRU(2, dtype="float32", use_bias=make.maybe())(x))


@recipe
def compiled(make: Maker) -> Any:
    """A loss, metrics and an optimizer with a schedule, none of which is carried over."""
    model = K.Sequential([L.Input((STEPS, FEATURES)), make.recurrent(True), make.recurrent(False), L.Dense(2)])
    schedule = K.optimizers.schedules.ExponentialDecay(0.1, 10, 0.9)
    optimizer = make.draw.choice(
        [lambda: "adam", lambda: K.optimizers.SGD(schedule), lambda: K.optimizers.legacy.Adam()]
    )
    model.compile(optimizer(), make.draw.choice(["mse", K.losses.Huber()]), metrics=["mae"])
    return model


@recipe
def odd_names(make: Maker) -> Any:
    """Names that Keras 3 reserves, forbids or numbers for itself."""
    ids, x = make.words(True)
    x = L.Dense(3, name="block_1/dense")(x)
    x = L.Concatenate(name="concatenate")([x, L.Dense(2, name="layers")(x)])
    x = L.Dropout(0.1, name="any")(x)
    return K.Model(ids, make.plain(False, name=make.draw.choice(["lstm/cell", "vars", "lstm_7", "not_equal"]))(x))


@recipe
def convolutional_memory(make: Maker) -> Any:
    """ConvLSTM in one and three dimensions."""
    wide = make.maybe(0.7)
    given = L.Input((3, 5, 2) if wide else (2, 3, 3, 3, 2))
    gates = {"recurrent_activation": make.draw.choice(["hard_sigmoid", "sigmoid"]), "padding": "same"}
    x = (L.ConvLSTM1D if wide else L.ConvLSTM3D)(2, 2, unit_forget_bias=make.maybe(), **gates)(given)
    return K.Model(given, L.Dense(2)(L.Flatten()(x)))


@recipe
def normalisations(make: Maker) -> Any:
    """Layers that divide by something, on every axis they take."""
    x = given = L.Input((STEPS, FEATURES))
    for _ in range(3):
        x = make.draw.choice(
            [
                lambda: L.LayerNormalization(axis=make.draw.choice([-1, 1, [1, 2]]), scale=make.maybe()),
                lambda: L.BatchNormalization(axis=make.draw.choice([-1, 1]), momentum=0.5, epsilon=1e-2),
                lambda: L.GroupNormalization(groups=2, axis=-1),
                lambda: L.UnitNormalization(axis=make.draw.choice([-1, 1])),
                lambda: tf_keras.layers.experimental.SyncBatchNormalization(),
            ]
        )()(x)
    return K.Model(given, make.recurrent(False)(x))


@recipe
def masked_attention(make: Maker) -> Any:
    """Attention over a masked sequence."""
    ids, x = make.words(True)
    kind = make.draw.choice(["dot", "additive", "heads"])
    y = make.plain(True, units=FEATURES)(x)
    if kind == "heads":
        x = L.MultiHeadAttention(1, 4)(y, x)
    else:
        x = (L.Attention if kind == "dot" else L.AdditiveAttention)()([y, x])
    return K.Model(ids, make.head(x, True))


@recipe
def wrapped_wrappers(make: Maker) -> Any:
    """Wrappers round wrappers, and models round those."""
    given = L.Input((2, STEPS, FEATURES))
    inner = L.Bidirectional(make.legacy(True), merge_mode=make.draw.choice(["concat", "ave"]))
    x = L.TimeDistributed(inner)(given)
    x = L.TimeDistributed(L.TimeDistributed(L.Dense(3, activation="hard_sigmoid")))(x)
    line = L.Input((STEPS, 3))
    if make.maybe():
        reader = K.Model(line, L.Dense(2)(L.Bidirectional(L.RNN(make.cell()))(line)), name="reader")
    else:
        reader = K.Sequential([line, L.Bidirectional(L.RNN(make.cell())), L.Dense(2)], name="reader")
    return K.Model(given, make.recurrent(False)(L.TimeDistributed(reader)(x)))
