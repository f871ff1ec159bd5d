"""Data of integers or booleans, as it reaches the layers of a model (asked of Keras 3.15.1 on TensorFlow and JAX)."""

from __future__ import annotations

import pytest

from cudnnlint.core.fact import Known
from cudnnlint.core.names import Names
from cudnnlint.frontends.source import read

PROGRAM = """
import keras
import numpy as np
import tensorflow as tf

class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.rnn = keras.layers.LSTM(4)

    def call(self, x):
        return self.rnn({reaches})

model = {model}
model.compile(loss="mse")
data = {data}
{run}
"""
RUNS = ("model.fit(data)", "model.predict(data)", "model.train_on_batch(data)", "model(data)")
#: What the data is, and the dtype of what the layer gets where that is not one of floats.
DATA = {
    "np.zeros((8, 4, 3), dtype=bool)": "bool",
    "np.ones((8, 4, 3), 'int32')": "int32",
    "np.ones((8, 4, 3), np.bool_)": "bool",
    "np.ones((8, 4, 3), 'i4')": "int32",
    "np.full((8, 4, 3), 1, dtype=np.int8)": "int8",
    "np.array([[[1, 0], [0, 1]], [[1, 0], [1, 0]]])": "int64",
    "np.array([[[True, False], [False, True]]])": "bool",
    "np.array([[[1, 0], [0, 1]], [[1, 0], [1, 0.5]]])": None,
    "np.random.randint(0, 2, size=(8, 4, 3))": "int64",
    "np.zeros((8, 4, 3)).astype('int32')": "int32",
    "np.zeros((8, 4, 3), dtype=int).astype('float32')": None,
    "np.eye(4, dtype='int32')[np.array([[0, 1], [2, 3]])]": "int32",
    "np.eye(4)[np.array([[0, 1], [2, 3]])]": None,
    "np.ones((8, 4), dtype=int)[:, :, None]": "int64",
    "np.ones((8, 12), dtype=int).reshape(8, 4, 3)": "int64",
    "np.ones((8, 4, 3), dtype=int) / 2": None,
    "np.zeros_like(np.ones((8, 4, 3), dtype=int))": "int64",
    "np.ones((8, 4, 3))": None,
    "np.arange(96).reshape(8, 4, 3)": "int64",
    "np.arange(9600).reshape(800, 4, 3)": "int64",
    "np.arange(3)[None, :, None]": "int64",
    "np.arange(96.0).reshape(8, 4, 3)": None,
    "np.arange(9600, dtype='float32').reshape(800, 4, 3)": None,
    "np.arange(9600, dtype='int32').reshape(800, 4, 3)": "int32",
    "np.random.rand(8, 4, 3) > 0.5": "bool",
    "np.random.randint(0, 9, (8, 4, 3)) == 1": "bool",
    "~(np.random.normal(size=(8, 4, 3)) < 0)": "bool",
    "(np.random.rand(8, 4, 3) > 0.5) & (np.random.rand(8, 4, 3) > 0.5)": "bool",
    "(np.random.rand(8, 4, 3) > 0.5).astype('float32')": None,
    "np.random.rand(8, 4, 3) + 1": None,
    "np.random.randint(0, 9, (8, 4, 3)) // 2 + 1": "int64",
    "np.random.randint(0, 9, (8, 4, 3)) * 1.5": None,
    "np.random.default_rng(0).integers(0, 9, (8, 4, 3))": "int64",
    "np.random.default_rng(0).random((8, 4, 3))": None,
    "np.linspace(0, 1, 96).reshape(8, 4, 3)": None,
    "tf.constant(np.ones((8, 4, 3), dtype=int))": "int64",
    "keras.ops.convert_to_tensor(np.ones((8, 4, 3), dtype=int))": "int64",
}


def reaching(names: Names, text: str) -> list[object]:
    """The dtypes that the calls of the layer show, in their order."""
    (layer,) = read("case.py", text.encode(), names).layers
    found = [call.surroundings.get("input_dtype") for call in layer.calls]
    return [fact.value if isinstance(fact, Known) else fact for fact in found]


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize(("data", "dtype"), DATA.items(), ids=list(DATA))
def test_data_keeps_its_integers(names: Names, data: str, dtype: str | None, run: str) -> None:
    text = PROGRAM.format(reaches="x", model="Net()", data=data, run=run)
    assert reaching(names, text) == [dtype]


@pytest.mark.parametrize(
    ("reaches", "dtype"),
    [
        ("keras.layers.Embedding(9, 4)(x)", None),
        ("keras.ops.one_hot(x, 4)", None),
        ("keras.ops.cast(x, 'float32')", "float32"),
        ("x / 255", None),
        ("x[..., None]", "int32"),
        ("keras.ops.expand_dims(x, -1)", "int32"),
    ],
)
def test_what_a_model_makes_of_integers(names: Names, reaches: str, dtype: str | None) -> None:
    text = PROGRAM.format(reaches=reaches, model="Net()", data="np.ones((8, 4), 'int32')", run="model(data)")
    assert reaching(names, text) == [dtype]


@pytest.mark.parametrize(
    ("data", "dtype"),
    [
        ("from_tensor_slices((xs, ys)).batch(2)", "int64"),
        ("from_tensor_slices((xs, ys)).shuffle(4).batch(2).prefetch(1)", "int64"),
        ("from_tensors((xs, ys))", "int64"),
        ("from_tensor_slices((xs > 3, ys)).batch(2)", "bool"),
        ("from_tensor_slices((xs.astype('float32'), ys)).batch(2)", None),
        ("from_tensor_slices((xs, ys)).batch(2).map(lambda x, y: (tf.cast(x, 'float32'), y))", None),
    ],
)
@pytest.mark.parametrize("run", ["model.fit(data)", "model.evaluate(data)"])
def test_a_dataset_gives_the_dtype_of_what_it_is_made_of(names: Names, data: str, dtype: str | None, run: str) -> None:
    arrays = "xs, ys = np.random.randint(0, 9, (4, 5, 3)), np.zeros((4, 2))"
    text = PROGRAM.format(reaches="x", model=f"Net()\n{arrays}", data=f"tf.data.Dataset.{data}", run=run)
    assert reaching(names, text) == [dtype]


@pytest.mark.parametrize(
    ("data", "dtype"),
    [("np.array([[1, 2], [3, 4]])", "int64"), ("np.array([[1, 2], [3, 4]], 'float32')", None)],
)
def test_a_written_batch_of_rows_holds_integers(names: Names, data: str, dtype: str | None) -> None:
    text = PROGRAM.format(reaches="keras.ops.expand_dims(x, -1)", model="Net()", data=data, run="model.predict(data)")
    assert reaching(names, text) == [dtype]


@pytest.mark.parametrize(
    ("data", "part"),
    [("[floats, whole]", "x[1]"), ("{'a': floats, 'b': whole}", "x['b']")],
)
@pytest.mark.parametrize("run", RUNS)
def test_one_of_several_inputs_holds_integers(names: Names, data: str, part: str, run: str) -> None:
    made = "model.compile()\nfloats, whole = np.ones((8, 4, 3)), np.ones((8, 4, 3), 'uint8')"
    text = PROGRAM.format(reaches=part, model=f"Net()\n{made}", data=data, run=run)
    assert reaching(names, text) == ["uint8"]


def test_a_sequential_of_keras_3_takes_integers_as_floats(names: Names) -> None:
    text = "import keras\nimport numpy as np\nmodel = keras.Sequential([keras.layers.GRU(4)])\nmodel.compile()\n"
    (layer,) = read("case.py", f"{text}model.fit(np.ones((8, 4, 3), 'int32'))".encode(), names).layers
    found = {era.major: call.surroundings.get("input_dtype") for call in layer.calls for era in call.when}
    assert {major: fact.value for major, fact in found.items() if isinstance(fact, Known)} == {2: "int32"}


@pytest.mark.parametrize(
    "first",
    [
        "keras.layers.GRU(4, input_shape=(4, 3))",
        "keras.layers.GRU(4, input_dim=3)",
        "keras.layers.Masking(input_shape=(4, 3)), keras.layers.GRU(4)",
        "keras.layers.Bidirectional(keras.layers.GRU(4), input_shape=(4, 3))",
    ],
)
def test_a_sequential_whose_first_layer_has_a_shape_takes_integers_as_floats_in_every_keras(
    names: Names, first: str
) -> None:
    """The oracle said so of keras 3.15.1 and tf_keras 2.21.0; Keras 2.3.1 and 2.1.6 were run."""
    text = f"import keras\nimport numpy as np\nmodel = keras.Sequential([{first}])\nmodel.compile()\n"
    for layer in read("case.py", f"{text}model.fit(np.ones((8, 4, 3), bool))".encode(), names).layers:
        found = [call.surroundings.get("input_dtype") for call in layer.calls]
        assert not [fact for fact in found if isinstance(fact, Known) and fact.value in ("bool", "int32")]
