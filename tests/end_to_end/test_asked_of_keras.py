"""Small programs whose verdicts are what keras 3.15.1 and tf_keras 2.21.0 did when they were run."""

from __future__ import annotations

from pathlib import Path

import pytest
from newest_releases import NEWEST, NEWEST_TF_KERAS

from cudnnlint import check_many

KERAS_3 = f"keras@{NEWEST}:tensorflow"
TF_KERAS = f"tf_keras@{NEWEST_TF_KERAS}"
IMPORTS = {
    KERAS_3: "import keras\nimport tensorflow as tf\nfrom keras import layers\n",
    TF_KERAS: "import tf_keras as keras\nimport tensorflow as tf\nfrom tf_keras import layers\n",
}


def verdicts(tmp_path: Path, text: str, target: str) -> list[str]:
    """The verdict of each layer, in their order: what the calls and variants of one come to, joined."""
    path = tmp_path / "program.py"
    path.write_text(IMPORTS.get(target, "") + text, encoding="utf-8")
    (report,) = check_many([path], target=target)
    return [" ".join(sorted({one.verdict.value for one in layer.judgements})) for layer in report.files[0].layers]


def test_a_star_import_of_models_brings_no_layer(tmp_path: Path) -> None:
    program = "from keras.layers import *\nfrom keras.models import *\nfrom keras import *\nSequential([LSTM(3)])\n"
    assert verdicts(tmp_path, program, KERAS_3) == ["cudnn"]


def test_a_star_import_of_keras_brings_its_modules(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text("from keras import *\nmodels.Sequential([Input((5, 3)), layers.LSTM(4)])\n", encoding="utf-8")
    (report,) = check_many([path], target=KERAS_3)
    assert [one.verdict.value for layer in report.files[0].layers for one in layer.judgements] == ["cudnn"]


#: What is before two layers, and what becomes of these: the name of a class that the release lacks ends the program.
ENDING = {
    "from keras.layers import CuDNNGRU": "raises raises",
    "import random\nif random.random() > 0.5:\n    from keras.layers import CuDNNGRU": "unknown unknown",
    "def never():\n    from keras.layers import CuDNNGRU": "cudnn cudnn",
    "def later():\n    from keras.layers import CuDNNGRU\n    return layers.LSTM(1)": "raises cudnn cudnn",
    "try:\n    from keras.layers import CuDNNLSTM\nexcept ImportError:\n    CuDNNLSTM = None": "cudnn cudnn",
    "try:\n    from keras.layers import CuDNNLSTM\nexcept (OSError, ModuleNotFoundError):\n    pass": "raises raises",
    "try:\n    from keras.layers import CuDNNLSTM\nexcept ModuleNotFoundError:\n    pass": "raises raises",
    "try:\n    from keras.layers.gone import CuDNNLSTM\nexcept ModuleNotFoundError:\n    pass": "cudnn cudnn",
    "try:\n    layers.CuDNNLSTM\nexcept AttributeError:\n    pass": "cudnn cudnn",
    "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from keras.layers import CuDNNGRU": "cudnn cudnn",
    "if False:\n    from keras.layers import CuDNNGRU": "cudnn cudnn",
    "layers.LSTM(2)\nfrom keras.layers.recurrent import GRU": "cudnn raises raises",
    "from keras import LSTM as Absent": "raises raises",
    "from keras.engine.topology import Layer": "raises raises",
    "layers.LSTM(2)\nclass Own(layers.NOPE):\n    pass": "cudnn raises raises",
    "class Own(keras.engine.base_layer.Layer):\n    pass": "raises raises",
    "class Own(layers.ThresholdedReLU):\n    pass": "raises raises",
    "class Own(layers.Layer, abc.ABC):\n    pass": "cudnn cudnn",
    "def never():\n    class Own(layers.NOPE):\n        pass": "cudnn cudnn",
    "try:\n    class Own(layers.NOPE):\n        pass\nexcept AttributeError:\n    pass": "cudnn cudnn",
    "layers.NOPE = object\nclass Own(layers.NOPE):\n    pass": "cudnn cudnn",
}


@pytest.mark.parametrize("before", ENDING)
def test_an_import_that_fails_ends_the_program(tmp_path: Path, before: str) -> None:
    program = f"{before}\nlayers.LSTM(3)\n(lambda: layers.GRU(4))()\n"
    assert " ".join(verdicts(tmp_path, program, KERAS_3)) == ENDING[before]


def test_an_import_that_fails_in_another_file_ends_it_for_every_function_that_uses_the_file(tmp_path: Path) -> None:
    helper = "from keras.layers import LSTM\nfrom keras.layers import CuDNNGRU\ndef f(x):\n    return LSTM(4)(x)\n"
    (tmp_path / "helper.py").write_text(helper, encoding="utf-8")
    uses = "def {}(x):\n    y = f(x)\n    return LSTM(2)(y)\n"
    program = "from keras.layers import LSTM\nfrom helper import f\n" + uses.format("one") + uses.format("two")
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    (report,) = check_many([tmp_path], target=KERAS_3)
    found = {one.verdict.value for file in report.files for layer in file.layers for one in layer.judgements}
    assert found == {"raises"}


#: The `try` that takes what a failed import raises decides what comes after it.
TAKEN = {
    "try:\n    kind = layers.CuDNNLSTM\nexcept ImportError:\n    kind = layers.LSTM\nkind(3)\n": ["raises"],
    """
try:
    try:
        from keras.layers import CuDNNLSTM as Kind
    except ModuleNotFoundError:
        from keras.layers import SimpleRNN as Kind
except ImportError:
    from keras.layers import GRU as Kind
Kind(3)
""": ["cudnn"],
}


@pytest.mark.parametrize("program", TAKEN)
def test_a_failed_import_goes_to_the_try_that_takes_it(tmp_path: Path, program: str) -> None:
    assert verdicts(tmp_path, program, KERAS_3) == TAKEN[program]


def test_an_import_that_succeeds_ends_nothing(tmp_path: Path) -> None:
    program = "from tensorflow.compat.v1.keras.layers import CuDNNGRU\nlayers.LSTM(3)\n"
    assert verdicts(tmp_path, program, TF_KERAS) == ["cudnn"]


MODEL = """
class Net:
    def __init__(self):
        self.model = keras.Sequential()
    def one(self):
        self.model.add(layers.LSTM(8, input_shape=(5, 3)))
        self.model.add(layers.Dense(2)){run}
    def two(self):
        self.model.add(layers.Masking(input_shape=(5, 3)))
        self.model.add(layers.LSTM(4))
        self.model.add(layers.Dense(2)){run}
"""
RUN = "\n        self.model.fit(1, 2)"


@pytest.mark.parametrize("called", ["", "Net().one()\n", "Net().two()\n"])
@pytest.mark.parametrize("run", ["", RUN])
def test_methods_that_nothing_calls_are_alternatives(tmp_path: Path, run: str, called: str) -> None:
    assert verdicts(tmp_path, MODEL.format(run=run) + called, KERAS_3) == ["cudnn", "depends"]


def test_methods_that_are_called_run_one_after_the_other(tmp_path: Path) -> None:
    called = "net = Net()\nnet.one()\nnet.two()\n"
    assert verdicts(tmp_path, MODEL.format(run="") + called, KERAS_3) == ["cudnn", "raises"]


#: What a program does before a layer: CUDA_VISIBLE_DEVICES counts until TensorFlow has looked for its GPUs.
VISIBLE = {
    "layers.LSTM(1)\nos.environ['CUDA_VISIBLE_DEVICES'] = '-1'": "cudnn cudnn",
    "tf.config.list_logical_devices('GPU')\nos.environ['CUDA_VISIBLE_DEVICES'] = '-1'": "cudnn",
    "tf.constant(1)\nos.environ['CUDA_VISIBLE_DEVICES'] = '-1'": "cudnn",
    "os.environ['CUDA_VISIBLE_DEVICES'] = '-1'\nlayers.LSTM(1)\nos.environ['CUDA_VISIBLE_DEVICES'] = '0'": (
        "fallback fallback"
    ),
    "import random\nif random.random() > 0.5:\n    tf.zeros(1)\nos.environ['CUDA_VISIBLE_DEVICES'] = '-1'": "unknown",
    "tf.random.set_seed(1)\nos.environ['CUDA_VISIBLE_DEVICES'] = '-1'": "fallback",
}


@pytest.mark.parametrize("before", VISIBLE)
def test_gpus_are_hidden_before_tensorflow_looks_for_them(tmp_path: Path, before: str) -> None:
    assert " ".join(verdicts(tmp_path, f"import os\n{before}\nlayers.LSTM(3)\n", KERAS_3)) == VISIBLE[before]


#: What a program does with a layer of tf_keras, by which it chooses cuDNN itself.
CHOSEN = {
    "layer._could_use_gpu_kernel = False": "fallback",
    "layer._could_use_gpu_kernel = True": "cudnn",
    "import random\nif random.random() > 0.5:\n    layer._could_use_gpu_kernel = False": "unknown",
    "setattr(layer, '_could_use_gpu_kernel', False)": "fallback",
}


@pytest.mark.parametrize("then", CHOSEN)
def test_a_program_may_choose_for_keras_2(tmp_path: Path, then: str) -> None:
    program = f"layer = layers.GRU(3)\n{then}\nkeras.Sequential([keras.Input((5, 2)), layer])\n"
    assert verdicts(tmp_path, program, TF_KERAS) == [CHOSEN[then]]
    assert verdicts(tmp_path, program, KERAS_3) == ["cudnn"]


#: The class of a layer, and what becomes of the layer that its call makes: in Keras 3, in tf_keras, and in `fit` there.
IN_CALL = {
    "def call(self, x):\n  if not hasattr(self, 'rnn'):\n   self.rnn = layers.LSTM(3)\n  return self.rnn(x)": (
        "raises cudnn cudnn"
    ),
    "rnn = None\n def call(self, x):\n  self.rnn = layers.LSTM(3)\n  return self.rnn(x)": "raises cudnn raises",
    "def __init__(self):\n  super().__init__()\n  self.dense = layers.Dense(2)\n"
    " def build(self, shape):\n  self.dense.build(shape)\n"
    " def call(self, x):\n  self.rnn = layers.LSTM(3)\n  return self.rnn(self.dense(x))": "raises cudnn raises",
    "def __init__(self):\n  super().__init__()\n  self.dense = layers.Dense(2)\n"
    " def call(self, x):\n  self.rnn = layers.LSTM(3)\n  return self.rnn(self.dense(x))": "cudnn cudnn raises",
    "def build(self, shape):\n  self.rnn = layers.LSTM(3)\n def call(self, x):\n  return self.rnn(x)": (
        "cudnn cudnn cudnn"
    ),
}
FIT = "m.compile('sgd', 'mse')\nm.fit(np.zeros((4, 5, 2)), np.zeros((4, 3)))\n"


@pytest.mark.parametrize("body", IN_CALL)
def test_a_layer_that_call_makes(tmp_path: Path, body: str) -> None:
    program = f"import numpy as np\nclass Own(layers.Layer):\n {body}\ni = keras.Input((5, 2))\n"
    program += "m = keras.Model(i, Own()(i))\n"
    asked = [(program, KERAS_3), (program, TF_KERAS), (program + FIT, TF_KERAS)]
    assert [verdicts(tmp_path, text, target)[-1] for text, target in asked] == IN_CALL[body].split()


#: Expressions that make a layer, and what becomes of it: no layer is in `keras` itself.
OUTSIDE_LAYERS = {
    "keras.LSTM(3)": "raises",
    "tf.keras.RNN(layers.LSTMCell(4), True)": "raises",
    "tf.keras.layers.RNN(tf.keras.LSTMCell(4))": "raises",
    "keras.models.GRU(3)": "raises",
    "tf.keras.layers.LSTM(3)": "cudnn",
    "getattr(keras if hasattr(keras, 'LSTM') else layers, 'LSTM')(3)": "cudnn",
}


@pytest.mark.parametrize("target", IMPORTS)
@pytest.mark.parametrize("made", OUTSIDE_LAYERS)
def test_a_layer_is_in_keras_layers_only(tmp_path: Path, made: str, target: str) -> None:
    assert verdicts(tmp_path, f"{made}\n", target) == [OUTSIDE_LAYERS[made]]


#: What a Sequential of tf_keras that is given integers begins with, and what becomes of the LSTM behind it.
AT_INTEGERS = {"layers.Conv1D(3, 2)": "raises", "layers.Dense(3)": "cudnn"}


@pytest.mark.parametrize("first", AT_INTEGERS)
def test_a_sequential_that_begins_with_a_convolution_stops_at_integers_in_tf_keras(tmp_path: Path, first: str) -> None:
    program = (
        f"import numpy as np\nnet = keras.Sequential([{first}, layers.LSTM(2)])\nnet.compile('sgd', 'mse')\n"
        "net.fit(np.arange(30).reshape(2, 5, 3), np.zeros((2, 2)))\n"
    )
    assert verdicts(tmp_path, program, TF_KERAS) == [AT_INTEGERS[first]]
    assert verdicts(tmp_path, program, KERAS_3) == ["cudnn"]


#: What a model has before, and how its call puts a new layer there: Keras 3 stops, but where it does not look. In fit()
#: both stop at what each call makes anew; here it is called eagerly.
PUT_IN_CALL = {
    ("{}", "self.kept['r'] = layers.LSTM(3)\n        return self.kept['r'](x)"): "raises cudnn",
    ("{}", "if not self.kept:\n            self.kept[0] = layers.LSTM(3)\n        return self.kept[0](x)"):
        "raises cudnn",
    ("{'b': []}", "self.kept['b'].append(layers.LSTM(3))\n        return self.kept['b'][-1](x)"): "raises cudnn",
    ("()", "self.kept = (layers.LSTM(3),)\n        return self.kept[0](x)"): "raises cudnn",
    ("1", "self.kept = {'r': layers.LSTM(3)}\n        return self.kept['r'](x)"): "raises cudnn",
    ("{}", "return self.kept.setdefault('r', layers.LSTM(3))(x)"): "cudnn cudnn",
    ("[None]", "self.kept[0] = layers.LSTM(3)\n        return self.kept[0](x)"): "cudnn cudnn",
}  # fmt: skip


@pytest.mark.parametrize(("before", "put"), PUT_IN_CALL)
def test_a_layer_that_call_puts_into_a_list_or_dict_stops_keras_3(tmp_path: Path, before: str, put: str) -> None:
    program = (
        "class Net(keras.Model):\n    def __init__(self):\n        super().__init__()\n"
        f"        self.kept = {before}\n    def call(self, x):\n        {put}\nNet()(tf.zeros((2, 5, 3)))\n"
    )
    found = [verdicts(tmp_path, program, target) for target in (KERAS_3, TF_KERAS)]
    assert found == [[one] for one in PUT_IN_CALL[before, put].split()]


#: A constructor that raises, and the codes that are reported: none where the program takes the error (Keras was run).
REFUSED = {
    "try:\n    layer = layers.LSTM(0)\nexcept ValueError:\n    layer = layers.LSTM(4)": [],
    "try:\n    layer = layers.LSTM(0)\nexcept TypeError:\n    layer = layers.LSTM(4)": ["CDN208"],
    "try:\n    layers.LSTM(4, no_such=3)\nexcept Exception:\n    pass": [],
    "try:\n    layers.LSTM(4, no_such=3)\nexcept TypeError:\n    pass": ["CDN208"],
    "try:\n    layers.LSTM('four')\nexcept (TypeError, ValueError):\n    pass": [],
    "import contextlib\nwith contextlib.suppress(ValueError):\n    layers.LSTM(-1)": [],
    "import contextlib\nwith contextlib.suppress(KeyError):\n    layers.LSTM(-1)": ["CDN208"],
    "import pytest\nwith pytest.raises(ValueError):\n    layers.LSTM(-1)": [],
    "import tracking_of_runs\nwith tracking_of_runs.start():\n    layers.LSTM(-1)": ["CDN208"],
    "try:\n    pass\nfinally:\n    layers.LSTM(-1)": ["CDN208"],
}


@pytest.mark.parametrize("text", REFUSED)
def test_an_error_that_the_program_takes_is_not_reported(tmp_path: Path, text: str) -> None:
    path = tmp_path / "program.py"
    path.write_text(IMPORTS[KERAS_3] + text, encoding="utf-8")
    (report,) = check_many([path], target=KERAS_3)
    assert [one.code for one in report.diagnostics] == REFUSED[text]
    assert report.files[0].layers[0].judgements[0].verdict.value == "raises"


#: Where tanh of a layer comes from: tf.keras is a Keras of its own for tf_keras, unless a variable makes it that one.
TANH = {"tf.keras.activations.tanh": "unknown", "keras.activations.tanh": "cudnn", "tf.tanh": "cudnn"}


@pytest.mark.parametrize("tanh", TANH)
def test_a_layer_of_tf_keras_takes_no_function_of_another_keras(tmp_path: Path, tanh: str) -> None:
    assert verdicts(tmp_path, f"layers.LSTM(4, activation={tanh})\n", TF_KERAS) == [TANH[tanh]]
    assert verdicts(tmp_path, f"layers.LSTM(4, activation={tanh})\n", KERAS_3) == ["cudnn"]


#: Layers that loop, the last dimension of a mask of three, and what becomes of them in both Kerases.
DEEP = {
    ("SimpleRNN(4)", 3): "raises",
    ("SimpleRNN(4)", 1): "fallback",
    ("SimpleRNN(4)", 4): "unknown",
    ("SimpleRNN(4)", None): "unknown",
    ("GRU(4, reset_after=False)", 3): "raises",
    ("RNN(layers.LSTMCell(4))", 3): "raises",
    ("LSTM(4, unroll=True)", 1): "fallback",
}


@pytest.mark.parametrize(("layer", "last"), DEEP)
@pytest.mark.parametrize("target", IMPORTS)
def test_a_mask_of_three_dimensions_fits_a_loop_or_stops_it(
    tmp_path: Path, target: str, layer: str, last: int | None
) -> None:
    program = f"mask = keras.Input((5, {last}), dtype='bool')\nlayers.{layer}(keras.Input((5, 3)), mask=mask)\n"
    assert verdicts(tmp_path, program, target) == [DEEP[layer, last]]


OWN = """
@keras.utils.register_keras_serializable("own")
class Own(layers.LSTM):
    def {}:
        {}
{}
keras.Sequential([keras.Input((5, 3)), layers.Bidirectional(one)])
"""
#: What is set on the layer in a Bidirectional, and what becomes of its copies in Keras 3 and in Keras 2.
SET = {
    OWN.format("build(self, shape)", "super().build(shape); self.use_cudnn = False", "one = Own(4)"): "fallback cudnn",
    OWN.format(
        "build(self, shape)", "super().build(shape); self._could_use_gpu_kernel = False", "one = Own(4)"
    ): "cudnn fallback",
    OWN.format("build(self, shape)", "super().build(shape); self.unroll = True", "one = Own(4)"): "fallback cudnn",
    OWN.format(
        "__init__(self, units, **kw)", "super().__init__(units, **kw); self.use_cudnn = False", "one = Own(4)"
    ): "fallback cudnn",
    OWN.format(
        "__init__(self, *a, **kw)", "super().__init__(*a, **kw); self._could_use_gpu_kernel = False", "one = Own(4)"
    ): "cudnn fallback",
    OWN.format("__init__(self, units, **kw)", "super().__init__(units, **kw); self.unroll = True", "one = Own(4)"):
        "fallback fallback",
    OWN.format("more(self)", "pass", "one = Own(4); one.use_cudnn = False"): "fallback cudnn",
    OWN.format("more(self)", "pass", "one = Own(4); one._could_use_gpu_kernel = False"): "cudnn cudnn",
}  # fmt: skip


@pytest.mark.parametrize("program", SET)
def test_what_a_class_sets_on_itself_it_sets_on_the_copies_of_a_wrapper(tmp_path: Path, program: str) -> None:
    found = [verdicts(tmp_path, program, target) for target in (KERAS_3, TF_KERAS)]
    assert [set(one) for one in found] == [{one} for one in SET[program].split()]


MANY = "layers.GRU(4, return_sequences=True, name='a')"
#: Models with layers that have a name, and what becomes of their recurrent layers: of the last one at least.
NAMED = {
    "keras.Sequential([keras.Input((5, 3)), layers.Dense(4, name='a'), layers.GRU(4, name='a')])": "raises",
    "m = keras.Sequential()\nm.add(layers.Dense(4, name='a'))\nm.add(layers.GRU(4, name='a'))": "raises",
    "i = keras.Input((5, 3))\nkeras.Model(i, layers.GRU(4, name='a')(layers.Dense(4, name='a')(i)))": "raises",
    "i = keras.Input((5, 3))\nlayers.Dense(4, name='a')(i)\nkeras.Model(i, layers.GRU(4, name='a')(i))": "cudnn",
    "i = keras.Input((5, 3))\nm = keras.Model(i, layers.Dense(4, name='a')(i))\nj = keras.Input((5, 3))\n"
    "keras.Model(j, layers.GRU(4, name='a')(m(j)))": "cudnn",
    "for n in (1, 2):\n    keras.Sequential([keras.Input((5, 3)), layers.GRU(n, name='a')])": "cudnn",
    f"g = {MANY}\nkeras.Sequential([keras.Input((5, 3)), g, g])": "cudnn",
    f"g = {MANY}\nm = keras.Sequential([keras.Input((5, 3))])\nm.add(g)\nm.add(g)": "cudnn",
    f"m = keras.Sequential([keras.Input((5, 3))])\nfor _ in range(2):\n    m.add({MANY})": "raises",
    f"import sys\nm = keras.Sequential([keras.Input((5, 3))])\nfor _ in sys.argv:\n    m.add({MANY})": "cudnn",
    f"keras.Sequential([keras.Input((5, 3))] + [{MANY} for _ in range(2)])": "raises",
    f"x = i = keras.Input((5, 3))\nfor _ in range(2):\n    x = {MANY}(x)\nkeras.Model(i, x)": "raises",
    f"g = {MANY}\ni = keras.Input((5, 3))\nkeras.Model(i, g(g(i)))": "cudnn",
    "i = keras.Input((5, 3))\nm = keras.Model(i, layers.Dense(4, name='a')(i))\nj = keras.Input((5, 3))\n"
    "keras.Model(j, layers.GRU(4, name='a')(layers.Dense(4, name='a')(j)))": "raises",
    "i = keras.Input((5, 3), name='a')\nkeras.Model(i, layers.GRU(4, name='a')(i))": "raises",
    "i, j = (keras.Input((5, 3), name='a') for _ in range(2))\nkeras.Model([i, j], layers.GRU(4)(i + j))": "raises",
    f"def made():\n    i = keras.Input((5, 3), name='i')\n    return keras.Model(i, {MANY}(i), name='m')\n"
    "i = keras.Input((5, 3), name='i')\nkeras.Model(i, made()(made()(i)))": "raises",
    f"def made():\n    i = keras.Input((5, 3), name='i')\n    return keras.Model(i, {MANY}(i))\n"
    "i = keras.Input((5, 3), name='i')\nkeras.Model(i, made()(made()(i)))": "cudnn",
    f"class Own(layers.Layer):\n    def __init__(self):\n        super().__init__()\n        self.g = {MANY}\n"
    "    def call(self, x):\n        return self.g(x)\n"
    "i = keras.Input((5, 3))\nkeras.Model(i, Own()(Own()(i)))": "cudnn",
    f"i = keras.Input((5, 3))\nh = {MANY}(i)\nb = keras.Model(i, layers.Dense(2, name='d')(h))\n"
    "keras.Model(b.input, layers.Dense(1, name='d')(b.layers[1].output))": "cudnn",
    "i = keras.Input((5, 3))\nkeras.Model(i, layers.GRU(4)(layers.GRU(4, return_sequences=True, name='gru')(i)))":
    "raises",  # the name that Keras makes
    "def made():\n    return layers.GRU(4, return_sequences=True)\n"
    "class Part:\n    def __radd__(self, other):\n        return other + [made()]\n"
    "keras.Sequential([keras.Input((5, 3))] + sum([Part(), Part()], []))": "cudnn",  # gru, gru_1
    "layers.GRU(4)\ni = keras.Input((5, 3))\n"
    "keras.Model(i, layers.GRU(4)(layers.GRU(4, return_sequences=True, name='gru')(i)))": "cudnn",  # gru_1
}


@pytest.mark.parametrize("program", NAMED)
def test_a_model_takes_no_two_layers_of_one_name(tmp_path: Path, program: str) -> None:
    for target in (KERAS_3, TF_KERAS):
        assert set(verdicts(tmp_path, f"{program}\n", target)) == {NAMED[program]}


OWN = "class Own(layers.{0}):\n    {1}\nOwn(4)(keras.Input((5, 3)))\n"
PROPERTY = "@property\n    def {}(self):\n        return {}"
SETTER = "\n    @unroll.setter\n    def unroll(self, value):\n        pass"
IN_TURN = "a = layers.LSTM(4)\nm = keras.Sequential([keras.Input((5, 3)), a])\n{}\nm.predict(x)\n"
BUILT = "a = layers.LSTM(4{})\na.build((None, 5, 3))\n{}\na(keras.Input((5, 3), batch_size=2))\n"
ANEW = "a.cell = layers.LSTMCell(4)"
OF_BUILT = "c = layers.LSTMCell(4)\nc.build((None, 3))\na.cell = c"
#: What a program, or the class of a layer, changes of a layer, and what becomes of it in Keras 3 and in tf_keras.
CHANGED = {
    OWN.format("LSTM", "dropout = 0.3"): ("raises", "cudnn"),
    OWN.format("GRU", "dropout = 0.0"): ("cudnn", "cudnn"),
    OWN.format("LSTM", "dropout = 0.3").replace("Own(4)", "Own(4, dropout=0.2)"): ("cudnn", "cudnn"),
    OWN.format("GRU", PROPERTY.format("dropout", 0.3)): ("unknown", "cudnn"),
    OWN.format("LSTM", "units = 7"): ("cudnn", "raises"),
    OWN.format("LSTM", "units = 4"): ("cudnn", "cudnn"),
    OWN.format("GRU", "units = 7"): ("cudnn", "cudnn"),
    OWN.format("LSTM", PROPERTY.format("unroll", True)): ("raises", "raises"),
    OWN.format("LSTM", PROPERTY.format("stateful", False)): ("unknown", "raises"),  # Keras 3 sets what differs
    OWN.format("GRU", PROPERTY.format("go_backwards", "not 1")): ("unknown", "raises"),
    OWN.format("GRU", PROPERTY.format("use_cudnn", True)): ("raises", "cudnn"),
    OWN.format("GRU", PROPERTY.format("unroll", True) + SETTER): ("cudnn", "cudnn"),
    "a = layers.LSTM(4)\na.name = 'b'\na(keras.Input((5, 3)))\n": ("cudnn", "raises"),
    "a = layers.LSTM(4, dtype='float32')\na.dtype = 'float16'\na(keras.Input((5, 3)))\n": ("raises", "raises"),
    "a = layers.LSTM(4)\na.dtype = 'float16'\na(keras.Input((5, 3)))\n": ("unknown", "unknown"),  # the policy
    BUILT.format("", "a.stateful = True"): ("raises", "raises"),
    BUILT.format(", stateful=True", "a.stateful = False"): ("cudnn", "cudnn"),
    "a = layers.LSTM(4)\na.stateful = True\na(keras.Input((5, 3), batch_size=2))\n": ("cudnn", "cudnn"),
    "a = layers.LSTM(4)\na.stateful = True\na(keras.Input((5, 3)))\n": ("unknown", "unknown"),
    BUILT.format("", ANEW): ("raises", "raises"),
    BUILT.format("", OF_BUILT): ("raises", "cudnn"),
    IN_TURN.format(ANEW): ("raises", "raises"),
    IN_TURN.format(OF_BUILT): ("raises", "cudnn"),
    IN_TURN.format(ANEW).replace("keras.Input((5, 3)), ", ""): ("cudnn", "cudnn"),
    IN_TURN.format("m.build((None, 5, 3))\n" + ANEW).replace("keras.Input((5, 3)), ", ""): ("raises", "raises"),
    f"m = keras.Sequential()\nm.add(keras.Input((5, 3)))\na = layers.LSTM(4)\nm.add(a)\n{ANEW}\nm.predict(x)\n":
    ("raises", "raises"),
    f"a = layers.LSTM(4)\n{ANEW}\nm = keras.Sequential([keras.Input((5, 3)), a])\nm.predict(x)\n": ("cudnn", "cudnn"),
}


@pytest.mark.parametrize("program", CHANGED)
def test_what_is_changed_of_a_layer(tmp_path: Path, program: str) -> None:
    found = tuple(verdicts(tmp_path, program, target)[-1] for target in (KERAS_3, TF_KERAS))
    assert found == CHANGED[program]


CHAIN = "m = keras.Sequential([keras.Input((5, 3)), layers.LSTM(4, return_sequences=True), layers.GRU(4)])\n"
#: What a program asks of a Sequential, and what becomes of its layers in Keras 3; tf_keras shows it all.
ASKED_OF_CHAIN = {
    f"{CHAIN}keras.Model(m.input, m.layers[0].output)": "raises",
    f"{CHAIN}keras.Model(m.inputs, m.output)": "raises",
    f"{CHAIN}keras.Model(m.inputs, m.outputs)": "cudnn",
    f"{CHAIN}keras.Model(m.layers[0].input, m.layers[0].output)": "cudnn",
    f"{CHAIN}m(keras.Input((5, 3)))\nm.input": "cudnn",
    f"{CHAIN}keras.Sequential([m, layers.Dense(2)])\nm.input": "cudnn",
    f"{CHAIN}try:\n    i = m.input\nexcept AttributeError:\n    i = m.inputs\nkeras.Model(i, m.layers[0].output)":
    "cudnn",
    f"{CHAIN}i = m.input if hasattr(m, 'input') else m.inputs\nkeras.Model(i, m.layers[0].output)": "cudnn",
    "i = keras.Input((5, 3))\nm = keras.Model(i, layers.GRU(4)(i))\nkeras.Model(m.input, m.layers[1].output)":
    "cudnn",
}


@pytest.mark.parametrize("program", ASKED_OF_CHAIN)
def test_a_sequential_that_no_graph_calls_has_no_input(tmp_path: Path, program: str) -> None:
    assert set(verdicts(tmp_path, f"{program}\n", KERAS_3)) == {ASKED_OF_CHAIN[program]}
    assert set(verdicts(tmp_path, f"{program}\n", TF_KERAS)) == {"cudnn"}
