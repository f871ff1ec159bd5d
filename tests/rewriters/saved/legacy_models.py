"""Legacy models by the hundred: a recipe and a seed give a model, once with CuDNN layers and once without.

`build(seed, cudnn=True)` is what the old file holds (a CuDNN layer can be built and saved on a CPU, not run);
`build(seed, cudnn=False)` is the same model with LSTM/GRU, into which tf_keras's own `load_weights` converts the
old file's weights: that one says what the numbers are. Needs tf_keras; imported only by tests marked slow.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy
import tensorflow
import tf_keras
from tf_keras.src.layers.rnn.cudnn_gru import CuDNNGRU
from tf_keras.src.layers.rnn.cudnn_lstm import CuDNNLSTM

K, L = tf_keras, tf_keras.layers
STEPS, FEATURES, WORDS = 6, 4, 12
RECIPES: list[Callable[[Maker], Any]] = []


def recipe(function: Callable[[Maker], Any]) -> Callable[[Maker], Any]:
    RECIPES.append(function)
    return function


class Maker:
    """Draws layers. The same seed gives the same model, but for the class of the CuDNN layers."""

    def __init__(self, seed: int, cudnn: bool) -> None:
        self.draw, self.cudnn = random.Random(seed), cudnn

    def maybe(self, chance: float = 0.5) -> bool:
        return self.draw.random() < chance

    def units(self) -> int:
        return self.draw.randint(1, 5)

    def legacy(self, sequences: bool, **given: Any) -> Any:
        """CuDNNLSTM/CuDNNGRU, or what they stand for."""
        gru = self.maybe()
        common = {
            "units": self.units(),
            "return_sequences": sequences,
            "go_backwards": self.maybe(0.2),
            "kernel_regularizer": self.draw.choice([None, "l2", K.regularizers.L1L2(0.1, 0.2)]),
            "recurrent_constraint": self.draw.choice([None, "max_norm", "unit_norm"]),
            **given,
        }
        if self.cudnn:
            return (CuDNNGRU if gru else CuDNNLSTM)(**common)
        return L.GRU(reset_after=True, **common) if gru else L.LSTM(**common)

    def plain(self, sequences: bool, **given: Any) -> Any:
        """LSTM, GRU or SimpleRNN with arguments of its own, those of TensorFlow 1 included."""
        kind = self.draw.choice(["LSTM", "LSTM", "GRU", "GRU", "SimpleRNN"])
        arguments = {
            "units": self.units(),
            "return_sequences": sequences,
            "activation": self.draw.choice(["tanh", "tanh", "relu", "softsign", "linear"]),
            "use_bias": self.maybe(0.8),
            "dropout": self.draw.choice([0.0, 0.3]),
            "recurrent_dropout": self.draw.choice([0.0, 0.2]),
            "implementation": self.draw.choice([1, 2]),
            "unroll": self.maybe(0.2),
            "kernel_initializer": self.draw.choice(["glorot_uniform", "he_normal", "lecun_uniform", "random_normal"]),
            **given,
        }
        if kind != "SimpleRNN":
            arguments.setdefault("recurrent_activation", self.draw.choice(["sigmoid", "hard_sigmoid", "relu"]))
        if kind == "GRU":
            arguments["reset_after"] = self.maybe()
            if self.maybe(0.1):
                arguments["activation"] = "hard_sigmoid"
        if kind == "SimpleRNN":
            del arguments["implementation"]
            if self.maybe(0.1):
                arguments["activation"] = "hard_sigmoid"
        return getattr(L, kind)(**arguments)

    def cell(self) -> Any:
        kind = self.draw.choice(["LSTMCell", "GRUCell", "SimpleRNNCell"])
        extra = {"recurrent_activation": self.draw.choice(["sigmoid", "hard_sigmoid"])}
        return getattr(L, kind)(self.units(), use_bias=self.maybe(0.8), **(extra if kind != "SimpleRNNCell" else {}))

    def recurrent(self, sequences: bool, masked: bool = False) -> Any:
        """Any recurrent layer; those that take no mask are left out where there is one."""
        draws = [self.plain, self.cells]
        if not masked:
            draws += [self.legacy, self.legacy]
        layer = self.draw.choice(draws)(sequences)
        if self.maybe(0.35) and not isinstance(getattr(layer, "cell", None), L.StackedRNNCells):
            mode = self.draw.choice(["concat", "sum", "ave", "mul"])
            return L.Bidirectional(layer, merge_mode=mode)
        return layer

    def cells(self, sequences: bool) -> Any:
        cells = [self.cell() for _ in range(self.draw.randint(1, 3))]
        return L.RNN(cells if len(cells) > 1 or self.maybe(0.3) else cells[0], return_sequences=sequences)

    def flat(self, masked: bool = False) -> Any:
        """A layer that keeps (batch, steps, features) as it is."""
        draw = self.draw
        return draw.choice(
            ([] if masked else [lambda: L.Softmax()])  # tf_keras's own raises with a mask
            + [
                lambda: L.Dense(self.units() + 1, activation="softmax"),
                lambda: L.Dense(self.units(), activation=draw.choice(["relu", "hard_sigmoid", "selu", "gelu", None])),
                lambda: L.BatchNormalization(center=self.maybe(0.8), scale=self.maybe(0.8), trainable=self.maybe(0.7)),
                lambda: L.LayerNormalization(epsilon=1e-2),
                lambda: L.Dropout(0.2),
                lambda: L.SpatialDropout1D(0.2),
                lambda: L.GaussianNoise(0.1),
                lambda: L.GaussianDropout(0.1),
                lambda: L.AlphaDropout(0.1),
                lambda: L.Activation(draw.choice(["tanh", "hard_sigmoid", "elu", "swish", "exponential"])),
                lambda: L.LeakyReLU(0.2),
                lambda: L.ThresholdedReLU(0.3),
                lambda: L.ReLU(max_value=1.0, negative_slope=0.1, threshold=0.2),
                lambda: L.PReLU(),
                lambda: L.ELU(0.7),
                lambda: L.ActivityRegularization(0.1),
                lambda: L.UnitNormalization(),
                lambda: L.TimeDistributed(L.Dense(self.units(), activation=draw.choice(["tanh", "hard_sigmoid"]))),
                lambda: L.TimeDistributed(L.BatchNormalization(trainable=self.maybe(0.7))),
                lambda: L.EinsumDense("abc,cd->abd", output_shape=(None, self.units()), bias_axes="d"),
            ]
        )()

    def steps(self) -> Any:
        """A layer that changes the number of steps, and drops a mask."""
        draw = self.draw
        return draw.choice(
            [
                lambda: L.Conv1D(self.units(), 2, padding=draw.choice(["same", "causal", "valid"]), activation="relu"),
                lambda: L.Conv1D(3, 3, padding="same", dilation_rate=2, activation="hard_sigmoid"),
                lambda: L.SeparableConv1D(4, 2, padding="same", activation=draw.choice(["relu", "hard_sigmoid"])),
                lambda: L.DepthwiseConv1D(2, padding="same", depth_multiplier=2),
                lambda: L.Conv1DTranspose(self.units(), 2, strides=draw.choice([1, 2]), padding="same"),
                lambda: L.MaxPooling1D(2, padding="same"),
                lambda: L.AveragePooling1D(2, strides=1, padding="same"),
                lambda: L.UpSampling1D(2),
                lambda: L.ZeroPadding1D(1),
                lambda: L.Cropping1D((1, 0)),
            ]
        )()

    def head(self, x: Any, sequences: bool) -> Any:
        if sequences:
            x = self.draw.choice([L.Flatten, L.GlobalAveragePooling1D, L.GlobalMaxPooling1D])()(x)
        return L.Dense(self.units() + 1, activation=self.draw.choice(["softmax", "sigmoid", "linear", "linear"]))(x)

    def words(self, masked: bool) -> tuple[Any, Any]:
        ids = L.Input((STEPS,), dtype="int32")
        return ids, L.Embedding(WORDS, FEATURES, mask_zero=masked)(ids)


@recipe
def sequential(make: Maker) -> Any:
    """A stack of layers as tutorials write it."""
    model = K.Sequential([L.Input((STEPS, FEATURES))])
    for _ in range(make.draw.randint(0, 2)):
        model.add(make.draw.choice([make.flat, make.steps])())
    for _ in range(make.draw.randint(0, 2)):
        model.add(make.recurrent(True))
    model.add(make.recurrent(False))
    model.add(L.Dense(make.units() + 1, activation=make.draw.choice(["softmax", "linear"])))
    return model


@recipe
def text(make: Maker) -> Any:
    """Embedding, perhaps masked, recurrent layers, a head."""
    masked = make.maybe()
    ids, x = make.words(masked)
    for _ in range(make.draw.randint(0, 2)):
        x = make.flat(masked)(x)
    for _ in range(make.draw.randint(0, 1)):
        x = make.recurrent(True, masked)(x)
    sequences = make.maybe()
    return K.Model(ids, make.head(make.recurrent(sequences, masked)(x), sequences))


@recipe
def masking(make: Maker) -> Any:
    """A Masking layer before recurrent ones."""
    x = given = L.Input((STEPS, FEATURES))
    x = L.Masking(0.0)(x)
    for _ in range(make.draw.randint(1, 2)):
        x = make.recurrent(True, masked=True)(x)
    return K.Model(given, make.recurrent(False, masked=True)(x))


@recipe
def merged_masks(make: Maker) -> Any:
    """Masked tensors merged: with another of the same mask, or with one that has none or another."""
    ids, x = make.words(True)
    y = {
        "same": lambda: make.recurrent(True, masked=True)(L.Dense(FEATURES)(x)),
        "none": lambda: L.Conv1D(FEATURES, 1)(x),
        "other": lambda: L.Embedding(WORDS, FEATURES, mask_zero=True)(L.Reshape((STEPS,))(ids)),
    }[make.draw.choice(["same", "same", "none", "other"])]()
    y = L.Dense(FEATURES)(y)
    merged = make.draw.choice([L.Add, L.Multiply, L.Maximum, L.Concatenate, L.Average])()([x, y])
    return K.Model(ids, make.recurrent(False, masked=True)(merged))


@recipe
def stateful(make: Maker) -> Any:
    """A fixed batch and a state that lasts."""
    model = K.Sequential([L.Input(batch_shape=(3, STEPS, FEATURES))])
    model.add(make.legacy(True, stateful=True))
    model.add(make.draw.choice([make.legacy, make.plain])(False, stateful=True))
    model.add(L.Dense(2))
    return model


@recipe
def nested(make: Maker) -> Any:
    """A model in a model in a model, called once or twice."""
    inner = K.Sequential([L.Input((STEPS, FEATURES)), make.flat(), make.recurrent(True), make.flat()], name="inner")
    left, right = L.Input((STEPS, FEATURES)), L.Input((STEPS, FEATURES))
    a, b = inner(left), inner(right)
    deep_in = L.Input(a.shape[1:])
    deep = K.Model(deep_in, make.recurrent(False)(make.flat()(deep_in)), name="deep")
    merged = make.draw.choice([L.Concatenate, L.Add, L.Multiply, L.Maximum])()([deep(a), deep(b)])
    return K.Model([left, right], [merged, make.head(a, True)] if make.maybe() else merged)


@recipe
def nested_functional(make: Maker) -> Any:
    """A nested functional model with two inputs and two outputs; one of its outputs is the outer one's."""
    one, two = L.Input((STEPS, FEATURES)), L.Input((STEPS, FEATURES))
    both = L.Concatenate()([one, two])
    inner = K.Model([one, two], [make.recurrent(True)(both), make.recurrent(False)(make.flat()(both))], name="pair")
    left, right = L.Input((STEPS, FEATURES)), L.Input((STEPS, FEATURES))
    sequence, state = inner([left, right])
    again = inner([right, left])
    return K.Model([left, right], [make.head(sequence, True), state, L.Dense(2)(again[1])])


@recipe
def encoder_decoder(make: Maker) -> Any:
    """States of one layer start another."""
    units = make.units()
    source, target = L.Input((STEPS, FEATURES)), L.Input((4, 3))
    kind = make.draw.choice(["cudnn", "plain"])
    if kind == "cudnn":
        lstm = CuDNNLSTM if make.cudnn else L.LSTM
        extra: dict[str, Any] = {}
    else:
        lstm, extra = L.LSTM, {"recurrent_activation": make.draw.choice(["sigmoid", "hard_sigmoid"])}
    _, *states = lstm(units, return_state=True, **extra)(source)
    out = lstm(units, return_sequences=True, **extra)(target, initial_state=states)
    return K.Model([source, target], L.TimeDistributed(L.Dense(3, activation="softmax"))(out))


@recipe
def bidirectional_states(make: Maker) -> Any:
    """A Bidirectional that returns its states, and one that starts from them."""
    given = L.Input((STEPS, FEATURES))
    units = make.units()
    lstm = CuDNNLSTM if make.cudnn else L.LSTM
    sequence, *states = L.Bidirectional(lstm(units, return_sequences=True, return_state=True))(given)
    again = L.Bidirectional(lstm(units))(sequence, initial_state=states)
    return K.Model(given, [L.Dense(2)(again), L.Concatenate()(states)])


@recipe
def explicit_backward(make: Maker) -> Any:
    """Two different directions; or one whose forward layer itself runs backwards."""
    sequences = make.maybe()
    if make.maybe():
        layer = L.Bidirectional(make.legacy(sequences, go_backwards=True, units=3))
    else:
        forward = make.legacy(sequences, go_backwards=False, units=3)
        backward = make.plain(sequences, go_backwards=True, units=3, use_bias=True)  # load_weights halves the list
        layer = L.Bidirectional(forward, backward_layer=backward)
    return K.Sequential([L.Input((STEPS, FEATURES)), layer, L.Dense(2)])


@recipe
def time_distributed(make: Maker) -> Any:
    """Recurrent layers and whole models inside TimeDistributed."""
    given = L.Input((3, STEPS, FEATURES))
    inner = make.draw.choice(
        [
            lambda: make.legacy(False),
            lambda: make.plain(False),
            lambda: L.Bidirectional(make.legacy(False)),
            lambda: K.Sequential([L.Input((STEPS, FEATURES)), make.flat(), make.legacy(False), L.BatchNormalization()]),
        ]
    )()
    return K.Model(given, make.recurrent(False)(L.TimeDistributed(inner)(given)))


@recipe
def images(make: Maker) -> Any:
    """A captcha reader: convolutions, then recurrent layers over the width."""
    given = L.Input((8, 8, 2))
    x = L.Conv2D(3, 3, padding="same", activation=make.draw.choice(["relu", "hard_sigmoid"]))(given)
    for _ in range(make.draw.randint(0, 2)):
        x = make.draw.choice(
            [
                lambda: L.Conv2D(4, 2, strides=2, padding="same", use_bias=make.maybe()),
                lambda: L.Conv2D(4, 2, padding="same", groups=1, dilation_rate=2),
                lambda: L.SeparableConv2D(3, 2, padding="same"),
                lambda: L.DepthwiseConv2D(2, padding="same", activation=make.draw.choice(["relu", "hard_sigmoid"])),
                lambda: L.Conv2DTranspose(3, 2, strides=2, padding="same"),
                lambda: L.MaxPooling2D(2, padding="same"),
                lambda: L.AveragePooling2D(2),
                lambda: L.UpSampling2D(2, interpolation=make.draw.choice(["nearest", "bilinear"])),
                lambda: L.ZeroPadding2D(1),
                lambda: L.Cropping2D(1),
                lambda: L.SpatialDropout2D(0.2),
                lambda: L.BatchNormalization(),
                lambda: L.GroupNormalization(groups=1),
                lambda: L.PReLU(shared_axes=[1, 2]),
            ]
        )()(x)
    x = L.Permute((2, 1, 3))(x)
    x = L.Reshape((x.shape[1], x.shape[2] * x.shape[3]))(x)
    return K.Model(given, make.recurrent(False)(make.recurrent(True)(x)))


@recipe
def video(make: Maker) -> Any:
    """ConvLSTM and TimeDistributed convolutions."""
    given = L.Input((3, 6, 6, 2))
    if make.maybe():
        x = L.ConvLSTM2D(
            2, 3, padding="same", return_sequences=True, use_bias=make.maybe(0.8),
            recurrent_activation=make.draw.choice(["hard_sigmoid", "sigmoid"]),
        )(given)  # fmt: skip
    else:
        x = L.TimeDistributed(L.Conv2D(2, 3, activation=make.draw.choice(["relu", "hard_sigmoid"])))(given)
    x = L.TimeDistributed(make.draw.choice([L.Flatten, L.GlobalAveragePooling2D, L.GlobalMaxPooling2D])())(x)
    return K.Model(given, make.recurrent(False)(x))


@recipe
def volumes(make: Maker) -> Any:
    """Three dimensions."""
    x = given = L.Input((4, 4, 4, 2))
    pool = make.draw.choice([L.MaxPooling3D(2), L.AveragePooling3D(2), L.UpSampling3D(2)])
    x = pool(L.Conv3D(2, 2, padding="same")(x))
    x = make.draw.choice([L.Conv3DTranspose(2, 2), L.ZeroPadding3D(1), L.Cropping3D(((0, 1), (0, 0), (0, 0)))])(x)
    return K.Model(given, make.head(make.draw.choice([L.GlobalAveragePooling3D(), L.GlobalMaxPooling3D()])(x), False))


@recipe
def attention(make: Maker) -> Any:
    """Attention layers over recurrent ones."""
    given = L.Input((STEPS, FEATURES))
    x, y = make.legacy(True, units=4)(given), make.plain(True, units=4)(given)
    kind = make.draw.choice(["dot", "additive", "heads", "concat"])
    if kind == "dot":
        x = L.Attention(use_scale=make.maybe())([x, y])
    elif kind == "concat":
        x = L.Attention(score_mode="concat", use_scale=make.maybe())([x, y])
    elif kind == "additive":
        x = L.AdditiveAttention(use_scale=make.maybe())([x, y])
    else:
        heads = L.MultiHeadAttention(2, 3, value_dim=make.draw.choice([None, 2]), use_bias=make.maybe())
        x = heads(x, y, use_causal_mask=True) if make.maybe() else heads(x, value=y, key=x)
    return K.Model(given, make.head(x, True))


@recipe
def branches(make: Maker) -> Any:
    """Branches that merge, layers used twice."""
    given = L.Input((STEPS, FEATURES))
    shared = make.recurrent(True)
    x, y = shared(given), shared(L.Dense(FEATURES)(given))
    merge = make.draw.choice(["Add", "Subtract", "Multiply", "Average", "Maximum", "Minimum", "Concatenate", "Dot"])
    layer = L.Dot(axes=2, normalize=make.maybe()) if merge == "Dot" else getattr(L, merge)()
    out = make.head(layer([x, y]), True)
    return K.Model(given, L.RepeatVector(2)(out) if make.maybe() else out)


@recipe
def frozen(make: Maker) -> Any:
    """Frozen layers, frozen nested models: the order of the weights in an .h5 file changes with it."""
    middle = [L.Dense(3, trainable=make.maybe()), make.legacy(True)]
    layers = [L.Input((STEPS, FEATURES)), L.BatchNormalization(), *middle, L.BatchNormalization()]
    inner = K.Sequential(layers, name="inner")
    inner.trainable = make.maybe()
    given = L.Input((STEPS, FEATURES))
    last = make.recurrent(False)
    last.trainable = make.maybe()
    return K.Model(given, last(L.TimeDistributed(L.BatchNormalization(trainable=make.maybe()))(inner(given))))


@recipe
def policies(make: Maker) -> Any:
    """float64 layers, and a dtype policy."""
    given = L.Input((STEPS, FEATURES), dtype="float64")
    x = L.Normalization(mean=[0.1] * FEATURES, variance=[2.0] * FEATURES, dtype="float64")(given)
    x = make.plain(False, dtype=K.mixed_precision.Policy("float64"))(make.plain(True, dtype="float64")(x))
    return K.Model(given, L.Dense(2, dtype="float64")(x))


@recipe
def preprocessing(make: Maker) -> Any:
    """Layers that only act in training, or rescale."""
    x = given = L.Input((8, 8, 3))
    for layer in (L.RandomFlip(), L.RandomRotation(0.1), L.RandomZoom(0.1), L.RandomContrast(0.1)):
        x = layer(x)
    x = L.Rescaling(0.5, offset=0.1)(x)
    x = make.draw.choice([L.Resizing(6, 6), L.CenterCrop(6, 6), L.RandomTranslation(0.1, 0.1)])(x)
    x = L.Reshape((x.shape[1], x.shape[2] * 3))(x)
    return K.Model(given, make.recurrent(False)(x))


def build(seed: int, cudnn: bool) -> Any:
    """The model of one seed; the recipes take turns."""
    K.backend.clear_session()
    numpy.random.seed(seed)
    tensorflow.random.set_seed(seed)
    return RECIPES[seed % len(RECIPES)](Maker(seed, cudnn))


def fill(model: Any, seed: int) -> None:
    """Weights that show every mistake (nothing is zero, one, or symmetric) and make nothing explode."""
    draw = numpy.random.default_rng(seed)

    def one(old: Any) -> Any:
        made = draw.uniform(0.2, 0.6, old.shape) if old.ndim < 2 else draw.normal(0.0, 0.4, old.shape)
        return made.astype(old.dtype)

    model.set_weights([one(weight) for weight in model.get_weights()])


def data(model: Any, seed: int) -> list[Any]:
    """A batch of three for every input; ids are right-padded with zeros, and so are sequences before a Masking."""
    draw = numpy.random.default_rng(seed + 1)
    found = []
    for tensor in model.inputs:
        shape = [3 if size is None else size for size in tensor.shape]
        if tensor.dtype.name.startswith("int") or isinstance(model.layers[0], L.Embedding):
            batch = draw.integers(1, WORDS, shape)
        else:
            batch = draw.normal(0.0, 1.0, shape).astype(tensor.dtype.name)
        for row in range(shape[0]):
            batch[row, shape[1] - row :] = 0
        found.append(batch)
    return found


def flat(outputs: Any) -> list[Any]:
    """The arrays of what a model returned."""
    if isinstance(outputs, dict):
        outputs = [outputs[key] for key in sorted(outputs)]
    return [numpy.asarray(part) for part in (outputs if isinstance(outputs, (list, tuple)) else [outputs])]


def run(model: Any, batch: list[Any], named: list[str]) -> list[list[Any]]:
    """What the model computes, twice: the second time a stateful one goes on from where it was."""
    tensors = [tensorflow.constant(one) for one in batch]
    given = {name: tensors[at] for at, name in enumerate(named)} or (tensors if len(tensors) > 1 else tensors[0])
    return [flat(model(given, training=False)) for _ in range(2)]
