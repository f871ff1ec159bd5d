"""What really reaches the recurrent layers of a loaded Keras model when it runs, and random models to look at.

Needs a framework, so that only slow tests and `fixtures/saved/make.py` use it. `keras` is the module keras or tf_keras.
"""

from __future__ import annotations

import functools
import inspect
import random
from typing import Any

Seen = dict[str, list[tuple[bool, bool]]]
RECURRENT = {"RNN", "ConvRNN", "CuDNNLSTM", "CuDNNGRU", "_CuDNNRNN"}


def recurrent_layers(model: Any) -> list[tuple[str, Any]]:
    """Every recurrent layer, with its path from the root (the model's own name left out)."""
    found: list[tuple[str, Any]] = []

    def visit(layer: Any, parents: tuple[str, ...]) -> None:
        here = (*parents, layer.name)
        if {kind.__name__ for kind in type(layer).__mro__} & RECURRENT:
            found.append(("/".join(here), layer))
        elif hasattr(layer, "forward_layer"):
            visit(layer.forward_layer, here)
            visit(layer.backward_layer, here)
        elif hasattr(layer, "layers"):
            for part in layer.layers:
                visit(part, here)
        elif hasattr(layer, "layer"):
            visit(layer.layer, here)

    for layer in model.layers:
        visit(layer, ())
    return found


def observe(model: Any) -> Seen:
    """For each recurrent layer: (does a mask arrive, does an initial state) at each call, when the model is traced."""
    import tensorflow as tf

    seen: Seen = {path: [] for path, _ in recurrent_layers(model)}
    for path, layer in recurrent_layers(model):
        layer.call = _watched(layer.call, seen[path])
    specs = [tf.TensorSpec(tensor.shape, tensor.dtype) for tensor in model.inputs]
    tf.function(lambda *inputs: model(list(inputs) if len(inputs) > 1 else inputs[0])).get_concrete_function(*specs)
    return seen


def _watched(call: Any, notes: list[tuple[bool, bool]]) -> Any:
    def watched(inputs: Any, *rest: Any, **named: Any) -> Any:
        states = isinstance(inputs, (list, tuple)) and len(inputs) > 1
        states = states or bool(rest) or named.get("initial_state") is not None
        notes.append((named.get("mask") is not None, states))
        return call(inputs, *rest, **named)

    functools.update_wrapper(watched, call)
    watched.__signature__ = inspect.signature(call)  # type: ignore[attr-defined]
    return watched


class RandomModel:
    """A random functional model full of masks: merges, nested and shared models, wrappers, states."""

    def __init__(self, keras: Any, seed: int) -> None:
        self.keras, self.layers, self.draw = keras, keras.layers, random.Random(seed)
        self.keras3 = keras.__name__ == "keras"
        self.inputs: list[Any] = []

    def build(self) -> Any:
        """The model."""
        pool = [self.source() for _ in range(self.draw.choice((1, 2, 2, 3)))]
        for _ in range(self.draw.randrange(3, 10)):
            made = self.step(pool)
            pool.append(made)
        ends = [self.layers.LSTM(2)(tensor) for tensor in pool[-3:]]
        return self.keras.Model(self.inputs if len(self.inputs) > 1 else self.inputs[0], ends)

    def source(self, shape: tuple[int, ...] = (5,)) -> Any:
        """A new input, masked or not, as a tensor (batch, 5, 4)."""
        kind = self.draw.choice(("embedding", "masked", "masked", "masking", "plain"))
        if kind in ("embedding", "masked"):
            x = self.keras.Input(shape, dtype="int32")
            made = self.layers.Embedding(9, 4, mask_zero=kind == "masked")(x)
        else:
            x = self.keras.Input((*shape, 4))
            made = self.layers.Masking()(x) if kind == "masking" else x
        self.inputs.append(x)
        return made

    def step(self, pool: list[Any]) -> Any:
        """One more tensor (batch, 5, 4) out of those there are."""
        x = self.draw.choice(pool)
        makers = (self.keeper, self.keeper, self.loser, self.recurrent, self.recurrent, self.bidirectional, self.merge)
        makers += (self.merge, self.nested, self.shared, self.stated, self.attend, self.spread, self.given, self.op)
        return self.draw.choice(makers)(x, pool)

    def keeper(self, x: Any, pool: list[Any]) -> Any:
        names = ("Dropout", "LayerNormalization", "BatchNormalization", "ReLU", "SpatialDropout1D", "GaussianNoise")
        name = self.draw.choice((*names, "Dense", "Activation", "UnitNormalization", "PReLU", "Softmax", "LeakyReLU"))
        arguments = {"Dropout": (0.1,), "SpatialDropout1D": (0.1,), "GaussianNoise": (0.1,), "Dense": (4,)}
        return getattr(self.layers, name)(*arguments.get(name, ("relu",) if name == "Activation" else ()))(x)

    def loser(self, x: Any, pool: list[Any]) -> Any:
        made = self.draw.choice(
            (
                lambda: self.layers.Conv1D(4, 3, padding="same")(x),
                lambda: self.layers.Reshape((5, 4))(x),
                lambda: self.layers.MaxPooling1D(2, 1, "same")(x),
                lambda: self.layers.Permute((1, 2))(x),
                lambda: self.layers.Cropping1D(1)(self.layers.ZeroPadding1D(1)(x)),
                lambda: self.layers.RepeatVector(5)(self.layers.GlobalAveragePooling1D()(x)),
                lambda: self.layers.Dot((2, 1))([self.layers.Dot((2, 2))([x, x]), x]),
            )
        )
        return made()

    def op(self, x: Any, pool: list[Any]) -> Any:
        return self.draw.choice((lambda: x * 2.0, lambda: x + x, lambda: x[:, ::-1]))()

    def one(self, **arguments: Any) -> Any:
        """A recurrent layer."""
        kinds = (self.layers.LSTM, self.layers.GRU, self.layers.SimpleRNN)
        if self.draw.random() < 0.2:
            return self.layers.RNN(self.layers.LSTMCell(4), **arguments)
        return self.draw.choice(kinds)(4, **arguments)

    def recurrent(self, x: Any, pool: list[Any]) -> Any:
        if self.draw.random() < 0.25:
            return self.layers.RepeatVector(5)(self.one()(x))
        if self.draw.random() < 0.25:
            return self.one(return_sequences=True, return_state=True)(x)[0]
        return self.one(return_sequences=True)(x)

    def bidirectional(self, x: Any, pool: list[Any]) -> Any:
        inner = self.draw.choice((self.layers.LSTM, self.layers.GRU))(2, return_sequences=True)
        if self.draw.random() < 0.3:
            one, two = self.layers.Bidirectional(inner, merge_mode=None)(x)
            return self.layers.Concatenate()([one, two]) if self.draw.random() < 0.5 else self.layers.Dense(4)(two)
        back = type(inner)(2, return_sequences=True, go_backwards=True) if self.draw.random() < 0.3 else None
        return self.layers.Bidirectional(inner, backward_layer=back)(x)

    def merge(self, x: Any, pool: list[Any]) -> Any:
        name = self.draw.choice(("Add", "Multiply", "Average", "Maximum", "Minimum", "Concatenate"))
        others = [self.draw.choice(pool) for _ in range(self.draw.choice((1, 1, 2)))]
        made = getattr(self.layers, name)()([x, *others])
        return self.layers.Dense(4)(made) if name == "Concatenate" else made

    def attend(self, x: Any, pool: list[Any]) -> Any:
        other = self.draw.choice(pool)
        if self.draw.random() < 0.5:
            return self.layers.MultiHeadAttention(1, 2)(x, other)
        return self.layers.Attention()([x, other])

    def nested(self, x: Any, pool: list[Any]) -> Any:
        make = self.draw.choice((self.sub_functional, self.sub_sequential))
        model = make()
        made = model(x)
        return model(made) if self.draw.random() < 0.3 else made

    def sub_functional(self) -> Any:
        x = self.keras.Input((5, 4))
        y = x
        for _ in range(self.draw.randrange(1, 4)):
            y = self.draw.choice((self.keeper, self.loser, self.recurrent, self.bidirectional))(y, [y])
        return self.keras.Model(x, y)

    def sub_sequential(self) -> Any:
        parts = [self.layers.Dense(4), self.layers.Dropout(0.1), self.one(return_sequences=True)]
        parts.append(self.layers.Conv1D(4, 3, padding="same"))
        chosen = self.draw.sample(parts, self.draw.randrange(1, 4))
        start = [self.keras.Input((5, 4))] if self.draw.random() < 0.6 else []
        return self.keras.Sequential([*start, *chosen])

    def shared(self, x: Any, pool: list[Any]) -> Any:
        layer = self.one(return_sequences=True)
        other = self.draw.choice(pool)
        return self.layers.Average()([layer(x), layer(other)])

    def stated(self, x: Any, pool: list[Any]) -> Any:
        other = self.draw.choice(pool)
        _, h, c = self.layers.LSTM(4, return_state=True)(other)
        if self.draw.random() < 0.3:
            return self.layers.Bidirectional(self.layers.GRU(2, return_sequences=True))(
                x, initial_state=[self.layers.Dense(2)(h), self.layers.Dense(2)(c)]
            )
        return self.layers.LSTM(4, return_sequences=True)(x, initial_state=[h, c])

    def spread(self, x: Any, pool: list[Any]) -> Any:
        if self.draw.random() < 0.5:
            return self.layers.TimeDistributed(self.layers.Dense(4))(x)
        steps = self.layers.Reshape((5, 2, 2))(x)
        inner: Any = self.layers.LSTM(4)
        if self.draw.random() < 0.5:
            inner = self.keras.Sequential([self.keras.Input((2, 2)), self.layers.Masking(), self.one()])
        return self.layers.TimeDistributed(inner)(steps)

    def given(self, x: Any, pool: list[Any]) -> Any:
        mask = self.keras.Input((5,), dtype="bool")
        self.inputs.append(mask)
        return self.one(return_sequences=True)(x, mask=mask)
