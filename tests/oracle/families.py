"""The fixed programs that every release is asked: one layer a line, each with one or two settings that may matter.

`generate.py` draws at random; here every blocker, mask, wrapper and dtype comes up in every release that knows
it, so that no row of the tables goes unasked by chance. Imports no framework.
"""

from __future__ import annotations

from typing import Iterable, Iterator

from spelling import release

KINDS = ("LSTM", "GRU")
IMPORTS = {
    "keras": "import keras",
    "tf_keras": "import tf_keras as keras",
    "tensorflow": "from tensorflow import keras",
}
BACKENDS = {
    "tf": "import tensorflow as tf",
    "jax": "import jax",
    "jnp": "import jax.numpy as jnp",
    "torch": "import torch",
}
SPELLINGS = {
    "tensorflow": ("tf.nn.{0}", "tf.math.{0}", "tf.{0}"),
    "jax": ("jax.nn.{0}", "jnp.tanh"),
    "torch": ("torch.{0}",),
}
SETTINGS = (
    *("", "dropout=0.2", "recurrent_dropout=0.1", "dropout=0.2, recurrent_dropout=0.1", "use_bias=False"),
    *("unroll=True", "go_backwards=True", "return_sequences=True"),
    *("go_backwards=True, return_sequences=True", 'activation="relu"', 'recurrent_activation="hard_sigmoid"'),
    "recurrent_dropout=0, unroll=False, use_bias=True",
)
#: Those asked under a mask too; each mask is three runs.
UNDER_MASK = ("", "dropout=0.2", "recurrent_dropout=0.1", "unroll=True", "return_sequences=True")
PLAIN = "keras.Input(shape=(6, 3))"
MASKING = "keras.layers.Masking()"
MANY = 6  # layers in one masked program
DTYPES = ("float16", "float64", "bfloat16", "mixed_float16", "mixed_bfloat16")


class Families:
    """The programs for one target."""

    def __init__(self, framework: str, version: str, backend: str) -> None:
        self.framework, self.version, self.backend = framework, version, backend
        self.keras3 = framework == "keras" and release(version) >= (3,)

    def since(self, version: str) -> bool:
        """Whether the target is this release or a later one."""
        return release(self.version) >= release(version)

    def programs(self) -> Iterator[tuple[str, str]]:
        """Every program, with its name."""
        yield "settings", self.parallel(PLAIN, [], self.settings())
        yield "implementations", self.parallel(PLAIN, [], self.implementations())
        yield "activations", self.parallel(PLAIN, [], self.activations())
        yield "wrapped", self.parallel(PLAIN, [], self.wrapped())
        yield "states", self.parallel(PLAIN, [], self.states())
        yield "nested", self.nested([])
        yield "sequential", self.sequential()
        batch = "keras.Input(batch_shape=(2, 6, 3))" if self.keras3 else "keras.Input(shape=(6, 3), batch_size=2)"
        yield "stateful", self.parallel(batch, [], self.gated("stateful=True"))
        for name in DTYPES:
            yield f"dtype_{name}", self.parallel(PLAIN, [], self.gated(f'dtype="{name}"'))
        yield from self.with_masks()
        yield from self.of_keras_3() if self.keras3 else self.of_keras_2()

    def with_masks(self) -> Iterator[tuple[str, str]]:
        """Programs in which a mask reaches the layers, or is lost on its way."""
        yield from self.masked("masked", self.gated(*UNDER_MASK))
        yield from self.masked("wrapped_masked", [*self.both_ways("", "recurrent_dropout=0.1"), *self.without_kernel()])
        yield from self.masked("states_masked", self.states())
        yield "nested_masked", self.nested([MASKING])
        lost = [MASKING, "keras.layers.Conv1D(3, 1)"]
        yield "unmasked", self.parallel(PLAIN, lost, self.gated("", "dropout=0.1", "recurrent_dropout=0.1"))
        tokens = ["keras.layers.Embedding(9, 3, mask_zero=True)"]
        layers = self.gated("", "zero_output_for_mask=True")
        yield "tokens", self.parallel('keras.Input(shape=(None,), dtype="int32")', tokens, layers)

    def of_keras_3(self) -> Iterator[tuple[str, str]]:
        """What only Keras 3 can be asked."""
        if self.since("3.4.0"):
            settings = ("", "use_bias=False", "recurrent_dropout=0.1")
            one = (f"implementation=1, dropout=0.2{', ' if setting else ''}{setting}" for setting in settings)
            yield "implementation_dropout", self.parallel(PLAIN, [], self.gated(*one))
        yield "integers", self.parallel('keras.Input(shape=(6, 3), dtype="int32")', [], self.gated(""))
        if self.since("3.2.0"):
            yield "insisted", self.parallel(PLAIN, [], self.insisted())
            yield from self.masked("insisted_masked", self.gated("use_cudnn=True", "use_cudnn=False"))

    def of_keras_2(self) -> Iterator[tuple[str, str]]:
        """What only Keras 2 can be asked; TensorFlow 2.0 has no ragged inputs for recurrent layers."""
        yield "old", self.parallel(PLAIN, [], self.old())
        if self.framework != "tensorflow" or self.since("2.1.0"):
            ragged = "keras.Input(shape=(None, 3), ragged=True)"
            yield "ragged", self.parallel(ragged, [], self.gated("", "dropout=0.1", "recurrent_dropout=0.1"))

    # ---- lists of layers

    def gated(self, *settings: str) -> Iterator[str]:
        """LSTM and GRU with each of some settings."""
        for kind in KINDS:
            for setting in settings:
                yield f"keras.layers.{kind}(2{', ' if setting else ''}{setting})"

    def settings(self) -> Iterator[str]:
        """Every setting that may matter but activations, dtypes and use_cudnn, and what has no kernel."""
        yield from self.gated(*SETTINGS, "zero_output_for_mask=True")
        yield from self.without_kernel()
        yield from ("keras.layers.GRU(2, reset_after=False)", "keras.layers.GRU(2, reset_after=True)")
        if not self.keras3:
            yield from self.gated("time_major=True", "time_major=True, return_sequences=True")

    def implementations(self) -> Iterator[str]:
        """An argument that the GRU of early Keras 3 refuses."""
        for kind in KINDS if not self.keras3 or self.since("3.4.0") else KINDS[:1]:
            yield from (f"keras.layers.{kind}(2, implementation={number})" for number in (1, 2))

    def insisted(self) -> Iterator[str]:
        """use_cudnn, beside a fault and without one."""
        faults = ("", "dropout=0.2", "recurrent_dropout=0.1", "unroll=True", "use_bias=False", 'activation="relu"')
        yield from self.gated(*(f"use_cudnn=True{', ' if fault else ''}{fault}" for fault in faults))
        yield from self.gated('use_cudnn="auto"', "use_cudnn=False", 'use_cudnn=True, recurrent_activation="relu"')
        yield "keras.layers.GRU(2, use_cudnn=True, reset_after=False)"
        yield from self.both_ways("use_cudnn=True", "use_cudnn=False", "use_cudnn=True, unroll=True")

    def activations(self) -> Iterator[str]:
        """Functions that compute tanh and sigmoid, and others."""
        for argument, good in (("activation", "tanh"), ("recurrent_activation", "sigmoid")):
            own = [f"keras.activations.{good}", f"lambda value: keras.activations.{good}(value)", "None"]
            yield from self.gated(*(f"{argument}={text}" for text in own))
            spelt = [f'"{good}"', *(text.format(good) for text in SPELLINGS[self.backend])]
            spelt += [f"keras.ops.{good}"] if self.keras3 else []
            spelt += [f'keras.layers.Activation("{good}")', "keras.activations.relu", '"softsign"']
            yield from (f"keras.layers.LSTM(2, {argument}={text})" for text in spelt)

    def wrapped(self) -> Iterator[str]:
        """Bidirectional and other wrappers, and what has no kernel."""
        yield from self.both_ways("", "return_sequences=True", "recurrent_dropout=0.1", "dropout=0.1", "use_bias=False")
        (first, second) = self.gated("return_sequences=True")
        yield f'keras.layers.Bidirectional({first}, merge_mode="sum")'
        backward = second.replace("return_sequences", "go_backwards=True, reset_after=False, return_sequences")
        yield f"keras.layers.Bidirectional({second}, backward_layer={backward})"
        yield "keras.layers.Bidirectional(keras.layers.SimpleRNN(2))"
        yield from self.without_kernel()

    def both_ways(self, *settings: str) -> Iterator[str]:
        """A Bidirectional with each of some settings."""
        yield from (f"keras.layers.Bidirectional({layer})" for layer in self.gated(*settings))

    def without_kernel(self) -> Iterator[str]:
        """Classes that cuDNN knows nothing of."""
        yield "keras.layers.SimpleRNN(2)"
        yield "keras.layers.RNN([keras.layers.LSTMCell(2), keras.layers.GRUCell(2)])"

    def states(self) -> Iterator[str]:
        """Layers that return their state: the call's first output goes on."""
        yield from self.gated("return_state=True", "return_state=True, return_sequences=True")

    def old(self) -> Iterator[str]:
        """TensorFlow 1's classes."""
        for name in ("LSTM", "GRU", "CuDNNLSTM", "CuDNNGRU"):
            yield f"tf.compat.v1.keras.layers.{name}(2)"

    # ---- programs

    def header(self, body: str) -> list[str]:
        """The imports that a program needs."""
        used = [line for name, line in BACKENDS.items() if f"{name}." in body.replace(f"keras.{name}.", "")]
        return [IMPORTS[self.framework], *used, ""]

    def parallel(self, source: str, before: list[str], layers: Iterable[str]) -> str:
        """A functional model with all layers side by side behind one input."""
        lines = [f"inputs = {source}", "x = inputs", *(f"x = {layer}(x)" for layer in before), "outputs = ["]
        lines += [f"    {layer}(x){'[0]' if 'return_state' in layer else ''}," for layer in layers]
        return self.program([*lines, "]", "model = keras.Model(inputs, outputs)"])

    def masked(self, name: str, layers: Iterable[str]) -> Iterator[tuple[str, str]]:
        """A few layers a program: every mask of every layer is one run of the whole."""
        every = list(layers)
        for start in range(0, len(every), MANY):
            yield f"{name}_{start // MANY}", self.parallel(PLAIN, [MASKING], every[start : start + MANY])

    def nested(self, before: list[str]) -> str:
        """Models inside a model: what becomes of a mask on its way into them."""
        lines = [f"inputs = {PLAIN}", "x = inputs", *(f"x = {layer}(x)" for layer in before)]
        lines += ["entry = keras.Input(shape=(6, 3))", "deep = keras.layers.LSTM(2)(entry)"]
        lines += ["outputs = [", "    keras.Model(entry, deep)(x),"]
        for kind in KINDS:
            lines.append(f"    keras.Sequential([keras.layers.{kind}(2)])(x),")
            lines.append(f"    keras.layers.{kind}(2)(keras.Sequential([keras.layers.Dense(3)])(x)),")
        lines.append("    keras.layers.TimeDistributed(keras.layers.LSTM(2))(keras.layers.Reshape((2, 3, 3))(x)),")
        lines.append("    keras.layers.ConvLSTM2D(2, 1)(keras.layers.Reshape((6, 3, 1, 1))(x)),")
        return self.program([*lines, "]", "model = keras.Model(inputs, outputs)"])

    def sequential(self) -> str:
        """A chain, where each layer's mask comes through those before it."""
        chain = [
            PLAIN, MASKING, "keras.layers.LSTM(2, return_sequences=True)",
            "keras.layers.Dropout(0.1)", "keras.layers.GRU(2, return_sequences=True)", "keras.layers.Dense(3)",
            "keras.layers.Bidirectional(keras.layers.LSTM(2, return_sequences=True))", "keras.layers.Conv1D(3, 1)",
            "keras.layers.LSTM(2, return_sequences=True)", "keras.layers.GRU(2)",
        ]  # fmt: skip
        return self.program(["model = keras.Sequential([", *(f"    {layer}," for layer in chain), "])"])

    def program(self, lines: list[str]) -> str:
        """The script's text."""
        body = "\n".join(lines) + "\n"
        return "\n".join([*self.header(body), body])


def families(framework: str, version: str, backend: str) -> dict[str, str]:
    """The programs of a target: name -> text."""
    return dict(Families(framework, version, backend).programs())
