"""Whether a batch has a size: what the Input says, unless something on the way may give it one."""

from __future__ import annotations

import pytest

from cudnnlint.core.fact import Known, Unknown
from cudnnlint.frontends.source.reader import read
from cudnnlint.rulebook import loader

HEAD = "from keras import Input, Model, Sequential, layers, ops\nx = Input((6, 4))\n"
OPEN = {
    "a layer": "layers.LSTM(1)(layers.Dense(4)(x))",
    "an operation on each number": "layers.LSTM(1)(ops.relu(x) * 2)",
    "a Lambda that is followed": "layers.LSTM(1)(layers.Lambda(lambda t: t * 2)(x))",
    "a Sequential": "Sequential([Input((6, 4)), layers.Dense(4), layers.LSTM(1)])",
}
MAY_HAVE_A_SIZE = {
    "three dimensions taken for an image": "layers.LSTM(1)(layers.Dense(4)(layers.Resizing(4, 4)(x)))",
    "the same in a Sequential": "Sequential([Input((6, 4)), layers.CenterCrop(4, 4), layers.LSTM(1)])",
    "a shape of its own": "layers.LSTM(1)(layers.Dense(4)(ops.reshape(x, (2, 6, 4)) * 2))",
    "a shape by a method": "layers.LSTM(1)(x.reshape((2, 6, 4)))",
    "a Lambda that reshapes": "layers.LSTM(1)(layers.Lambda(lambda t: ops.reshape(t, (2, 6, 4)))(x))",
    "what is not followed": "from shop import fold\nlayers.LSTM(1)(fold(x))",
    "what comes after such a layer": "layers.LSTM(1)(layers.GRU(4)(ops.reshape(x, (2, 6, 4))))",
}


def batch(program: str) -> object:
    """The fact about the batch at the call of the LSTM."""
    model = read("program.py", (HEAD + program + "\n").encode(), loader.load().tables.names)
    (layer,) = [one for one in model.layers if one.variants[0].class_name == "LSTM"]
    (call,) = layer.calls
    return call.context("batch")


@pytest.mark.parametrize("case", OPEN)
def test_the_batch_is_open(case: str) -> None:
    found = batch(OPEN[case])
    assert isinstance(found, Known)
    assert found.value == "open"


@pytest.mark.parametrize("case", MAY_HAVE_A_SIZE)
def test_the_batch_may_have_a_size(case: str) -> None:
    assert isinstance(batch(MAY_HAVE_A_SIZE[case]), Unknown)


def test_an_input_with_a_size_says_nothing_of_an_open_batch() -> None:
    assert not isinstance(batch("layers.LSTM(1)(layers.Dense(4)(Input(batch_shape=(2, 6, 4))))"), (Known, Unknown))


FIXED = "f = Input(batch_shape=(2, 6, 4))\nlstm = layers.LSTM(1, stateful=True)\n"
#: Programs, with what is known of the batch at the calls of the LSTM: as real Keras answers, what builds it counts.
BUILT_ONCE = {
    "a call with a batch size first": (f"{FIXED}lstm(f)\nlstm(x)", [None, None]),
    "an open call first": (f"{FIXED}lstm(x)\nlstm(f)", ["open", None]),
    "a Sequential that knows its batch size": (f"{FIXED}m = Sequential([f, lstm])\nm(x)", [None]),
    "a Sequential whose layer knows it": (
        "m = Sequential()\nm.add(layers.LSTM(1, stateful=True, batch_input_shape=(2, 6, 4)))\nm(x)", [None],
    ),
    "a Sequential that knows an open Input": ("Sequential([Input((6, 4)), layers.LSTM(1)])(x)", ["open"]),
    "a Sequential that knows nothing": (f"{FIXED}Sequential([lstm])(x)", ["open"]),
    "a functional model": (f"{FIXED}m = Model(f, lstm(f))\nm(x)", [None]),
    "either": (f"import sys\n{FIXED}if sys.argv[1:]:\n    lstm(f)\nlstm(x)", [None, "?"]),
    "one of two first layers": (
        "import sys\nm = Sequential()\nif sys.argv[1:]:\n    m.add(layers.Dense(4, input_dim=3))\n"
        "else:\n    m.add(layers.LSTM(1, stateful=True, batch_input_shape=(2, 6, 4)))", ["?"],
    ),
    "a first layer or none before it": (
        "import sys\nm = Sequential()\nif sys.argv[1:]:\n    m.add(layers.Dense(4, input_dim=3))\n"
        "m.add(layers.LSTM(1, stateful=True, batch_input_shape=(2, 6, 4)))", ["?"],
    ),
    "a loop": (f"import sys\n{FIXED}for line in sys.stdin:\n    lstm(x)", ["open"]),
}  # fmt: skip


@pytest.mark.parametrize("case", BUILT_ONCE)
def test_a_layer_needs_its_batch_size_when_it_is_built(case: str) -> None:
    program, batches = BUILT_ONCE[case]
    model = read("program.py", (HEAD + program + "\n").encode(), loader.load().tables.names)
    facts = [call.context("batch") for layer in model.layers for call in layer.calls]
    assert ["?" if isinstance(one, Unknown) else getattr(one, "value", None) for one in facts] == batches
