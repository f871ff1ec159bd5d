"""What reaches a recurrent layer besides the mask: dtypes and raggedness, as keras 3.15.1 showed when each model was
traced (a watched LSTM noted the dtype of its input)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from packaging.version import Version

from cudnnlint.core.fact import Absent, Fact, Known, Unknown
from cudnnlint.core.layer import Call
from cudnnlint.core.target import Point
from cudnnlint.frontends import saved
from cudnnlint.frontends.source.reader import read
from cudnnlint.rulebook.loader import load

NAMES = load().tables.names
HEAD = """
import keras
import tensorflow as tf
from keras import layers, ops
ids = keras.Input((5,), dtype="int32")
whole = keras.Input((5, 4), dtype="int32")
flags = keras.Input((5, 4), dtype="bool")
floats = keras.Input((5, 4))
other = keras.Input((5, 4), dtype="int32")
"""
#: What goes into the layer, and the dtype that Keras showed there.
ANSWERS = {
    "whole": "int32",
    "ops.expand_dims(ids, -1)": "int32",
    "ops.one_hot(ids, 4)": "float32",
    "tf.one_hot(ids, 4)": "float32",
    'ops.one_hot(ids, 4, dtype="int32")': "int32",
    'ops.cast(whole, "float32")': "float32",
    "ops.expand_dims(ops.argmax(floats, -1), -1)": "int32",
    "floats > 0": "bool",
    "whole > 0": "bool",
    "-whole": "int32",
    "~flags": "bool",
    "whole * 2": "int32",
    "whole * 2.0": "float32",
    "whole / 2": "float32",
    "layers.Reshape((5, 4))(whole)": "int32",
    "layers.Permute((1, 2))(flags)": "bool",
    'layers.Activation("relu")(whole)': "int32",
    'layers.Activation("tanh")(whole)': "float32",
    "layers.Dropout(0.1)(whole)": "int32",
    "layers.Dense(4)(whole)": "float32",
    "layers.TimeDistributed(layers.Reshape((4,)))(whole)": "int32",
    "layers.TimeDistributed(layers.Dense(4))(whole)": "float32",
    "layers.LayerNormalization()(whole)": "float32",
    "layers.Concatenate()([whole, floats])": "float32",
    "layers.Concatenate()([flags, whole])": "int32",
    "layers.Add()([whole, whole])": "int32",
    'layers.Add()([whole, ops.cast(whole, "int64")])': "int64",
    'layers.Add()([ops.cast(whole, "int32"), ops.cast(whole, "uint32")])': "int64",
    'layers.Add()([ops.cast(whole, "uint8"), ops.cast(whole, "int8")])': "int16",
    "layers.Average()([whole, whole])": "float32",
    'layers.IntegerLookup(vocabulary=[1, 2], output_mode="one_hot")(ids)': "int64",
    "layers.Reshape((5, 1))(layers.Hashing(3)(ids))": "int64",
    'layers.CategoryEncoding(4, output_mode="one_hot")(ids)': "float32",
    'layers.CategoryEncoding(4, output_mode="one_hot", dtype="int32")(ids)': "int32",
    "layers.Discretization(bin_boundaries=[0.0])(floats)": "int32",
    "layers.HashedCrossing(9)((whole, whole))": "int64",
    "layers.Lambda(lambda t: tf.one_hot(t, 4))(ids)": "float32",
    "layers.Lambda(lambda t: tf.expand_dims(t, -1))(ids)": "int32",
    "layers.Embedding(9, 4)(ids)": "float32",
    "whole * ops.ones((5, 4))": "float32",
    "ops.ones((5, 4)) * whole": "float32",
    'whole * ops.ones((5, 4), dtype="int32")': "int32",
    'flags & ops.zeros((5, 4), "bool")': "bool",
    "whole + ops.eye(5, 4)": "float32",
    'whole + ops.eye(5, 4, dtype="int32")': "int32",
    "ops.linspace(0.0, 1.0, 4) * whole": "float32",
    "ops.add(whole, ops.eye(5, 4))": "float32",
    "ops.matmul(whole, ops.ones((4, 4)))": "float32",
    'ops.where(whole > 0, ops.ones_like(whole, dtype="float32"), 0)': "float32",
    "ops.where(whole > 0, ops.ones_like(whole), 0)": "int32",
    "ops.where(whole > 0, 1, 0)": "int32",
    "flags + 1": "int32",
    "ops.concatenate([whole, floats], -1)": "float32",
    "ops.concatenate([floats, whole], -1)": "float32",
    "ops.concatenate([whole, other], -1)": "int32",
    "ops.stack([ids, ids], -1)": "int32",
    "ops.stack([whole[:, :, 0], floats[:, :, 0]], -1)": "float32",
    "ops.hstack([whole, other])": "int32",
    "ops.vstack([whole, floats])": "float32",
    "1.0 - whole": "float32",
    "1 - whole": "int32",
    "whole + ops.arange(4)": "int32",
    "whole + ops.arange(0.0, 4.0)": "float32",
    "layers.Dot(axes=2)([whole, floats])": "float32",
    "layers.Dot(axes=2)([whole, other])": "int32",
    "layers.Lambda(lambda z: ops.stack([z[:, :, 0], z[:, :, 0]], 2))(whole)": "int32",
    "whole * keras.random.normal((5, 4))": "float32",
    "whole * tf.ones((5, 4))": "float32",
    "whole * tf.ones((5, 4), tf.int32)": "int32",
    "tf.zeros((2, 5, 4), dtype=tf.int64)": "int64",
}


def at(release: str) -> Point:
    """Keras 3 on TensorFlow."""
    return Point("keras", Version(release), "tensorflow", None)


def arrives(text: str, name: str) -> Fact:
    """A fact of the one call of the layer at the end of a program."""
    (layer,) = [layer for layer in read("program.py", text.encode(), NAMES).layers if layer.name == "end"]
    facts = {repr(call.context(name)): call.context(name) for call in layer.calls}
    assert len(facts) == 1
    return next(iter(facts.values()))


@pytest.mark.parametrize("made", ANSWERS)
def test_integers_are_followed_as_keras_hands_them_on(made: str) -> None:
    fact = arrives(f"{HEAD}layers.LSTM(2, name='end')({made})\n", "input_dtype")
    if ANSWERS[made].startswith("float"):
        assert isinstance(fact, Absent) or (isinstance(fact, Known) and fact.value == ANSWERS[made])
    else:
        assert isinstance(fact, Known)
        assert fact.value == ANSWERS[made]


@pytest.mark.slow
def test_a_saved_model_says_the_same_of_integers() -> None:
    """What Keras can write is read from its config; a Lambda's code is not in it."""
    keras = pytest.importorskip("keras")
    names: dict[str, Any] = {}
    exec(HEAD, names)
    given = [names[name] for name in ("ids", "whole", "flags", "floats", "other")]
    found, told = {}, {}
    for made, dtype in ANSWERS.items():
        if "Lambda" in made or "tf." in made:
            continue
        model = keras.Model(given, keras.layers.LSTM(2, name="end")(eval(made, names)))
        layers = saved.read_bytes("config.json", model.to_json().encode(), NAMES).layers
        facts = [call.context("input_dtype") for layer in layers if layer.name == "end" for call in layer.calls]
        told[made] = {fact.value for fact in facts if isinstance(fact, Known)} - {"float32"}
        found[made] = {dtype} - {"float32"}
    assert len(found) > len(ANSWERS) // 2
    assert told == found


def test_a_ragged_tensor_is_ragged_behind_an_embedding_and_unknown_behind_a_convolution() -> None:
    head = "import tensorflow as tf\nfrom tensorflow.keras import layers\n"
    ids = "layers.Embedding(9, 4)(tf.keras.Input((None,), dtype='int32', ragged=True))"
    assert arrives(f"{head}layers.GRU(2, name='end')({ids})\n", "ragged") == Known(True)
    behind = arrives(f"{head}layers.GRU(2, name='end')(layers.Conv1D(4, 1)({ids}))\n", "ragged")
    assert isinstance(behind, Unknown)


CAST = """
from keras import Input, layers
x = layers.Masking()(Input((5, 4)))
layers.LSTM(2, name="end")(layers.Dense(4, dtype="float64")(x))
"""


@pytest.mark.parametrize(
    ("release", "mask"),
    [("3.4.1", "data"), ("3.5.0", "none"), ("3.8.0", "none"), ("3.13.2", "none"), ("3.14.0", "data")],
)
def test_a_cast_loses_the_mask_in_the_releases_in_which_keras_lost_it(release: str, mask: str) -> None:
    (layer,) = read("program.py", CAST.encode(), NAMES).layers
    point = Point("keras", Version(release), "tensorflow", None)
    assert [call.context("mask") for call in layer.calls if call.holds(point)] == [Known(mask)]


WORDS = """
from keras import Input, layers
x = layers.Embedding(9, 4, mask_zero=True)(Input((3, 5), dtype="int32"))
layers.LSTM(2, name="end")(layers.TimeDistributed(layers.LSTM(4, name="inner"))(x))
"""


def test_a_mask_of_words_reaches_the_layer_inside_and_is_none_that_the_layer_behind_takes() -> None:
    end, inner = sorted(read("program.py", WORDS.encode(), NAMES).layers, key=lambda layer: str(layer.name))
    point = Point("keras", Version("3.15.1"), "tensorflow", None)
    assert _masks(inner.calls, point) == [Known("data")]
    (mask,) = _masks(end.calls, point)
    assert isinstance(mask, Unknown)
    assert "rank 3" in mask.because


def _masks(calls: tuple[Call, ...], point: Point) -> list[Fact]:
    return [call.context("mask") for call in calls if call.holds(point)]


def tensor(name: str, dtype: str, shape: list[int | None]) -> dict[str, object]:
    """A tensor as Keras 3 writes it into inbound_nodes."""
    return {"class_name": "__keras_tensor__", "config": {"shape": shape, "dtype": dtype, "keras_history": [name, 0, 0]}}


def entry(name: str, kind: str, config: dict[str, object], args: list[object], module: str) -> dict[str, object]:
    """A layer of a functional model as Keras 3 writes it."""
    nodes = [{"args": args, "kwargs": {}}] if args else []
    return {"module": module, "class_name": kind, "config": {"name": name, **config}, "registered_name": kind,
            "name": name, "inbound_nodes": nodes}  # fmt: skip


@pytest.mark.parametrize(("dtype", "told"), [("int32", [Known("int32")]), ("float32", [Absent()])])
def test_a_file_of_keras_3_says_itself_which_dtype_an_operation_gives(dtype: str, told: list[Fact]) -> None:
    inside = tensor("a", "int32", [None, 5])
    given = tensor("b", dtype, [None, 5, 1])
    parts = [
        entry("a", "InputLayer", {"batch_shape": [None, 5], "dtype": "int32"}, [], "keras.layers"),
        entry("b", "SomethingNew", {}, [inside], "keras.src.ops.numpy"),
        entry("end", "LSTM", {"units": 2}, [given], "keras.layers"),
    ]
    config = {"layers": parts, "input_layers": [["a", 0, 0]], "output_layers": [["end", 0, 0]]}
    model = {"module": "keras", "class_name": "Functional", "config": config}
    (layer,) = saved.read_bytes("config.json", json.dumps(model).encode(), NAMES).layers
    found = [call.context("input_dtype") for call in layer.calls]
    assert [Known(fact.value) if isinstance(fact, Known) else fact for fact in found] == told


BINS = "Discretization(bin_boundaries=[0.0], dtype='float32')(floats)"


@pytest.mark.parametrize(
    ("made", "release", "dtype"),
    [
        (BINS, "3.8.0", "float32"),
        (BINS, "3.11.3", "float32"),
        (BINS, "3.15.1", "int32"),
        ("HashedCrossing(9, dtype='float32')((whole, whole))", "3.15.1", "float32"),
    ],
)
def test_indices_in_a_dtype_of_their_own(made: str, release: str, dtype: str) -> None:
    """Asked of 3.0.0, 3.4.1, 3.8.0, 3.11.3 (Discretization gives floats), 3.12.0 to 3.15.1 (it does not)."""
    (layer,) = read("program.py", f"{HEAD}layers.LSTM(2)(layers.{made})\n".encode(), NAMES).layers
    (fact,) = [call.context("input_dtype") for call in layer.calls if call.holds(at(release))]
    assert (fact.value if isinstance(fact, Known) else "float32") == dtype


def test_a_cast_before_a_timedistributed_stays_in_the_graph() -> None:
    """Keras 3.8: the graph shows float64 of a Masking that hands on booleans, and casts it (tests/oracle/wide.py)."""
    text = (
        f"{HEAD}masked = layers.Masking(mask_value=-1.0, dtype='float64')(flags)\n"
        "layers.LSTM(2)(layers.TimeDistributed(layers.GaussianNoise(0.1))(masked))\n"
    )
    (layer,) = read("program.py", text.encode(), NAMES).layers
    unknown = {
        release: [isinstance(call.context("input_dtype"), Unknown) for call in layer.calls if call.holds(at(release))]
        for release in ("3.8.0", "3.15.1")
    }
    assert unknown == {"3.8.0": [True], "3.15.1": [False]}
