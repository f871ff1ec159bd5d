"""What cannot be told of a layer's surroundings is told in a sentence that names it and its place; what a file says
of its backend."""

from __future__ import annotations

import pytest

from cudnnlint.core.fact import ABSENT, Assumed, Fact, Known, OneOf, Unknown, place_of, values
from cudnnlint.core.names import Names
from cudnnlint.core.place import SourcePlace
from cudnnlint.frontends.source import read

HEAD = "import os\nimport sys\nimport tensorflow as tf\nx = tf.zeros((1, 2, 3))\n"


def around(text: str, name: str, names: Names) -> Fact:
    (layer,) = read("a.py", (HEAD + text).encode(), names).layers
    (call,) = layer.calls
    return call.context(name)


UNKNOWN = [
    (
        "place = sys.argv[1]\nlayer = tf.keras.layers.LSTM(1)\nwith tf.device(place): layer(x)\n",
        "device",
        "the scope `tf.device(place)` names a device that is not known: `sys.argv[1]` comes from the command line",
        7,
    ),
    (
        "layer = tf.keras.layers.LSTM(1)\nwith tf.device('/TPU:0'):\n    layer(x)\n",
        "device",
        "the scope `tf.device('/TPU:0')` names neither a CPU nor a GPU",
        6,
    ),
    (
        "with tf.device('/CPU:0'):\n    layer = tf.keras.layers.LSTM(1)\n",
        "device",
        "it is made in the scope `tf.device('/CPU:0')`, and the file does not show where it runs",
        5,
    ),
    (
        "with tf.device('/CPU:0'):\n    y = tf.keras.layers.LSTM(1)(tf.keras.Input((2, 3)))\n",
        "device",
        "it is called in the scope `tf.device('/CPU:0')`, and the file does not show where it runs",
        5,
    ),
    (
        "def build(graph):\n    with graph.as_default():\n        return tf.keras.layers.LSTM(1)\n",
        "eager_disabled",
        "it is made in `graph.as_default()`, and it is not known whether that switches eager execution off",
        6,
    ),
    (
        "tf.config.optimizer.set_jit(True)\ntf.keras.layers.LSTM(1)(x)\n",
        "xla",
        "XLA compiles every operation that it can, and it is not known whether it compiles this layer",
        5,
    ),
    (
        "model = tf.keras.Sequential([tf.keras.layers.LSTM(1)])\nmodel.compile(jit_compile=sys.argv[1])\n"
        "model.fit(x)\n",
        "jit_compile",
        "`sys.argv[1]` comes from the command line",
        6,
    ),
    (
        "layer = tf.keras.layers.LSTM(1)\n"
        "with tf.GradientTape() as outer:\n"
        "    with tf.GradientTape() as inner:\n"
        "        y = layer(x)\n"
        "    g = inner.gradient(y, x)\n"
        "z = [g, sys.argv[1]].pop(int(sys.argv[2]))\n"
        "outer.gradient(z, x)\n",
        "second_order",
        "whether `outer.gradient(z, x)` differentiates a gradient of this layer is not known",
        11,
    ),
]


@pytest.mark.parametrize(("text", "name", "because", "row"), UNKNOWN, ids=[case[2] for case in UNKNOWN])
def test_what_is_not_known_is_said_with_its_place(text: str, name: str, because: str, row: int, names: Names) -> None:
    fact = around(text, name, names)
    assert isinstance(fact, (Unknown, OneOf))
    assert fact.because == because
    place = place_of(fact)
    assert isinstance(place, SourcePlace)
    assert place.row == row


def test_gpus_that_are_chosen_elsewhere_are_taken_to_be_there(names: Names) -> None:
    text = "import os\nimport sys\nos.environ['CUDA_VISIBLE_DEVICES'] = sys.argv[1]\n"
    (layer,) = read("a.py", f"{text}{HEAD}tf.keras.layers.LSTM(1)(x)\n".encode(), names).layers
    fact = layer.calls[0].context("device")
    assert isinstance(fact, Assumed)
    assert (fact.value, fact.because) == (
        None,
        "CUDA_VISIBLE_DEVICES is set, and `sys.argv[1]` comes from the command line; a GPU is assumed to be visible",
    )


def test_a_scope_that_depends_says_on_what(names: Names) -> None:
    text = "where = '/cpu:0' if sys.argv[1] else '/gpu:0'\nlayer = tf.keras.layers.LSTM(1)\n"
    fact = around(text + "with tf.device(where):\n    layer(x)\n", "device", names)
    assert isinstance(fact, OneOf)
    assert fact.because == "it depends on `sys.argv[1]`, and `sys.argv[1]` comes from the command line"


@pytest.mark.parametrize(
    ("condition", "because"),
    [
        ("if sys.argv[1]:\n    {}", "it depends on `sys.argv[1]`, and `sys.argv[1]` comes from the command line"),
        ("sys.argv[1] and {}", "it depends on `sys.argv[1]`, and `sys.argv[1]` comes from the command line"),
        ("for line in sys.stdin:\n    {}", "it depends on how often a loop runs"),
    ],
)
@pytest.mark.parametrize("set_", ["mixed_precision.set_global_policy('float16')", "backend.set_floatx('float16')"])
def test_a_policy_that_depends_says_on_what(set_: str, condition: str, because: str, names: Names) -> None:
    text = condition.format(f"tf.keras.{set_}") + "\ntf.keras.layers.LSTM(1)(x)\n"
    fact = around(f"import sys\n{text}", "dtype", names)
    assert isinstance(fact, OneOf)
    assert fact.because == because


BACKENDS = [
    ("os.environ['KERAS_BACKEND'] = 'torch'\nimport keras\n", "torch"),
    ("os.environ.setdefault('KERAS_BACKEND', 'jax')\nfrom keras import layers\n", "jax"),
    ("os.environ.update(KERAS_BACKEND='jax')\nimport keras\n", "jax"),
    ("def prepare(name='torch'):\n    os.environ['KERAS_BACKEND'] = name\nprepare()\nimport keras\n", "torch"),
    ("import keras\nos.environ['KERAS_BACKEND'] = 'torch'\n", None),
    ("import keras\nkeras.config.set_backend('jax')\nimport keras\n", "jax"),
    ("def prepare():\n    os.environ['KERAS_BACKEND'] = 'torch'\nimport keras\n", None),
]


@pytest.mark.parametrize(("text", "backend"), BACKENDS, ids=[text for text, _ in BACKENDS])
def test_a_file_chooses_its_backend(text: str, backend: str | None, names: Names) -> None:
    model = read("a.py", f"import os\n{text}layer = keras.layers.LSTM(1)\n".encode(), names)
    assert (model.hints.backend, model.hints.because) == (backend, {})


def test_a_backend_that_depends_is_no_hint_but_a_doubt(names: Names) -> None:
    text = "import os, sys\nif sys.argv[1:]:\n    os.environ['KERAS_BACKEND'] = 'jax'\nimport keras\n"
    hints = read("a.py", (text + "keras.layers.LSTM(1)\n").encode(), names).hints
    assert hints.backend is None
    assert hints.because["backend"].startswith(
        "which backend Keras runs on is decided while the file runs ('jax', or left as it is): it depends on"
    )


@pytest.mark.parametrize(("value", "legacy"), [("'1'", True), ("'True'", True), ("'0'", False)])
def test_a_file_asks_for_keras_2(value: str, legacy: bool, names: Names) -> None:
    text = f"import os\nos.environ['TF_USE_LEGACY_KERAS'] = {value}\nimport tensorflow as tf\ntf.keras.layers.LSTM(1)\n"
    assert read("a.py", text.encode(), names).hints.legacy_keras is legacy


ODD = """
import contextlib, functools, os
import jax, keras, torch
import tensorflow as tf
with tf.device(): pass
with tf.device(*args): pass
with tf.device(**kw) as d: pass
tf.function(), tf.function(jit_compile=True)(), tf.function(3, jit_compile=True)
f = tf.function(jit_compile=True)
@f
def g(x): return keras.layers.LSTM(1)(x)
g(1)
t = tf.GradientTape(); t.__enter__(); t.gradient(); t.gradient(1); t.jacobian(target=None, sources=None)
t.gradient({"a": keras.layers.LSTM(2)(tf.zeros(1))}, [])
with tf.GradientTape() as a, a: a.gradient(a, a)
with contextlib.ExitStack() as s: s.enter_context(); s.enter_context(s); s.callback(s)
os.environ["CUDA_VISIBLE_DEVICES"] = None
os.environ.update(); os.environ.update(3); os.environ.pop(); os.environ.setdefault("KERAS_BACKEND")
os.environ[os] = os; os.environ.update([("KERAS_BACKEND", "x")])
keras.mixed_precision.set_global_policy(); keras.DTypePolicy(); keras.backend.set_floatx()
keras.config.set_dtype_policy(keras.DTypePolicy(keras.DTypePolicy("float16")))
keras.layers.LSTM(3, dtype=keras.DTypePolicy(keras.DTypePolicy(x)))
tf.distribute.OneDeviceStrategy().scope(); tf.distribute.MirroredStrategy(devices=3)
with tf.distribute.MirroredStrategy(["/cpu:0", x]).scope(): m = keras.Sequential([keras.layers.LSTM(4)]); m.fit()
m.compile(jit_compile); m.save(); m.export(); m.predict(m); m.evaluate(*m); m.add(m); m.fit(1); m.save("x")
jax.grad()(1); jax.grad(1)(2); jax.jit(jax.grad)(jax.jit)(3); jax.hessian(m)(1); torch.compile()(m)(1)
torch.compile(torch.compile(m))(1); torch.autograd.grad(create_graph=True); torch.autograd.grad(1, 2, create_graph=x)
tf.config.set_visible_devices(); tf.config.list_physical_devices(); tf.config.optimizer.set_jit()
tf.Graph().as_default(1).__enter__(); tf.compat.v1.Session().__enter__().__exit__()
keras.models.save_model(); tf.saved_model.save(); keras.export.ExportArchive().track()
tf.estimator.Estimator(model_fn=lambda *a, **k: keras.layers.LSTM(5)); tf.stop_gradient(); tf.stop_gradient(m)
class Own(keras.Model):
    def call(self, x): return self.fit(x)
    def train_step(self, d): return self.fit(d)
Own().fit(1)
class Mine(keras.layers.LSTM):
    def call(self, x): return self.a(x)
    def a(self, x): return self.b(x)
    b = a
    inner_loop = 3
Mine(6)(1)
with tf.device(tf.device("cpu")): keras.layers.LSTM(7)(1)
layer = keras.layers.LSTM(8); layer.cell = layer.cell; layer.cell = 3; layer(1); del layer.cell
"""


def test_calls_that_make_no_sense_are_read_all_the_same(names: Names) -> None:
    layers = read("a.py", ODD.encode(), names).layers
    units = [layer.variants[0].argument("units") for layer in layers]
    assert {fact.value for fact in units if isinstance(fact, Known)} == set(range(1, 9))


NUMPY = "import numpy as np\n"
CALL = "def call(states={}): return tf.keras.layers.LSTM(1)(x, initial_state={})\n"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (CALL.format("()", "()"), Known(0)),
        (CALL.format("()", "states"), ABSENT),  # a caller gives them, or leaves the default by chance
        (CALL.format("None", "states"), ABSENT),
        (NUMPY + "tf.keras.layers.LSTM(1)(x, np.zeros((1, 1)))\n", Known(1)),
        (NUMPY + "tf.keras.layers.LSTM(1)(x, initial_state=np.random.rand(2, 1, 1).astype('f'))\n", Known(1)),
        (NUMPY + "tf.keras.layers.LSTM(1)(x, [np.zeros((1, 1)), np.ones((1, 1))])\n", Known(2)),
        ("tf.keras.layers.LSTM(1)(x, tf.zeros((1, 1)))\n", Known(1)),
        ("tf.keras.layers.LSTM(1)(x, tf.split(x, 2))\n", ABSENT),
    ],
)
def test_states_are_counted_that_are_certainly_tensors(text: str, count: Fact, names: Names) -> None:
    assert around(text, "states", names) == count


MODEL = """
class Own(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.gru = tf.keras.layers.GRU(4)
    def call(self, x):
        return self.gru(x)
model = Own()
"""
OWN = MODEL.replace("Model", "layers.Layer").replace("model = Own()\n", "")
TRACED = "@tf.function\ndef step(given):\n    return model(given)\nstep(x)\n"
SEQUENTIAL = "model = tf.keras.Sequential([{}])\n"


@pytest.mark.parametrize(
    ("text", "late"),
    [
        (SEQUENTIAL.format("tf.keras.layers.GRU(4)") + "model.fit(x)\n", True),
        (SEQUENTIAL.format("tf.keras.layers.GRU(4)"), True),
        (SEQUENTIAL.format("tf.keras.layers.GRU(4, input_shape=(2, 3))") + "model.fit(x)\n", False),
        (SEQUENTIAL.format("tf.keras.Input((2, 3)), tf.keras.layers.GRU(4)") + "model.fit(x)\n", False),
        (SEQUENTIAL.format("tf.keras.layers.InputLayer((2, 3)), tf.keras.layers.GRU(4)") + "model.fit(x)\n", False),
        (SEQUENTIAL.format("tf.keras.layers.Embedding(9, 3), tf.keras.layers.GRU(4)") + "model.fit(x)\n", False),
        (SEQUENTIAL.format("tf.keras.layers.Embedding(*sizes()), tf.keras.layers.GRU(4)") + "model.fit(x)\n", False),
        (OWN + SEQUENTIAL.format("tf.keras.Input((2, 3)), Own()") + "model.fit(x)\n", False),
        (OWN + SEQUENTIAL.format("Own()") + "model.fit(x)\n", True),
        (OWN + "i = tf.keras.Input((2, 3))\ntf.keras.Model(i, Own()(i)).fit(x)\n", False),
        (MODEL + "model.fit(x)\n", True),
        (MODEL.replace("model = Own()", ""), True),
        (MODEL + "model(x)\nmodel.fit(x)\n", False),
        (MODEL + "model.compile(run_eagerly=True)\nmodel.fit(x)\n", False),
        (MODEL + "tf.keras.Model(i := tf.keras.Input((2, 3)), model(i)).fit(x)\n", False),
        ("tf.keras.layers.GRU(4)(x)\n", False),
        (SEQUENTIAL.format("tf.keras.layers.GRU(4)") + TRACED, True),
        (SEQUENTIAL.format("tf.keras.layers.GRU(4)") + "model(x)\n" + TRACED, False),
        (SEQUENTIAL.format("tf.keras.layers.GRU(4, input_shape=(2, 3))") + TRACED, False),
        (SEQUENTIAL.format("tf.keras.layers.Embedding(9, 3), tf.keras.layers.GRU(4)") + TRACED, False),
        ("model = tf.keras.layers.GRU(4)\n" + TRACED, True),
        ("model = tf.keras.layers.GRU(4)\ntf.function(lambda given: model(given))(x)\n", True),
        ("model = tf.keras.layers.GRU(4)\n(lambda given: model(given))(x)\n", False),
    ],
)
def test_weights_are_made_by_the_first_call(text: str, late: bool, names: Names) -> None:
    (layer,) = read("a.py", (HEAD + text).encode(), names).layers
    assert any(isinstance(call.context("late_weights"), Unknown) for call in layer.calls) is late


INNER = "d = tf.keras.layers.Dense(3, name='a b')\n"


@pytest.mark.parametrize(
    ("text", "names_beside"),
    [
        ("m = tf.keras.Sequential([tf.keras.layers.Dense(3, name='a b'), tf.keras.layers.LSTM(4)])\n", ["a b"]),
        ("m = tf.keras.Sequential([tf.keras.layers.LSTM(4)])\nm.add(tf.keras.layers.Dense(3, name='a/b'))\n", ["a/b"]),
        ("m = tf.keras.Sequential([tf.keras.layers.LSTM(4)], name='x y')\n", ["x y"]),
        (INNER + "m = tf.keras.Sequential([tf.keras.Sequential([d]), tf.keras.layers.LSTM(4)])\n", ["a b"]),
        (
            INNER + "m = tf.keras.Sequential([tf.keras.layers.TimeDistributed(d), tf.keras.layers.LSTM(4)])\n",
            ["a b\tTimeDistributed"],
        ),
        ("m = tf.keras.Sequential([tf.keras.layers.Dense(3, name='d'), tf.keras.layers.LSTM(4)])\n", []),
        ("m = tf.keras.layers.Dense(3, name='a b'), tf.keras.Sequential([tf.keras.layers.LSTM(4)])\n", []),
        ("m = tf.keras.Sequential([tf.keras.layers.Dense(3, name=input()), tf.keras.layers.LSTM(4)])\n", []),
    ],
)
def test_unusual_names_beside_a_layer(text: str, names_beside: list[str], names: Names) -> None:
    (layer,) = read("a.py", (HEAD + text).encode(), names).layers
    assert [value for call in layer.calls for value in values(call.context("names_beside"))] == names_beside


@pytest.mark.parametrize(
    ("index", "rank"),
    [
        ("0", 2), (":, 0", 2), (":, -1", 2), ("0, 0", 1), ("...", 3), ("..., 0", 2), ("None", 4), (":, None", 4),
        (":, :3", 3), (":, :3, 1", 2), (":, None, 0", 3), (":, len(sys.argv)", None), (":, True", None),
        ("x > 0", None), (":, 'a'", None), ("(0, 0)", 1), (":, [0, 1]", None),
    ],
)  # fmt: skip
def test_an_index_takes_a_dimension_away_or_puts_one_in(index: str, rank: int | None, names: Names) -> None:
    text = f"y = tf.keras.Input((5, 4))\ntf.keras.layers.LSTM(4)(y[{index}])\n"
    assert list(values(around(text, "input_rank", names))) == ([] if rank is None else [rank])


def test_an_index_by_default_of_the_command_line_may_be_another(names: Names) -> None:
    given = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--at', default=0)\n"
    text = f"{given}y = tf.keras.Input((5, 4))\ntf.keras.layers.LSTM(4)(y[:, p.parse_args().at])\n"
    assert list(values(around(text, "input_rank", names))) == []


IN_GRAPH = "from tensorflow.keras import Input, Model, Sequential, layers\na = Input((5, 4))\n"
DENSE = "a list of one tensor given to Dense"
TWICE = "h = Input((2, 5, 4))\nm = Model(a, {})\nlayers.LSTM(4)(layers.TimeDistributed(m)(h))\n"
IN_TIME = "a TimeDistributed around a model"
GIVEN = "a dict given to a model"
NAMELESS = f"{GIVEN}\na dict that lacks the name of a model's input"
PAIRED = "i, j = Input((5, 4)), Input((5, 4))\nm = Model({}, layers.Add()([i, j]))\nlayers.LSTM(4)(m({}))\n"
UNSORTED = "a list given to a model whose dict of inputs is not in the order of its keys"
OF_TENSORFLOW = "a function of TensorFlow on a tensor of a Keras graph"
OF_TRACED = "a tf.function on a tensor of a Keras graph"
TRACED = "@tf.function\ndef twice(t):\n    return t * 2\n"
OF_KERAS_2 = "a function of keras.backend that only Keras 2 has"
OWN = "class Own(layers.Layer):\n    def call(self, t):\n        return tf.reverse(t, [1])\n"
CALLED = "i = Input((5, 4){})\nm = Model(i, layers.Dense(3)(i))\nlayers.LSTM(4)(m({{{}}}))\n"


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("layers.LSTM(4)(layers.Dense(3)([a]))\n", DENSE),
        ("layers.LSTM(4)(layers.Dense(3)([a]) * 2)\n", DENSE),  # an operation hands it on
        ("layers.LSTM(4)(layers.Dense(3)([x]))\n", None),  # data, not a tensor of a graph
        ("layers.LSTM(4)(layers.Dense(3)(a))\n", None),
        ("layers.LSTM(4)(layers.Add()([a, a]))\n", None),
        ("Sequential([layers.Dense(3), layers.LSTM(4)])([a])\n", f"{DENSE}, the first layer of a Sequential"),
        ("m = Sequential([layers.Dense(3), layers.LSTM(4)])\nm(a)\nm([a])\n", None),
        (TWICE.format("layers.Dense(3)(a)"), IN_TIME),
        (TWICE.format("[a, layers.Dense(3)(a)]"), f"{IN_TIME}\n{IN_TIME} of several outputs"),
        (TWICE.format("[a]"), f"{IN_TIME}\n{IN_TIME} that gives a list of one"),
        (TWICE.format("{'a': a}"), f"{IN_TIME}\n{IN_TIME} that gives a dict"),
        (CALLED.format(", name='i'", "'i': a"), GIVEN),
        (CALLED.format(", name='z'", "'i': a"), NAMELESS),
        (CALLED.format("", "'i': a"), NAMELESS),
        (CALLED.format("", "'input_1': a"), GIVEN),  # a name that Keras may have made up
        (CALLED.format(", name=sys.argv[1]", "'i': a"), GIVEN),
        (PAIRED.format("{'a': i, 'b': j}", "{'a': a, 'c': a}"), NAMELESS),  # by the keys of the model's own dict
        (PAIRED.format("{'p': i, 'q': j}", "{'p': a, 'q': a}"), GIVEN),
        (PAIRED.format("{'a': i, 'b': j}", "[a, a]"), None),
        (PAIRED.format("{'b': i, 'a': j}", "[a, a]"), UNSORTED),
        (PAIRED.format("{'b': i, 'a': j}", "{'a': a, 'b': a}"), GIVEN),
        (PAIRED.format("{sys.argv[1]: i, 'a': j}", "[a, a]"), None),
        (PAIRED.format("{'b': [i], 'a': j}", "[[a], a]"), UNSORTED),
        (PAIRED.format("[i, j]", "[a]"), "a list of fewer tensors than a model has inputs"),
        (PAIRED.format("{'a': i, 'b': j}", "[a, a, a]"), "a list of more tensors than a model has inputs"),
        (PAIRED.format("[i, j]", "[a] * len(sys.argv)"), None),
        ("Sequential([a, layers.LSTM(4)])\n", "an Input in a Sequential"),
        ("layers.LSTM(4)(a, mask=tf.not_equal(Input((5,)), 0))\n", OF_TENSORFLOW),
        ("m = tf.sequence_mask(lengths=Input(()), maxlen=5)\nlayers.LSTM(4)(a, mask=m)\n", OF_TENSORFLOW),
        ("layers.LSTM(4)(tf.concat([a, layers.Dense(3)(a)], -1))\n", OF_TENSORFLOW),
        ("layers.LSTM(4)(tf.compat.v1.reverse(a, [1]) * 2)\n", OF_TENSORFLOW),
        ("layers.LSTM(4)(tf.nn.top_k(a, 2)[0])\n", OF_TENSORFLOW),
        ("layers.LSTM(4)(a, mask=tf.compat.v1.sequence_mask(Input(()), 5))\n", OF_TENSORFLOW),
        ("layers.LSTM(4)(tf.keras.backend.cast(a, 'float32'))\n", OF_TENSORFLOW),
        ("layers.LSTM(4)(layers.Lambda(lambda t: tf.keras.backend.reverse(t, 1))(a))\n", None),  # a layer calls it
        ("import keras\nlayers.LSTM(4)(keras.backend.cast(a, 'float32'))\n", OF_KERAS_2),
        ("layers.LSTM(4)(tf.keras.ops.cast(a, 'float32'))\n", None),
        ("layers.LSTM(4)(a, mask=tf.not_equal(x[..., 0], 0))\n", None),  # data
        ("layers.LSTM(4)(layers.Lambda(lambda t: tf.reverse(t, [1]))(a))\n", None),  # a layer calls it
        (f"{OWN}layers.LSTM(4)(Own()(a))\n", None),
        (f"{TRACED}layers.LSTM(4)(twice(a))\n", OF_TRACED),
        (f"{TRACED}layers.LSTM(4)(twice(t=layers.Dense(3)(a)) * 2)\n", OF_TRACED),
        (f"{TRACED}layers.LSTM(4)(twice(x))\n", None),  # data
        (f"{TRACED}layers.LSTM(4)(layers.Lambda(twice)(a))\n", None),
        (OWN.replace("    def", "    @tf.function\n    def") + "layers.LSTM(4)(Own()(a))\n", None),
    ],
)  # fmt: skip
def test_what_stops_before_a_layer(text: str, kinds: str | None, names: Names) -> None:
    (layer,) = read("a.py", (HEAD + IN_GRAPH + text).encode(), names).layers
    assert {value for call in layer.calls for value in values(call.context("stops_before"))} == ({kinds} - {None})


@pytest.mark.parametrize(
    ("keys", "data", "kinds"),
    [("b a", "[x, x]", {UNSORTED}), ("b a", "(x, x)", {UNSORTED}), ("b a", "{'a': x, 'b': x}", set()),
     ("b a", "x", set()), ("a b", "[x, x]", set())],
)  # fmt: skip
@pytest.mark.parametrize("run", ["fit({}, y)", "predict({})"])
def test_data_in_a_list_goes_by_the_order_of_the_keys(
    keys: str, data: str, kinds: set[str], run: str, names: Names
) -> None:
    first, second = keys.split()
    model = f"m = Model({{'{first}': a, '{second}': b}}, layers.LSTM(4)(layers.Add()([a, b])))\n"
    text = f"{HEAD}{IN_GRAPH}b = Input((5, 4))\n{model}m.compile()\nm.{run.format(data)}\n"
    (layer,) = read("a.py", text.encode(), names).layers
    assert {value for call in layer.calls for value in values(call.context("run_stops"))} == kinds


OLD_LAYER = "from tf_keras.layers import LSTM\nimport keras, tf_keras\n"
ASKED = "import sys\nif len(sys.argv) > 1:\n    {}\nelse:\n    {}\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (OLD_LAYER + "keras.Sequential([LSTM(4)])", ["tf_keras.layers.LSTM in keras.Sequential"]),
        (OLD_LAYER + "m = keras.Sequential()\nm.add(LSTM(4))", ["tf_keras.layers.LSTM in keras.Sequential"]),
        (OLD_LAYER + "keras.Sequential([tf_keras.Sequential([LSTM(4)])])", ["tf_keras.Sequential in keras.Sequential"]),
        (OLD_LAYER + "tf_keras.Sequential([LSTM(4), keras.layers.Dense(1)])",
         ["keras.layers.Dense in tf_keras.Sequential"]),
        (OLD_LAYER + "tf_keras.Sequential([LSTM(4), tf_keras.layers.Dense(1)])", []),
        (OLD_LAYER + "LSTM(4)(keras.Input((3, 4)))", ["tf_keras.layers.LSTM on a tensor of keras.Input"]),
        (OLD_LAYER + "d = tf_keras.layers.Dense(4)(keras.Input((3, 4)))\nLSTM(4)(tf_keras.layers.ReLU()(d))",
         ["tf_keras.layers.Dense on a tensor of keras.Input"]),
        (OLD_LAYER + "s = keras.layers.GRU(4, return_sequences=True, return_state=True)(keras.Input((3, 4)))\n"
         "LSTM(4)(s[0])", ["tf_keras.layers.LSTM on a tensor of keras.layers.GRU"]),
        (OLD_LAYER + "x = tf_keras.Input((3, 4))\nkeras.Model(x, LSTM(4)(x))", ["tf_keras.Input in keras.Model"]),
        (OLD_LAYER + "x = tf_keras.Input((3, 4))\ntf_keras.Model(x, LSTM(4)(x))", []),
        (OLD_LAYER + "keras.layers.Bidirectional(LSTM(4))", ["tf_keras.layers.LSTM in keras.layers.Bidirectional"]),
        (OLD_LAYER + "import numpy\nLSTM(4)(keras.layers.Dense(4)(numpy.ones((2, 3, 4))))", []),
        (OLD_LAYER + "class Mine(keras.layers.Layer):\n    def call(self, x):\n        return LSTM(4)(x)\n"
         "Mine()(keras.Input((3, 4)))", []),
        (OLD_LAYER + ASKED.format("m = keras.Sequential()", "m = tf_keras.Sequential()") + "m.add(LSTM(4))",
         ["tf_keras.layers.LSTM in keras.Sequential"]),
        (ASKED.format("import keras as k", "import tf_keras as k") + "k.Sequential([k.layers.LSTM(4)])", []),
        ("import os\nos.environ['TF_USE_LEGACY_KERAS'] = '1'\nfrom tensorflow import keras\n"
         "from tf_keras.layers import LSTM\nkeras.Sequential([LSTM(4)])", []),
        ("import os\nos.environ['TF_USE_LEGACY_KERAS'] = '0'\nfrom tensorflow import keras\n"
         "from tf_keras.layers import LSTM\nkeras.Sequential([LSTM(4)])",
         ["tf_keras.layers.LSTM in tensorflow.keras.Sequential"]),
        ("import os, sys\nos.environ['TF_USE_LEGACY_KERAS'] = sys.argv[1]\nfrom tensorflow import keras\n"
         "from tf_keras.layers import LSTM\nkeras.Sequential([LSTM(4)])", []),
        ("import tf_keras\nfrom tf_keras.layers import LSTM\nm = tf_keras.Sequential([LSTM(4)])\n"
         "tf_keras.Sequential.from_config(m.get_config())", []),
        ("import tf_keras\nfrom tf_keras.layers import LSTM\nm = tf_keras.Sequential([LSTM(4)])\n"
         "tf_keras.models.model_from_json(m.to_json())", []),
        ("import tensorflow as tf\nfrom tensorflow.python.keras.layers import LSTM\ntf.keras.Sequential([LSTM(4)])",
         ["tensorflow.python.keras.layers.LSTM in tensorflow.keras.Sequential"]),
    ],
)  # fmt: skip
def test_packages_of_keras_that_meet(text: str, lines: list[str], names: Names) -> None:
    found = read("a.py", f"{text}\n".encode(), names).layers
    of_lstm = [layer for layer in found if layer.variants[0].class_name == "LSTM"]
    met = {value for layer in of_lstm for call in layer.calls for value in values(call.context("packages_met"))}
    assert [line for value in met if value for line in value.split("\n")] == lines


IN_MODEL = "import keras, sys\nfrom keras import layers\nm = keras.Sequential()\n"
OLD_DENSE = "m.add(layers.Dense(output_dim=8))\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (IN_MODEL + OLD_DENSE + "m.add(layers.LSTM(4))", ["Dense(output_dim=8)"]),
        (IN_MODEL + "m.add(layers.LSTM(4))\n" + OLD_DENSE, ["Dense(output_dim=8)"]),
        (IN_MODEL + "m.add(layers.Dense(8, init=sys.argv[1]))\nm.add(layers.LSTM(4))", ["Dense(init=...)"]),
        (IN_MODEL + "m.add(layers.Dense(8, activation='Relu', kernel_initializer='he_normal'))\nm.add(layers.LSTM(4))",
         ["Dense(activation='Relu')"]),
        (IN_MODEL + "m.add(layers.Dense(8, activation='relu'))\nm.add(layers.LSTM(4))", []),
        (IN_MODEL + "if len(sys.argv) > 1:\n    " + OLD_DENSE + "m.add(layers.LSTM(4))", []),
        (IN_MODEL + "try:\n    " + OLD_DENSE + "except TypeError:\n    m.add(layers.Dense(8))\nm.add(layers.LSTM(4))",
         []),
        (IN_MODEL + "kw = {}\nif len(sys.argv) > 1:\n    kw['init'] = 'uniform'\nm.add(layers.Dense(8, **kw))\n"
         "m.add(layers.LSTM(4))", []),
        (IN_MODEL + "class Dense(layers.Dense):\n    def __init__(self, output_dim, **kw):\n"
         "        super().__init__(output_dim, **kw)\nm.add(Dense(output_dim=8))\nm.add(layers.LSTM(4))", []),
        (IN_MODEL.replace("keras, sys", "keras, tf_keras, sys") + "tf_keras.Sequential([tf_keras.layers.Dense("
         "output_dim=8), tf_keras.layers.LSTM(4)])", []),
        (IN_MODEL + "x = layers.Embedding(9, 4, dropout=0.2)(keras.Input((3,)))\nlayers.LSTM(4)(layers.ReLU()(x))",
         ["Embedding(dropout=0.2)"]),
        (IN_MODEL + "x = keras.Input((3, 4))\ny = layers.LSTM(4)(x)\nkeras.Model(x, layers.Dense(output_dim=1)(y))",
         ["Dense(output_dim=1)"]),
        (IN_MODEL + "m.add(keras.Sequential([layers.LSTM(4)]))\n" + OLD_DENSE, ["Dense(output_dim=8)"]),
    ],
)  # fmt: skip
def test_layers_beside_one_that_a_release_refuses(text: str, lines: list[str], names: Names) -> None:
    found = read("a.py", f"{text}\n".encode(), names).layers
    told = {value for layer in found for call in layer.calls for value in values(call.context("refused_beside"))}
    assert [line for value in told if value for line in value.split("\n")] == lines


@pytest.mark.parametrize(
    ("text", "certain"),
    [
        ("every = [OLD]\nfor n in range(int(sys.argv[1])):\n    every.append(NEW)\n", True),
        ("every = [layers.ReLU()]\nfor n in range(int(sys.argv[1])):\n    every += [NEW, OLD]\n", False),
    ],
)
def test_a_refused_layer_stops_those_of_a_loop_whose_length_is_not_known(
    text: str, certain: bool, names: Names
) -> None:
    text = text.replace("OLD", "layers.Embedding(9, 4, batch_input_shape=[2, None])")
    text = text.replace("NEW", "layers.LSTM(4, return_sequences=True)")
    source = f"import sys\nimport keras\nfrom keras import layers\n{text}m = keras.Sequential(every)\n"
    found = read("a.py", source.encode(), names).layers
    told = [call.context("refused_beside") for layer in found for call in layer.calls]
    assert told
    assert all(isinstance(one, Known) for one in told) is certain


@pytest.mark.parametrize("then", ["m(keras.Input((5,)))", "m.fit(pad_sequences([[1, 2], [3]], maxlen=5), [0, 1])"])
def test_what_stops_a_model_while_it_is_built_stops_it_where_it_is_run(then: str, names: Names) -> None:
    text = (
        "import keras\nfrom keras import layers\nfrom keras.preprocessing.sequence import pad_sequences\n"
        "x = keras.Input((5,))\ny = layers.LSTM(3)(layers.Dense(4)([layers.Embedding(9, 4)(x)]))\n"
        f"m = keras.Model(x, y)\n{then}\n"
    )
    (layer,) = read("a.py", text.encode(), names).layers
    told = [call.context("stops_before") for call in layer.calls]
    assert told == [Known("a list of one tensor given to Dense")] * len(told)
    assert told


def test_a_meeting_that_a_branch_decides_is_not_certain(names: Names) -> None:
    branch = ASKED.format("m.add(LSTM(4))", "m.add(keras.layers.LSTM(5))")
    found = read("a.py", (OLD_LAYER + "m = keras.Sequential()\n" + branch).encode(), names).layers
    facts = [call.context("packages_met") for layer in found for call in layer.calls]
    assert facts
    assert all(isinstance(fact, OneOf) for fact in facts)


def test_a_mask_that_stops_some_releases_is_told_for_those(names: Names) -> None:
    text = "e = layers.Masking()(a)\nlayers.LSTM(4)(layers.Concatenate()([e, e]))\n"
    (layer,) = read("a.py", (HEAD + IN_GRAPH + text).encode(), names).layers
    stopped = [call for call in layer.calls if call.context("stops_before") == Known("a mask that reaches Concatenate")]
    assert stopped
    assert all(era.major == 3 for call in stopped for era in call.when)
    assert len(stopped) < len(layer.calls)


@pytest.mark.parametrize(
    ("text", "locked"),
    [
        ("class Own(layers.LSTM): pass\none = Own(4)\none.units = 3\none(a)\n", "units"),
        ("class Own(layers.LSTM):\n    units = 5\none = Own(4)\none.units = 3\none(a)\n", None),
        ("class Own(layers.LSTM):\n    def __setattr__(self, *_): 0\none = Own(4)\none.units = 3\none(a)\n", None),
        ("one = layers.LSTM(4)\none.units = 3\nlayers.Bidirectional(one)(a)\n", "units"),
        ("one = layers.LSTM(4)\none.activation = tf.nn.relu\none(a)\n", "activation"),
        ("one = layers.LSTM(4)\none.implementation = 1\none(a)\n", "implementation"),
        ("one = layers.LSTM(4)\none.unroll = True\none(a)\n", None),
    ],
)  # fmt: skip
def test_settings_that_no_finished_layer_takes(text: str, locked: str | None, names: Names) -> None:
    every = read("a.py", (HEAD + IN_GRAPH + text).encode(), names).layers
    assert {name for layer in every for one in layer.variants for name in values(one.locked)} == ({locked} - {None})


def test_what_is_set_on_the_cell_too_is_perhaps_the_very_value_that_the_layer_shows(names: Names) -> None:
    text = "one = layers.LSTM(4)\none.cell.dropout = 0.2\none.dropout = 0.2\none(a)\n"
    (layer,) = read("a.py", (HEAD + IN_GRAPH + text).encode(), names).layers
    assert not any(isinstance(made.locked, Known) for made in layer.variants)


ANEW = "a layer that each call makes anew"
IN_CALL = (
    "import keras\nfrom keras import layers\nclass Own(keras.Model):\n    def call(self, x):\n        {}\n"
    "m = Own()\nm.compile('sgd', 'mse'{})\nm.fit(x, x)\n"
)


@pytest.mark.parametrize(
    ("lines", "compiled", "stops"),
    [
        ("return layers.LSTM(4)(x)", "", True),
        ("return layers.Bidirectional(layers.LSTM(4))(x)", "", True),
        ("return keras.Sequential([layers.LSTM(4)])(x)", "", True),
        ("return layers.Lambda(lambda y: layers.LSTM(4)(y))(x)", "", True),
        ("return layers.LSTM(4)(x)", ", run_eagerly=True", False),
        ("if self.rnn is None: self.rnn = layers.LSTM(4)\n        return self.rnn(x)\n    rnn = None", "", False),
    ],
)  # fmt: skip
def test_a_layer_that_each_call_makes_anew_stops_a_tf_function(
    lines: str, compiled: str, stops: bool, names: Names
) -> None:
    text = HEAD + IN_CALL.format(lines, compiled)
    every = read("a.py", text.encode(), names).layers
    told = [call.context("stops_before") for layer in every for call in layer.calls]
    assert told
    assert all((ANEW in str(one)) is stops for one in told)


def test_what_follows_a_layer_that_each_call_makes_anew_stops_too(names: Names) -> None:
    own = "class Own(layers.Layer):\n    def call(self, x): return layers.LSTM(4, return_sequences=True)(x)\n"
    text = HEAD + IN_GRAPH + "import keras\n" + own + "m = keras.Model(a, layers.GRU(3)(Own()(a)))\nm.predict(x)\n"
    every = read("a.py", text.encode(), names).layers
    assert [call.context("stops_before") for layer in every for call in layer.calls] == [Known(ANEW)] * 2


def test_a_layer_is_perhaps_not_made_anew_where_the_program_keeps_layers_elsewhere(names: Names) -> None:
    text = HEAD + "cache = {}\n" + IN_CALL.format("return layers.LSTM(4)(x)", "")
    (layer,) = read("a.py", text.encode(), names).layers
    assert all(isinstance(call.context("stops_before"), OneOf) for call in layer.calls)
