"""Whole programs as users write them: one recurrent layer each, run on data that the program makes.

Pure. `programs(framework, backend)` yields them; what `check` says of each is held against what ran on a GPU, and the
numbers that it ends with (`result`) against those of a CPU.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

PLAIN = {
    "as it is": "",
    "relu": ', activation="relu"',
    "hard sigmoid": ', recurrent_activation="hard_sigmoid"',
    "recurrent dropout": ", recurrent_dropout=0.2",
    "dropout": ", dropout=0.2",
    "unrolled": ", unroll=True",
    "no bias": ", use_bias=False",
    "backward": ", go_backwards=True",
    "sequences": ", return_sequences=True",
    "implementation 1": ", implementation=1",
    "implementation 1, dropout": ", implementation=1, dropout=0.2",
    "kept in float16": ', dtype="float16", kernel_initializer="ones", recurrent_initializer="ones"',
    "kept in float64": ', dtype="float64"',
    "mixed_float16": ', dtype="mixed_float16"',
    "mixed_bfloat16": ', dtype="mixed_bfloat16"',
}
OF_KERAS_3 = {"refused": ", use_cudnn=False", "insisted": ", use_cudnn=True",
              "insisted, relu": ', activation="relu", use_cudnn=True'}  # fmt: skip
OF_GRU = {"reset before": ", reset_after=False", "reset before, no bias": ", reset_after=False, use_bias=False"}
OTHERS = {
    "simple": "layers.SimpleRNN(8)",
    "a cell": "layers.RNN(layers.LSTMCell(8))",
    "two cells": "layers.RNN([layers.LSTMCell(8), layers.GRUCell(8)])",
    "both": "layers.Bidirectional(layers.LSTM(8))",
    "both GRU": "layers.Bidirectional(layers.GRU(8, return_sequences=True))",
    "both, dropout": "layers.Bidirectional(layers.LSTM(8, recurrent_dropout=0.2))",
    "both, sum": 'layers.Bidirectional(layers.LSTM(8), merge_mode="sum")',
    "both, unlike": "layers.Bidirectional(layers.LSTM(8), backward_layer=layers.GRU(8, go_backwards=True))",
}
RIGHT, LEFT, EMPTY = "x[2, 4:] = x[5, 3:] = 0.0", "x[2, :2] = x[5, :3] = 0.0", "x[2, 4:] = x[5] = 0.0"
MASKED = {"padded right": RIGHT, "padded left": LEFT, "an empty row": EMPTY}
ROUND_MASK = {
    "LSTM": "layers.LSTM(8)",
    "GRU": "layers.GRU(8)",
    "LSTM backward": "layers.LSTM(8, go_backwards=True)",
    "both": "layers.Bidirectional(layers.LSTM(8))",
    "sequences": "layers.LSTM(8, return_sequences=True)",
    "a cell": "layers.RNN(layers.GRUCell(8))",
}
HEAD = "import numpy as np\nimport {package} as keras\n"
DATA = 'rng = np.random.default_rng(7)\nx = rng.normal(size=(8, 6, 4)).astype("float32")\n'
WEIGHTS = "model.set_weights([rng.uniform(-0.4, 0.4, w.shape) for w in model.get_weights()])\n"
PREDICT = "result = [model.predict(x, verbose=0)]\n"
FIT = (
    'model.compile("sgd", "mse"{how})\n'
    "y = np.ones(model.predict(x[:8], verbose=0).shape)\n"
    "model.fit(x, y, batch_size=8, epochs=2, shuffle=False, verbose=0)\n"
    "result = [np.asarray(w) for w in model.get_weights()]\n"
)


@dataclass(frozen=True)
class Program:
    """`group`: programs that differ in their `data` alone, of which one verdict speaks.

    `alone`: in a process of its own. `random`: its numbers are other ones in each run.
    """

    group: str
    text: str
    data: str = ""
    alone: bool = False
    random: bool = False

    @property
    def name(self) -> str:
        """The group, and the data where they tell programs apart."""
        return f"{self.group}, {self.data}" if self.data else self.group


def programs(package: str, backend: str) -> Iterator[Program]:
    """Yield the programs for Keras 3 (package "keras") on a backend, or for Keras 2 (package "tf_keras")."""
    head = HEAD.format(package=package) + f"from {package} import layers\n"
    for layer, name in _layers(package):
        random = "dropout" in layer
        yield _sequential(head, name, "predict", layer, PREDICT)
        yield _sequential(head, name, "fit", layer, FIT.format(how=""), random=random)
    for data, line in MASKED.items():
        for name, layer in ROUND_MASK.items():
            for phase, end in (("predict", PREDICT), ("fit", FIT.format(how=""))):
                group = f"masked {name}, {phase}"
                text = f"{head}{DATA}{line}\n{_model(f'layers.Masking(), {layer}')}{WEIGHTS}{end}"
                yield Program(group, text, data)
    yield from _shapes(head)
    yield from _ways(head, package, backend)


def _layers(package: str) -> Iterator[tuple[str, str]]:
    more = OF_KERAS_3 if package == "keras" else {}
    for kind in ("LSTM", "GRU"):
        for name, arguments in {**PLAIN, **more, **(OF_GRU if kind == "GRU" else {})}.items():
            yield f"layers.{kind}(8{arguments})", f"{kind} {name}"
    for name, layer in OTHERS.items():
        yield layer, name


def _model(inside: str, given: str = "(6, 4)") -> str:
    return f"model = keras.Sequential([keras.Input({given}), {inside}])\n"


def _sequential(head: str, name: str, phase: str, layer: str, end: str, random: bool = False) -> Program:
    return Program(f"{name}, {phase}", f"{head}{DATA}{_model(layer)}{WEIGHTS}{end}", random=random)


def _shapes(head: str) -> Iterator[Program]:
    """Yield layers whose input is of another kind."""
    stateful = _model("layers.LSTM(8, stateful=True)", "batch_shape=(8, 6, 4)")
    conv = 'rng = np.random.default_rng(7)\nx = rng.normal(size=(8, 6, 5, 4)).astype("float32")\n'
    words = "rng = np.random.default_rng(7)\nx = rng.integers(1, 9, (8, 6))\n{more}"
    for phase, end in (("predict", PREDICT.replace("x,", "x, batch_size=8,")), ("fit", FIT.format(how=""))):
        yield Program(f"stateful, {phase}", f"{head}{DATA}{stateful}{WEIGHTS}{end}")
        text = f"{head}{conv}{_model('layers.ConvLSTM1D(3, 3)', '(6, 5, 4)')}{WEIGHTS}{end}"
        yield Program(f"convolution, {phase}", text)
        times = conv + _model("layers.TimeDistributed(layers.LSTM(8))", "(6, 5, 4)")
        yield Program(f"over time, {phase}", f"{head}{times}{WEIGHTS}{end}")
        for data, line in {"no zeros": "", "padded": "x[2, 4:] = 0\n"}.items():
            embedded = _model("layers.Embedding(10, 4, mask_zero=True), layers.LSTM(8)", '(6,), dtype="int32"')
            group = f"embedded, {phase}"
            text = f"{head}{words.format(more=line)}{embedded}{WEIGHTS}{end}"
            yield Program(group, text, data)
        one = DATA.replace("(8, 6, 4)", "(8, 1, 4)") + _model("layers.LSTM(8)", "(1, 4)")
        yield Program(f"one step, {phase}", f"{head}{one}{WEIGHTS}{end}")
        long = DATA.replace("(8, 6, 4)", "(8, 700, 4)") + _model("layers.GRU(8)", "(None, 4)")
        yield Program(f"many steps, {phase}", f"{head}{long}{WEIGHTS}{end}")


def _ways(head: str, package: str, backend: str) -> Iterator[Program]:
    """Yield what programs do around a layer: the device, XLA, eager execution, loops of their own, saved models."""
    for kind in ("LSTM", "GRU"):
        made = f"{head}{DATA}{_model(f'layers.{kind}(8)')}{WEIGHTS}"
        hidden = 'import os\nos.environ["CUDA_VISIBLE_DEVICES"] = "-1"\n'
        yield Program(f"{kind} hidden", hidden + made + PREDICT, alone=True)
        policy = f'{head}keras.mixed_precision.set_global_policy("mixed_float16")\n'
        if package == "keras":
            policy = policy.replace("mixed_precision.set_global_policy", "config.set_dtype_policy")
        text = f"{policy}{DATA}{_model(f'layers.{kind}(8)')}{WEIGHTS}{PREDICT}"
        yield Program(f"{kind} global policy", text, alone=True)
        suffix = "keras" if package == "keras" else "h5"
        kept = f'model.save("m.{suffix}")\nmodel = keras.models.load_model("m.{suffix}")\n'
        yield Program(f"{kind} saved", made + kept + PREDICT)
        yield Program(f"{kind} eager", made + FIT.format(how=", run_eagerly=True"))
        yield Program(f"{kind} on one batch", made + "result = [np.asarray(model(x))]\n"
                      if backend != "torch" else made + "result = [model(x).detach().cpu().numpy()]\n")  # fmt: skip
        states = (
            f"{head}{DATA}a = keras.Input((6, 4))\n"
            f"out, *s = layers.{kind}(8, return_state=True, return_sequences=True)(a)\n"
            f"model = keras.Model(a, [out, *s])\n{WEIGHTS}result = model.predict(x, verbose=0)\n"
        )
        yield Program(f"{kind} with its states", states)
        inside = (
            f"{head}class Tagger(keras.Model):\n    def __init__(self):\n        super().__init__()\n"
            f"        self.rnn = layers.{kind}(8)\n\n    def call(self, x, training=False):\n"
            f"        return self.rnn(x, training=training)\n\n{DATA}model = Tagger()\nmodel(x)\n{WEIGHTS}{PREDICT}"
        )
        yield Program(f"{kind} in a model of its own", inside)
        if backend == "tensorflow":
            yield from _on_tensorflow(kind, made, package)
        elif backend == "torch":
            off = made.replace("import numpy", "import torch\ntorch.backends.cudnn.enabled = False\nimport numpy")
            yield Program(f"{kind} switched off", off + PREDICT, alone=True)
            scoped = f"with keras.device('cpu'):\n    {_model(f'layers.{kind}(8)')}"
            text = f"{head}{DATA}{scoped}    result = [model.predict(x, verbose=0)]\n"
            yield Program(f"{kind} in a CPU scope", text, random=True)
        else:
            scoped = f"    {_model(f'layers.{kind}(8)')}"
            text = f"import jax\n{head}{DATA}with jax.default_device(jax.devices('cpu')[0]):\n{scoped}"
            yield Program(f"{kind} in a CPU scope",
                          text + "    result = [model.predict(x, verbose=0)]\n", random=True)  # fmt: skip
            yield Program(f"{kind} without jit", made + FIT.format(how=", jit_compile=False"))


def _on_tensorflow(kind: str, made: str, package: str) -> Iterator[Program]:
    made = "import tensorflow as tf\n" + made
    yield Program(f"{kind} called on a CPU",
                  made + "with tf.device('/CPU:0'):\n    result = [model(x).numpy()]\n")  # fmt: skip
    whole = made.replace("model = keras.Seq", "with tf.device('/CPU:0'):\n    model = keras.Seq", 1)
    yield Program(f"{kind} made on a CPU", whole + PREDICT)
    compiled = "@tf.function(jit_compile=True)\ndef step(x):\n    return model(x)\n\nresult = [step(x).numpy()]\n"
    yield Program(f"{kind} in XLA", made + compiled)
    traced = compiled.replace("(jit_compile=True)", "")
    yield Program(f"{kind} in a function", made + traced)
    yield Program(f"{kind} fit in XLA", made + FIT.format(how=", jit_compile=True"))
    yield Program(f"{kind} fit without XLA", made + FIT.format(how=", jit_compile=False"))
    twice = (
        "x = tf.constant(x)\nwith tf.GradientTape() as outer:\n    outer.watch(x)\n"
        "    with tf.GradientTape() as inner:\n"
        "        inner.watch(x)\n        y = tf.reduce_sum(model(x))\n    slope = inner.gradient(y, x)\n"
        "result = [outer.gradient(slope, x).numpy()]\n"
    )
    yield Program(f"{kind} second order", made + twice)
    if package == "tf_keras":
        imported = "import tensorflow as tf\n"
        off = made.replace(imported, imported + "tf.compat.v1.disable_eager_execution()\n")
        yield Program(f"{kind} eager off", off + PREDICT, alone=True)
        ragged = (
            made.split("rng =")[0]
            + "x = tf.ragged.constant([[[1.0] * 4] * n for n in (3, 6, 2, 5)], ragged_rank=1)\n"
            + f"model = keras.Sequential([keras.Input((None, 4), ragged=True), layers.{kind}(8)])\n"
            + "result = [model(x).numpy()]\n"
        )
        yield Program(f"{kind} ragged", ragged, random=True)
