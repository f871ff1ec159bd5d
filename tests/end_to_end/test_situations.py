"""Situations that real code gets into, each with what Keras itself did of it on a CPU that was believed to have a GPU.

tests/oracle/truth.py ran each program in the releases named. A program that stops on every machine "raises" too.
"""

from __future__ import annotations

import pytest

from cudnnlint.core.layer import Model
from cudnnlint.engine import judge
from cudnnlint.frontends.source.context.target_queries import Answers
from cudnnlint.frontends.source.reader import read
from cudnnlint.rulebook.loader import load
from cudnnlint.targets import environment, requested, variants

BOOK = load()
RELEASES = environment.releases(BOOK.tables)

HEAD = "import tensorflow as tf\nfrom {keras} import layers, Input, Model, Sequential, utils\na = Input((6, 4))\n"
CELL = "layer = layers.LSTM(4)\nlayer.cell = layers.LSTMCell(4{})\nlayer(a)\n"
GRU_CELL = "layer = layers.GRU(4)\nlayer.cell = layers.GRUCell(4, reset_after=False)\nlayer(a)\n"
HELD = "b = layers.Bidirectional(layers.LSTM(4))\n{}\nb(a)\n"
SCALED = "class Own(layers.Layer):\n    def call(self, x):\n        return {}\nlayers.LSTM(4)(Own()({}))\n"
OF_CLASS = "class Own(layers.{}):\n    {}\nOwn(4{})(a)\n"
BUILD = "class Own(layers.LSTM):\n    def build(self, {0}):\n        super().build({0})\nOwn(4)(a)\n"
RUN = (
    "tf.compat.v1.disable_eager_execution()\nmodel = Sequential([Input((6, 4)), layers.LSTM(4)])\n"
    "model.compile('sgd', 'mse')\n"
)
JOINED = "x = layers.Masking()(Input((6, {1})))\nlayers.LSTM(4)(layers.Concatenate(axis=-2)({0}))\n"
MASKED = "x = layers.Masking()(a)\n"
WHOLE = "i = Input((6, 4), dtype='int32')\n"
PENALTY = """
layer = layers.LSTM(4)
def penalty(x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_sum(layer(x))
        slope = inner.gradient(y, x)
    return outer.gradient(slope, x)
"""
OFF = "import torch\ntorch.backends.cudnn.enabled = {}\nlayers.LSTM(4)(a)\n"
FLAGS = """import torch
model = Sequential([a, layers.LSTM(4)])
with torch.backends.cudnn.flags({}):
    model.fit(x, y)
"""
WIDE = "x = Input((6, 4), batch_size=2)\nlayers.LSTM(4, stateful=True{})(x)\n"
FLOATX = "tf.keras.backend.set_floatx('float64')\n" + WIDE.format("{}")
NAMELESS = "layers.deserialize({'class_name': 'LSTM', 'config': {'units': 4}}{})\n"
ENTRY = (
    "Sequential.from_config({'name': 's', 'layers': [{'class_name': 'InputLayer', 'config': "
    "{'batch_shape': [None, 6, 4]}}, {'class_name': 'LSTM', 'config': {'units': 4}}]})\n"
)
OWN = "def f(v):\n    return v * 2\n"
ON_DML = "with tf.device('/DML:0'):\n    model = Sequential([layers.LSTM(4)])\n    model.fit(x, y)\n"

#: A program, and the verdict and codes by target.
CASES: dict[str, tuple[str, dict[str, str]]] = {
    "a product with a number given to an own layer": (
        SCALED.format("x + 1.0", "a * 0.5"),
        {"keras@3.15.1": "unknown", "keras@3.0.5": "unknown", "tf_keras@2.21.0": "cudnn"},
    ),
    "a product with a number given to an own layer that holds the LSTM": (
        "r = layers.LSTM(4)\nclass Own(layers.Layer):\n    def call(self, x):\n        return r(x)\nOwn()(0.5 * a)\n",
        {"keras@3.15.1": "unknown", "tf_keras@2.21.0": "cudnn"},
    ),
    "a sum with a number given to an own layer": (SCALED.format("x + 1.0", "a + 0.5"), {"keras@3.15.1": "cudnn"}),
    "a product with a number behind a layer of Keras": (
        SCALED.format("x + 1.0", "layers.Dropout(0.1)(a * 0.5)"), {"keras@3.15.1": "cudnn"},
    ),
    "a product of two tensors given to an own layer": (SCALED.format("x + 1.0", "a * a"), {"keras@3.15.1": "cudnn"}),
    "a product inside the call of an own layer": (SCALED.format("x * 0.5", "a"), {"keras@3.15.1": "cudnn"}),
    "a product given to an LSTM": ("layers.LSTM(4)(a * 0.5)\n", {"keras@3.15.1": "cudnn"}),
    "a product given to an own layer that says its output": (
        SCALED.format("x + 1.0\n    def compute_output_shape(self, shape):\n        return shape", "a * 0.5"),
        {"keras@3.15.1": "cudnn"},
    ),
    "recurrent dropout of the user's class": (
        OF_CLASS.format("LSTM", "recurrent_dropout = 0.3", ""),
        {"keras@3.15.1": "fallback CDN103", "tf_keras@2.21.0": "cudnn"},
    ),
    "no recurrent dropout of the user's class": (
        OF_CLASS.format("GRU", "recurrent_dropout = 0.0", ", recurrent_dropout=0.3"),
        {"keras@3.15.1": "cudnn", "tf_keras@2.21.0": "fallback CDN103"},
    ),
    "an activation of the user's class": (
        OF_CLASS.format("GRU", "activation = 'tanh'", ""),
        {"keras@3.15.1": "cudnn", "tf_keras@2.21.0": "fallback CDN113"},
    ),
    "a property of the user's class": (
        OF_CLASS.format("LSTM", "recurrent_dropout = property(lambda self: 0.3)", ""), {"keras@3.15.1": "unknown"},
    ),
    "recurrent dropout of the user's class in a Bidirectional": (
        "class Own(layers.LSTM):\n    recurrent_dropout = 0.3\nlayers.Bidirectional(Own(4))(a)\n",
        {"tf_keras@2.21.0": "fallback CDN103"},
    ),
    "a slice alone as the index of an Input": (
        "layers.LSTM(4)(a[:])\n",
        {"keras@3.15.1": "raises CDN243", "keras@3.0.5": "raises CDN243", "tf_keras@2.21.0": "cudnn"},
    ),
    "three dots as the index of an Input": (
        "layers.LSTM(4)(a[...])\n", {"keras@3.15.1": "raises CDN243", "tf_keras@2.21.0": "cudnn"},
    ),
    "several parts as the index of an Input": ("layers.LSTM(4)(a[:, 1:])\n", {"keras@3.15.1": "cudnn"}),
    "a slice of data": ("layers.LSTM(4)(tf.ones((2, 6, 4))[:1])\n", {"keras@3.15.1": "cudnn"}),
    "a slice in the call of a layer": (
        "r = layers.LSTM(4)\nclass Own(layers.Layer):\n    def call(self, x):\n        return r(x[:])\nOwn()(a)\n",
        {"keras@3.15.1": "cudnn"},
    ),
    "the layer of a Bidirectional": (
        HELD.format("print(b.layer.name)"),
        {"keras@3.15.1": "raises CDN243", "keras@3.2.1": "cudnn", "tf_keras@2.21.0": "cudnn"},
    ),
    "the layer of a Bidirectional, if it has one": (
        HELD.format("if hasattr(b, 'layer'):\n    print(b.layer.name)"),
        {"keras@3.15.1": "cudnn"},
    ),
    "the layer of a Bidirectional, in a try": (
        HELD.format("try:\n    b.layer\nexcept AttributeError:\n    pass"),
        {"keras@3.15.1": "cudnn"},
    ),
    "a cell set on a layer that was called": (
        "layer = layers.LSTM(4)\nlayer(a)\nlayer.cell = layers.LSTMCell(4)\nlayer(a)\n",
        {"keras@3.15.1": "raises CDN243", "keras@3.0.5": "raises CDN243", "tf_keras@2.21.0": "raises CDN243"},
    ),
    "a build of stars that calls that of Keras": (
        BUILD.format("*args, **kwargs"), {"keras@3.15.1": "raises CDN243", "tf_keras@2.21.0": "cudnn"},
    ),
    "a build of a name and stars": (
        BUILD.format("shape, *args").replace("build(shape, *args)", "build(shape)"), {"keras@3.15.1": "cudnn"},
    ),
    "fit with eager execution off": (
        RUN + "model.fit(x, y)\n",
        {"keras@3.15.1": "raises CDN243", "keras@3.0.5": "raises CDN243", "tf_keras@2.21.0": "fallback CDN401"},
    ),
    "predict inside a session": (
        RUN.split("\n", 1)[1] + "with tf.compat.v1.Session():\n    model.predict(x)\n",
        {"keras@3.15.1": "raises CDN243", "tf_keras@2.21.0": "cudnn"},
    ),
    "train_on_batch with eager execution off": (
        RUN + "model.train_on_batch(x, y)\n",
        {"keras@3.15.1": "cudnn", "keras@3.14.0": "cudnn", "keras@3.13.0": "raises CDN243"},
    ),
    "predict_on_batch with eager execution off": (
        RUN + "model.predict_on_batch(x)\n", {"keras@3.15.1": "raises CDN243"},
    ),
    "a call with eager execution off": (RUN + "model(tf.ones((2, 6, 4)))\n", {"keras@3.15.1": "cudnn"}),
    "fit with eager execution on again": (
        RUN + "tf.compat.v1.enable_eager_execution()\nmodel.fit(x, y)\n", {"keras@3.15.1": "cudnn"},
    ),
    "fit on torch with eager execution off": (RUN + "model.fit(x, y)\n", {"keras@3.15.1:torch": "cudnn"}),
    "some inputs of a Concatenate along the steps have a mask": (
        JOINED.format("[x, layers.RepeatVector(3)(layers.Flatten()(a))]", 24),
        {"tf_keras@2.21.0": "raises CDN243", "keras@3.15.1": "depends CDN201", "keras@3.3.3": "cudnn"},
    ),
    "all inputs of a Concatenate along the steps have a mask": (
        JOINED.format("[x, x]", 24),
        {"tf_keras@2.21.0": "depends CDN201", "keras@3.15.1": "depends CDN201"},
    ),
    "some inputs of a Concatenate along the steps have a mask, and one feature": (
        JOINED.format("[x, Input((3, 1))]", 1),
        {"tf_keras@2.21.0": "depends CDN201", "keras@3.15.1": "depends CDN201"},
    ),
    "some inputs of a Concatenate along the steps may have a mask": (
        JOINED.format("[x, Input((3, n))]", "n := len(__file__)"),
        {"tf_keras@2.21.0": "unknown CDN201"},
    ),
    "a cell with hard_sigmoid in place of the layer's": (
        CELL.format(", recurrent_activation='hard_sigmoid'"),
        {"keras@3.15.1": "fallback CDN102", "keras@3.8.0": "fallback CDN102", "tf_keras@2.21.0": "cudnn CDN605"},
    ),
    "a cell with recurrent dropout": (
        CELL.format(", recurrent_dropout=0.3"),
        {"keras@3.15.1": "fallback CDN103", "tf_keras@2.21.0": "cudnn CDN605"},
    ),
    "a cell without bias": (CELL.format(", use_bias=False"), {"keras@3.15.1": "fallback CDN106"}),
    "a cell that resets before": (GRU_CELL, {"keras@3.15.1": "fallback CDN107"}),
    "a cell with dropout, which the kernel has too": (
        CELL.format(", dropout=0.3"),
        {"keras@3.15.1": "cudnn", "tf_keras@2.21.0": "cudnn"},
    ),
    "a cell like the layer's own": (CELL.format(""), {"keras@3.15.1": "cudnn", "tf_keras@2.21.0": "cudnn"}),
    "a stateful layer behind an Input without a batch size": (
        "layers.LSTM(4, stateful=True)(a)\n",
        {"keras@3.15.1": "raises CDN217", "keras@3.8.0": "raises CDN217", "tf_keras@2.21.0": "raises CDN217"},
    ),
    "a stateful layer behind one with a batch size": (
        "layers.LSTM(4, stateful=True)(Input((6, 4), batch_size=2))\n",
        {"keras@3.15.1": "cudnn", "tf_keras@2.21.0": "cudnn"},
    ),
    "a stateful layer in a chain": (
        "Sequential([Input((6, 4)), layers.Dense(4), layers.GRU(4, stateful=True)])\n",
        {"keras@3.15.1": "raises CDN217", "tf_keras@2.21.0": "raises CDN217"},
    ),
    "a stateful layer in a chain that data will build": (
        "Sequential([layers.Dense(4), layers.GRU(4, stateful=True)])\n",
        {"keras@3.15.1": "cudnn"},
    ),
    "a stateful layer under mixed precision": (
        "layers.GRU(4, stateful=True, dtype='mixed_float16')(Input((6, 4), batch_size=2))\n",
        {"tensorflow@2.5.3": "raises CDN218", "keras@2.6.0": "raises CDN218", "keras@2.7.0": "cudnn",
         "keras@3.0.5": "raises CDN218", "keras@3.7.0": "raises CDN218", "keras@3.8.0": "cudnn",
         "keras@3.7.0:jax": "fallback CDN402"},
    ),
    "a stateful layer of another dtype than floatx": (
        WIDE.format(", dtype='float64'"),
        {"tensorflow@2.1.4": "raises CDN219", "tensorflow@2.5.3": "raises CDN219", "keras@2.8.0": "raises CDN219",
         "keras@2.15.0": "cudnn", "tf_keras@2.20.1": "cudnn", "keras@3.15.1": "cudnn"},
    ),
    "a stateful layer of the dtype of floatx": (
        FLOATX.format(""),
        {"tensorflow@2.1.4": "cudnn", "keras@2.7.0": "cudnn", "keras@3.15.1": "cudnn"},
    ),
    "a stateful layer of the dtype of floatx, given again": (
        FLOATX.format(", dtype='float64'"),
        {"keras@2.8.0": "cudnn"},
    ),
    "GPUs hidden from TensorFlow alone": (
        "tf.config.set_visible_devices([], 'GPU')\nlayers.LSTM(4)(a)\n",
        {"keras@3.15.1": "fallback CDN406", "keras@3.15.1:jax": "cudnn", "keras@3.15.1:torch": "cudnn"},
    ),
    "GPUs hidden from JAX alone": (
        "import os\nos.environ['JAX_PLATFORMS'] = 'cpu'\nlayers.LSTM(4)(a)\n",
        {"keras@3.15.1": "cudnn", "keras@3.15.1:jax": "fallback CDN406", "keras@3.15.1:torch": "cudnn"},
    ),
    "GPUs hidden from everybody": (
        "import os\nos.environ['CUDA_VISIBLE_DEVICES'] = ''\nlayers.LSTM(4)(a)\n",
        {"keras@3.15.1": "fallback CDN406", "keras@3.15.1:jax": "fallback CDN406",
         "keras@3.15.1:torch": "fallback CDN406", "tf_keras@2.21.0": "fallback CDN406"},
    ),
    "a layer that insists on cuDNN where the GPUs are hidden": (
        "import os\nos.environ['CUDA_VISIBLE_DEVICES'] = ''\nlayers.LSTM(4, use_cudnn=True)(a)\n",
        {"keras@3.15.1": "raises CDN202 CDN406"},
    ),
    "a mixed policy by its name": (
        "layers.LSTM(4, dtype='mixed_float16')(a)\n",
        {"tensorflow@2.1.4": "raises CDN220", "tensorflow@2.4.4": "raises CDN220", "tensorflow@2.5.3": "cudnn"},
    ),
    "a mixed policy as an object": (
        "layers.LSTM(4, dtype=tf.keras.mixed_precision.experimental.Policy('mixed_float16'))(a)\n",
        {"tensorflow@2.1.4": "cudnn", "tensorflow@2.4.4": "cudnn"},
    ),
    "an own function under the name tanh, in a scope": (
        OWN + "with utils.custom_object_scope({'tanh': f}):\n    layers.LSTM(4)(a)\n",
        {"tensorflow@2.1.4": "cudnn", "tensorflow@2.2.3": "fallback CDN101", "keras@2.15.0": "fallback CDN101",
         "tf_keras@2.20.1": "fallback CDN101", "keras@3.15.1": "cudnn"},
    ),
    "an own function under the name sigmoid, for the whole program": (
        OWN + "utils.get_custom_objects().update({'sigmoid': f})\nlayers.LSTM(4)(a)\n",
        {"tensorflow@2.5.3": "fallback CDN102", "tf_keras@2.20.1": "fallback CDN102", "keras@3.8.0": "cudnn"},
    ),
    "an own function under the name tanh, and the layer given the function": (
        OWN + "utils.get_custom_objects()['tanh'] = f\nlayers.GRU(4, activation=tf.nn.tanh)(a)\n",
        {"tensorflow@2.1.4": "fallback CDN101", "tensorflow@2.5.3": "cudnn", "tf_keras@2.20.1": "cudnn"},
    ),
    "Keras's own functions under their names": (
        "with utils.CustomObjectScope({'tanh': tf.nn.tanh, 'sigmoid': tf.nn.sigmoid}):\n    layers.LSTM(4)(a)\n",
        {"tensorflow@2.5.3": "cudnn", "tf_keras@2.20.1": "cudnn"},
    ),
    "an own class registered by the name tanh, which gets its package's": (
        "@utils.register_keras_serializable(package='Mine', name='tanh')\n" + OWN + "layers.LSTM(4)(a)\n",
        {"tensorflow@2.5.3": "cudnn", "tf_keras@2.20.1": "cudnn"},
    ),
    "a cell of TensorFlow 1": (
        "layers.RNN(tf.nn.rnn_cell.LSTMCell(4))(a)\n",
        {"keras@3.15.1": "raises CDN203", "tf_keras@2.21.0": "raises CDN203", "tensorflow@2.5.3": "raises CDN203"},
    ),
    "a cell of TensorFlow 1 by its lasting name": (
        "layers.RNN(tf.compat.v1.nn.rnn_cell.LSTMCell(4))(a)\n",
        {"keras@3.15.1": "raises CDN203", "tensorflow@2.5.3": "fallback CDN108"},
    ),
    "a PeepholeLSTMCell": (
        "layers.RNN(tf.keras.experimental.PeepholeLSTMCell(4))(a)\n",
        {"keras@3.15.1": "raises CDN203", "keras@2.8.0": "fallback CDN108", "tensorflow@2.5.3": "fallback CDN108"},
    ),
    "a mask that a cast loses": (
        MASKED + "layers.GRU(4, dtype='float64')(layers.Dense(4)(x))\n",
        {"keras@3.8.0": "cudnn", "keras@3.13.2": "cudnn", "keras@3.15.1": "depends CDN201"},
    ),
    "integers and floats put together": (
        WHOLE + "layers.LSTM(4)(layers.Concatenate()([i, a]))\n",
        {"keras@3.15.1": "cudnn", "keras@3.8.0": "cudnn"},
    ),
    "integers and floats added": (WHOLE + "layers.LSTM(4)(layers.Add()([i, a]))\n", {"keras@3.15.1": "cudnn"}),
    "integers and floats multiplied": (
        WHOLE + "layers.LSTM(4)(layers.Multiply()([i, a]))\n",
        {"keras@3.15.1": "cudnn", "keras@3.8.0": "cudnn"},
    ),
    "integers of two signs that no integer holds, which make a float": (
        "b = [Input((6, 4), dtype=one) for one in ('uint64', 'int8')]\nlayers.LSTM(4)(layers.Add()(b))\n",
        {"keras@3.15.1": "cudnn", "keras@3.8.0": "cudnn"},
    ),
    "integers of two signs": (
        "b = [Input((6, 4), dtype=one) for one in ('uint8', 'int8')]\nlayers.LSTM(4)(layers.Add()(b))\n",
        {"keras@3.15.1": "raises CDN211"},
    ),
    "integers added": (WHOLE + "layers.LSTM(4)(layers.Add()([i, i]))\n", {"keras@3.15.1": "raises CDN211"}),
    "where the largest values stand": (
        "import keras\nlayers.LSTM(4)(keras.ops.top_k(Input((6, 4)), 2)[1])\n",
        {"keras@3.15.1": "raises CDN211"},
    ),
    "integers on other backends": (
        WHOLE + "layers.LSTM(4)(i)\n",
        {"keras@3.15.1:jax": "raises CDN211", "keras@3.14.1:jax": "raises CDN211", "keras@3.15.1:torch": "cudnn"},
    ),
    "a mask through SpectralNormalization": (
        MASKED + "layers.LSTM(4)(layers.SpectralNormalization(layers.Dense(4))(x))\n",
        {"keras@3.15.1": "depends CDN201", "keras@3.8.0": "depends CDN201"},
    ),
    "second-order gradients, which no TensorFlow registers": (
        PENALTY,
        {"keras@3.15.1": "raises CDN210", "tf_keras@2.21.0": "unknown CDN210", "tensorflow@2.1.4": "unknown CDN210"},
    ),
    "cuDNN switched off in torch": (
        OFF.format("False"),
        {"keras@3.15.1:torch": "fallback CDN407", "keras@3.15.1": "cudnn"},
    ),
    "cuDNN left on in torch": (OFF.format("True"), {"keras@3.15.1:torch": "cudnn"}),
    "cuDNN switched off around fit": (FLAGS.format("enabled=False"), {"keras@3.15.1:torch": "fallback CDN407"}),
    "cuDNN switched on around fit": (FLAGS.format("enabled=True"), {"keras@3.15.1:torch": "cudnn"}),
    "a GPU through DirectML": (ON_DML, {"keras@3.15.1": "raises CDN405", "keras@2.10.0": "unknown CDN405"}),
    "tokens that are ragged behind an Embedding": (
        "t = Input((None,), dtype='int32', ragged=True)\nlayers.GRU(4)(layers.Embedding(9, 4)(t))\n",
        {"tensorflow@2.5.3": "fallback CDN209", "keras@2.8.0": "cudnn", "tf_keras@2.21.0": "cudnn"},
    ),
    "a configuration of a layer without its module": (
        NAMELESS.replace("{}", ""),
        {"keras@3.15.1": "raises CDN243", "keras@3.0.5": "raises CDN243", "tf_keras@2.21.0": "cudnn"},
    ),
    "a configuration whose class is told beside it": (
        NAMELESS.replace("{}", ", custom_objects={'LSTM': layers.LSTM}"), {"keras@3.15.1": "cudnn"},
    ),
    "a configuration without a module in that of a model": (ENTRY, {"keras@3.15.1": "cudnn"}),
    "states of a Bidirectional that TensorFlow makes": (
        "z = tf.zeros((2, 4))\nlayers.Bidirectional(layers.SimpleRNN(4))(a, initial_state=[z, z])\n",
        {"tensorflow@1.14.0": "raises CDN243", "tensorflow@1.15.5": "fallback CDN111"},
    ),
    "states of a Bidirectional that are inputs": (
        "z = Input((4,))\nlayers.Bidirectional(layers.SimpleRNN(4))(a, initial_state=[z, z])\n",
        {"tensorflow@1.14.0": "fallback CDN111"},
    ),
    "one of the tensors that a Lambda gives": (
        "layers.LSTM(4)(layers.Lambda(lambda t: [t, t * 2])(a)[1])\n",
        {"keras@3.15.1": "cudnn", "tf_keras@2.21.0": "cudnn"},
    ),
    "one of the tensors that a Lambda gives, which has another rank": (
        "b, c = layers.Lambda(lambda t: (t, t[:, 0]))(a)\nlayers.LSTM(4)(c)\n", {"keras@3.15.1": "raises CDN234"},
    ),
    "a padded batch in Keras 3.0.0, which falls back under fit": (
        MASKED + "model = Model(a, layers.LSTM(4)(x))\nmodel.compile('sgd', 'mse')\nmodel.fit(x, y)\n",
        {"keras@3.0.0": "fallback CDN109 CDN402", "keras@3.0.1": "fallback CDN109"},
    ),
}  # fmt: skip
ASKED = [(name, target) for name, (_, told) in CASES.items() for target in told]
PACKAGES = {"keras": "keras", "tf_keras": "tf_keras", "tensorflow": "tensorflow.keras"}


@pytest.mark.parametrize(("name", "asked"), ASKED)
def test_a_situation_has_the_verdict_that_keras_gave(name: str, asked: str) -> None:
    body, told = CASES[name]
    (target,) = requested.parse([asked], RELEASES)
    keras = "tensorflow.keras" if target.keras_2 and target.framework == "keras" else PACKAGES[target.framework]
    text, tables = (HEAD.format(keras=keras) + body).encode(), BOOK.tables

    def of(answers: Answers | None) -> Model:
        return read("program.py", text, tables.names, None, answers)

    model = variants.read(of, lambda _: (target,), environment.known(), tables)
    assert model is not None
    judged = judge(model, (target,), BOOK)
    (verdict,) = {layer.judgements[0].verdict.value for layer in judged.layers}  # a Bidirectional is two layers
    codes = sorted({diagnostic.code for diagnostic in judged.diagnostics} - {"CDN501"})
    assert " ".join([verdict, *codes]) == told[asked]
