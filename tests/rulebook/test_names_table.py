"""What a class is that is reached by an import, a saved file or a graph, in releases on both sides of every change.

Read in the wheels: which module defines or exports the class there (`=` as it is called, `-` it is not there).
"""

from __future__ import annotations

import json
import re

import pytest
from packaging.version import Version

from cudnnlint.core.fact import Known, Ref, Unknown
from cudnnlint.core.target import Point
from cudnnlint.engine.given_functions import identify
from cudnnlint.frontends.source import read
from cudnnlint.rulebook.loader import folder, load

TABLES = load().tables
TENSORFLOW_2 = ("tensorflow 2.0.0", "tensorflow 2.5.3")
KERAS_2 = ("keras 2.6.0", "keras 2.15.0", "tf_keras 2.15.0", "tf_keras 2.21.0", *TENSORFLOW_2)
KERAS_3 = ("keras 3.0.0", "keras 3.15.1")
RNNS, CUDNN, CONV = ("LSTM", "GRU"), ("CuDNNLSTM", "CuDNNGRU"), ("ConvLSTM1D", "ConvLSTM3D")
GRAPH = ("LSTM", "GRU", "SimpleRNN", "RNN", "ConvLSTM2D")
PRIVATE = "tensorflow.python.keras.layers"
OF_TENSORFLOW_1 = (
    "BasicLSTMCell", "BasicRNNCell", "DeviceWrapper", "DropoutWrapper", "GRUCell", "LSTMCell", "MultiRNNCell",
    "RNNCell", "ResidualWrapper",
)  # fmt: skip
PEEPHOLE = ("PeepholeLSTMCell",)
CASES: list[tuple[str, tuple[str, ...], str, tuple[str, ...]]] = [
    ("tensorflow.compat.v1.keras.layers", RNNS, "v1", KERAS_2),
    ("tensorflow.compat.v1.keras.layers", RNNS, "=", KERAS_3),
    ("tensorflow.compat.v1.keras.layers", CUDNN, "=", KERAS_2),
    ("tensorflow.compat.v1.keras.layers", CUDNN, "-", KERAS_3),
    ("tensorflow.keras.layers", (*RNNS, "ConvLSTM2D"), "=", (*KERAS_2, *KERAS_3)),
    ("tensorflow.keras.layers", CUDNN, "-", (*KERAS_2, *KERAS_3)),
    ("tensorflow.keras.layers", CUDNN, "=", ("tensorflow 1.15.5",)),
    ("tensorflow.keras.layers", CONV, "=", ("keras 2.6.0", "tf_keras 2.15.0", *KERAS_3)),
    ("tensorflow.keras.layers", CONV, "-", TENSORFLOW_2),
    ("keras.layers.recurrent", RNNS, "v1", ("keras 2.6.0", "keras 2.8.0")),
    ("keras.layers.recurrent", (*RNNS, "SimpleRNN", "RNN"), "-", ("keras 2.9.0", *KERAS_3)),
    ("keras.layers.recurrent", ("SimpleRNN", "RNN"), "=", ("keras 2.8.0",)),
    ("keras.layers.recurrent_v2", RNNS, "=", ("keras 2.6.0", "keras 2.8.0")),
    ("keras.layers.recurrent_v2", RNNS, "-", ("keras 2.9.0", *KERAS_3)),
    ("keras.layers.cudnn_recurrent", CUDNN, "=", ("keras 2.6.0", "keras 2.8.0")),
    ("keras.layers.cudnn_recurrent", CUDNN, "-", ("keras 2.9.0",)),
    ("keras.layers.convolutional_recurrent", (*CONV, "ConvLSTM2D"), "=", ("keras 2.8.0",)),
    ("keras.layers.convolutional_recurrent", (*CONV, "ConvLSTM2D"), "-", ("keras 2.9.0", *KERAS_3)),
    (f"{PRIVATE}.recurrent", RNNS, "v1", (*KERAS_2, *KERAS_3)),
    (f"{PRIVATE}.recurrent_v2", RNNS, "=", ("keras 2.6.0", "keras 2.12.0", *TENSORFLOW_2)),
    (f"{PRIVATE}.recurrent_v2", RNNS, "-", ("keras 2.13.1", "keras 2.14.0", "tf_keras 2.21.0", *KERAS_3)),
    (PRIVATE, RNNS, "v1", ("keras 2.6.0", "keras 2.14.0", *TENSORFLOW_2)),
    (PRIVATE, RNNS, "-", ("keras 2.15.0", "tf_keras 2.15.0", "tf_keras 2.21.0", *KERAS_3)),
    (PRIVATE, CUDNN, "=", ("keras 2.6.0", "keras 2.12.0", *TENSORFLOW_2)),
    (PRIVATE, CUDNN, "-", ("keras 2.13.1", "tf_keras 2.15.0", "tf_keras 2.21.0", *KERAS_3)),
    (PRIVATE, CONV, "-", (*KERAS_2, *KERAS_3)),
    (PRIVATE, ("ConvLSTM2D",), "=", (*KERAS_2, *KERAS_3)),
    ("keras.layers", RNNS, "=", ("keras 2.3.1 1.15.5", "keras 2.6.0", "keras 2.15.0", *KERAS_3)),
    ("keras.layers", CUDNN, "-", ("keras 2.0.8 1.15.5", "keras 2.0.9 2.0.0", "keras 2.3.1 2.1.0")),
    ("keras.layers", CUDNN, "-", TENSORFLOW_2),
    ("keras.layers", CUDNN, "=", ("keras 2.0.9", "keras 2.3.1")),  # TensorFlow is not known: perhaps an old one
    ("keras.layers", CUDNN, "=", ("keras 2.0.9 1.15.5", "keras 2.3.1 1.15.5", "keras 2.6.0", "keras 2.12.0")),
    ("keras.layers", CUDNN, "-", ("keras 2.13.1", "keras 2.15.0", *KERAS_3)),
    ("tf_keras.layers", CUDNN, "-", ("tf_keras 2.15.0", "tf_keras 2.21.0")),
    ("saved.keras", CUDNN, "=", ("keras 2.12.0",)),
    ("saved.keras", CUDNN, "-", ("keras 2.13.1", "keras 2.15.0", "tf_keras 2.21.0", *KERAS_3)),
    ("saved.h5", CUDNN, "=", KERAS_2),
    ("saved.h5", CUDNN, "-", KERAS_3),
    ("saved.h5", RNNS, "v1", ("tensorflow 2.0.0", "tensorflow 2.0.4")),
    ("saved.h5", RNNS, "=", ("tensorflow 1.15.5", "tensorflow 2.1.0", "keras 2.6.0", "tf_keras 2.21.0", *KERAS_3)),
    ("graph.op", GRAPH, "graph.op", (*KERAS_2, *KERAS_3)),
    ("graph.op", CUDNN, "graph.op", (*KERAS_2, *KERAS_3)),
    ("graph.pair", GRAPH, "graph.pair", (*KERAS_2, *KERAS_3)),
    ("graph.loop", (*RNNS, "RNN"), "graph.loop", (*KERAS_2, *KERAS_3)),
    ("tensorflow.nn.rnn_cell", OF_TENSORFLOW_1, "=", ("tensorflow 1.15.5",)),
    ("tensorflow.nn.rnn_cell", OF_TENSORFLOW_1, "-", (*KERAS_2, *KERAS_3)),
    ("tensorflow.compat.v1.nn.rnn_cell", OF_TENSORFLOW_1, "=", ("tensorflow 1.15.5", *KERAS_2)),
    ("tensorflow.compat.v1.nn.rnn_cell", OF_TENSORFLOW_1, "-", KERAS_3),
    ("tensorflow.keras.experimental", PEEPHOLE, "=", ("keras 2.6.0", "keras 2.8.0", *TENSORFLOW_2)),
    ("tensorflow.keras.experimental", PEEPHOLE, "-", ("keras 2.9.0", "tf_keras 2.15.0", "tf_keras 2.21.0", *KERAS_3)),
    ("keras.experimental", PEEPHOLE, "=", ("keras 2.6.0", "keras 2.8.0")),
    ("keras.experimental", PEEPHOLE, "-", ("keras 2.9.0", "keras 2.15.0", *KERAS_3)),
    ("tf_keras.experimental", PEEPHOLE, "-", ("tf_keras 2.15.0", "tf_keras 2.21.0")),
]


def point(text: str) -> Point:
    """A point from "keras 2.3.1 1.15.5": framework, release and, where Keras may run on several, TensorFlow's."""
    framework, release, *tensorflow = text.split()
    beneath = tensorflow[0] if tensorflow else release if framework != "keras" else None
    return Point(framework, Version(release), "tensorflow", Version(beneath) if beneath else None)


@pytest.mark.parametrize(("prefix", "classes", "means", "releases"), CASES)
def test_a_class_is_what_the_module_has_under_its_name(
    prefix: str, classes: tuple[str, ...], means: str, releases: tuple[str, ...]
) -> None:
    for name in classes:
        expected = {"=": name, "v1": f"v1.{name}", "-": "-"}.get(means, means)
        for release in releases:
            found = TABLES.meaning(f"{prefix}.{name}", name, point(release))
            assert (name if found is None else found.operation or "-") == expected, (name, release)


@pytest.mark.parametrize(
    "package",
    ["torch", "paddle", "mxnet", "chainer", "theano", "lasagne", "jax", "flax", "haiku", "sonnet", "dynet", "mindspore",
     "tensorlayer", "oneflow", "tinygrad", "cntk", "bigdl", "gluonts", "braindecode", "allennlp", "fastai"],
)  # fmt: skip
def test_a_bare_name_beside_a_package_with_such_classes_is_not_keras(package: str) -> None:
    found = [
        len(read("program.py", f"import {name}\nfrom helpers import *\nLSTM(4)\n".encode(), TABLES.names).layers)
        for name in (package, "numpy")
    ]
    assert found == [0, 1]


@pytest.mark.parametrize(
    "root",
    ["keras", "tf_keras", "tensorflow.keras", "tensorflow.compat.v1.keras", "tensorflow.compat.v2.keras",
     "tensorflow.python.keras"],
)  # fmt: skip
def test_keras_is_found_wherever_tensorflow_has_it(root: str) -> None:
    (layer,) = read("program.py", f"import {root} as k\nk.layers.LSTM(4)\n".encode(), TABLES.names).layers
    assert [variant.path for variant in layer.variants] == [f"{root}.layers.LSTM"]


def test_the_recurrent_classes_cells_and_wrappers_are_those_that_keras_has() -> None:
    evidence = folder().parent / "fixtures" / "evidence"
    asked = json.loads((evidence / "constructors.json").read_text(encoding="utf-8"))
    orders = {name: order for record in asked for name, order in record["orders"].items()}
    read_in_wheels = json.loads((evidence / "signatures.json").read_text(encoding="utf-8"))["releases"].values()
    every = {*orders, *(name for release in read_in_wheels for name in release)}
    recurrent = {name for name in every if re.fullmatch(r"(Simple|Conv|CuDNN)?(LSTM|GRU|RNN)(\dD)?", name)}
    assert TABLES.names.recurrent == recurrent
    private = {f"{name}Cell" for name in recurrent if name.startswith("Conv")}
    assert TABLES.names.cells == {name for name in every if re.fullmatch(r"(?!Abstract)\w+Cells?", name)} | private
    around = {name for name, order in orders.items() if order[:1] == ["layer"]}
    assert TABLES.names.wrappers == around - {"Wrapper", "SpectralNormalization"}  # which are around no such layer


@pytest.mark.parametrize(
    "root", ["keras", "tf_keras", "tensorflow.keras", "tensorflow.compat.v2.keras", "tensorflow.python.keras"]
)
def test_a_layer_is_found_wherever_keras_is(root: str) -> None:
    for text in (f"from {root}.layers import GRU\nGRU(4)\n", f"import {root}.layers as L\nL.GRU(4)\n"):
        (layer,) = read("program.py", text.encode(), TABLES.names).layers
        assert layer.variants[0].path == f"{root}.layers.GRU"


#: Classes that all three have whose constructors were asked, and of which the table says nothing: layers over planes
#: and spaces but two, second names, and a few more.
NOT_SAID = re.compile(
    r"(?!(Conv|MaxPooling)2D$)\w+[23]D(Transpose)?|(Global)?AvgPool1D|(Separable)?Convolution1D|"
    r"ActivityRegularization|AlphaDropout|InputSpec|Minimum|Wrapper"
)
#: What is no class of `keras.layers`: functions, modules, and what Keras has at its top.
LASTING = {
    *(f"layers.{name}" for name in ("Input", "add", "concatenate", "dot", "multiply", "subtract")),
    *(f"models.{name}" for name in ("Model", "Sequential", "load_model", "model_from_json", "clone_model")),
    "Model", "Sequential", "Input", "layers", "models", "optimizers", "callbacks", "regularizers", "initializers",
    "constraints", "losses", "metrics", "activations", "backend", "utils",
}  # fmt: skip


def test_a_name_lasts_that_the_oldest_and_the_newest_releases_have() -> None:
    evidence = folder().parent / "fixtures" / "evidence" / "constructors.json"
    records = json.loads(evidence.read_text(encoding="utf-8"))
    everywhere = set.intersection(*(set(record["orders"]) for record in records))
    said = {name for name in everywhere - TABLES.names.recurrent if not NOT_SAID.fullmatch(name)}
    assert {name.removeprefix("layers.") for name in TABLES.names.lasting - LASTING} == said
    assert TABLES.names.lasting >= LASTING


@pytest.mark.parametrize(
    ("package", "known"),
    [("keras", True), ("tf_keras", True), ("tensorflow", True), ("jax", True), ("torch", True), ("numpy", False)],
)
def test_a_function_of_a_framework_is_what_its_name_says(package: str, known: bool) -> None:
    fact = Known(Ref(f"{package}.any.tanh"))
    assert isinstance(identify(fact, "tanh", point("keras 3.15.1"), TABLES), Unknown) is not known
