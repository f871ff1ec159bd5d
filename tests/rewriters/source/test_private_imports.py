"""Imports from private modules of Keras are moved to the public ones: those that go together, or none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fixed import ALL, SAFE, TARGET, fixed_text

from cudnnlint.rewriters.source import private_imports

CONSTRUCTORS = Path(__file__).resolve().parents[3] / "fixtures" / "evidence" / "constructors.json"
USE = "model = Sequential([LSTM(4), Dense(1)])\n"
#: What stands before, and after.
MOVED = {
    "every import of the private copy": (
        "from tensorflow.python.keras.models import Sequential\n"
        "from tensorflow.python.keras.layers.core import Dense\n"
        "from tensorflow.python.keras.layers import LSTM\n"
        "from tensorflow.python.keras.optimizer_v2.adam import Adam\n"
        "from tensorflow.python.keras.engine.base_layer import Layer\n"
        "from tensorflow.python.keras import backend\n"
        "import tensorflow.python.keras.callbacks as callbacks\n" + USE,
        "from tensorflow.keras.models import Sequential\n"
        "from tensorflow.keras.layers import Dense\n"
        "from tensorflow.keras.layers import LSTM\n"
        "from tensorflow.keras.optimizers import Adam\n"
        "from tensorflow.keras.layers import Layer\n"
        "from tensorflow.keras import backend\n"
        "import tensorflow.keras.callbacks as callbacks\n" + USE,
    ),
    "a module of the private copy": (
        "from tensorflow.python import keras\nkeras.layers.LSTM(4)\n",
        "from tensorflow import keras\nkeras.layers.LSTM(4)\n",
    ),
    "one name that is imported twice": (
        "from keras.layers.recurrent import LSTM\nfrom keras.layers.recurrent import LSTM\nLSTM(4)\n",
        "from keras.layers import LSTM\nfrom keras.layers import LSTM\nLSTM(4)\n",
    ),
    "a layer that is sought in keras itself": (
        "import keras\nkeras.LSTM(4, name='a')\n",
        "import keras\nkeras.layers.LSTM(4, name='a')\n",
    ),
    "an RNN that is sought in keras itself, and then loops": (
        "import keras\nkeras.RNN(keras.layers.LSTMCell(4))\n",
        "import keras\nkeras.layers.LSTM(4)\n",
    ),
    "the other layers": (
        "from keras.layers.recurrent import LSTM\nfrom keras.layers.embeddings import Embedding as E\nLSTM(4)\n",
        "from keras.layers import LSTM\nfrom keras.layers import Embedding as E\nLSTM(4)\n",
    ),
}  # fmt: skip
STAY = {
    "a name of the private copy without a known place": (
        "from tensorflow.python.keras.layers import LSTM\nfrom tensorflow.python.keras.utils import np_utils\nLSTM(4)\n"
    ),
    "a module without a known place": (
        "from tensorflow.python.keras.layers import LSTM\nfrom tensorflow.python.keras import testing_utils\nLSTM(4)\n"
    ),
    "a module that is imported by its whole name": (
        "import tensorflow.python.keras.layers\ntensorflow.python.keras.layers.LSTM(4)\n"
    ),
    "names of two public modules": (
        "from tensorflow.python.keras.engine.training import Model, Layer\n"
        "from tensorflow.python.keras.layers import LSTM\nLSTM(4)\n"
    ),
    "a star": "from tensorflow.python.keras.layers import *\nLSTM(4)\n",
    "a name that is also something else": "from keras.layers.recurrent import LSTM\nLSTM(4)\nLSTM = None\n",
    "another import stops the program all the same": (
        "from keras.layers.recurrent import LSTM\nfrom keras.layers.core import Dense, K\nLSTM(4)\n"
    ),
    "its statement brings what is no layer": "from keras.layers.recurrent import LSTM, K\nLSTM(4)\n",
}  # fmt: skip


@pytest.mark.parametrize("case", MOVED)
def test_what_goes_together_is_moved(tmp_path: Path, case: str) -> None:
    before, after = MOVED[case]
    assert fixed_text(tmp_path, before, kinds=ALL) == after


@pytest.mark.parametrize("case", STAY)
def test_what_cannot_be_moved_stays(tmp_path: Path, case: str) -> None:
    assert fixed_text(tmp_path, STAY[case], kinds=ALL) == STAY[case]


@pytest.mark.parametrize(
    ("written", "safe"),
    [("GRU(4)", False), ('GRU(4, recurrent_activation="sigmoid", reset_after=True)', True)],
)
def test_a_layer_of_the_private_copy_with_other_defaults_is_not_moved_as_safe(
    tmp_path: Path, written: str, safe: bool
) -> None:
    text = f"from tensorflow.python.keras.layers import {written.partition('(')[0]}\n{written}\n"
    assert (fixed_text(tmp_path, text, TARGET, SAFE) != text) is safe


def test_every_release_has_the_public_layers() -> None:
    answers = json.loads(CONSTRUCTORS.read_text(encoding="utf-8"))
    functions = {name for name in private_imports.PUBLIC["layers"] if name == "Input" or name.islower()}
    for answer in answers:
        assert private_imports.PUBLIC["layers"] - functions <= answer["orders"].keys()


@pytest.mark.slow
@pytest.mark.parametrize("package", ["keras", "tf_keras"])
def test_the_installed_keras_has_all_of_it(package: str) -> None:
    keras = pytest.importorskip(package)
    if package == "keras":
        keras = pytest.importorskip("tensorflow").keras
    for home, names in private_imports.PUBLIC.items():
        assert not [name for name in names if not hasattr(getattr(keras, home), name)]
    assert not [module for module in private_imports.MODULES if not hasattr(keras, module)]
