"""Where a fix is made: at the value, if nothing else hangs on it, else at the call, else nowhere, with the reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from fixed import ALL, SAFE, TARGET, fixed, fixed_text, request
from newest_releases import NEWEST_TF_KERAS

from cudnnlint import pipeline
from cudnnlint.core.edit import Applicability

HEAD = (
    "import keras\nfrom functools import partial\nfrom keras.layers import GRU, LSTM, Bidirectional, Dense, Dropout\n"
)

AT_THE_VALUE = {
    "a constant": (
        "RATE = 0.2\na = LSTM(4, recurrent_dropout=RATE)\nb = GRU(4, recurrent_dropout=RATE)\n", "0.2", "0.0"
    ),
    "a default": ("def make(rate=0.2):\n    return LSTM(4, recurrent_dropout=rate)\n\nmake()\n", "0.2", "0.0"),
    "what a function is given": (
        "def make(n, rate):\n    return LSTM(n, recurrent_dropout=rate)\n\nmake(4, 0.2)\nmake(4, 0)\n", "0.2", "0.0"
    ),
    "an entry of a dict": ("C = {'units': 4, 'unroll': True}\na = LSTM(**C)\nb = GRU(**C)\n", "True", "False"),
    "a dict by keywords": ("C = dict(units=4, activation='relu')\na = LSTM(**C)\n", "'relu'", "'tanh'"),
    "an entry that is read": (
        "C = {'n': 4, 'use_bias': False}\na = GRU(C['n'], use_bias=C['use_bias'])\n", "False", "True"
    ),
    "a partial": ("make = partial(LSTM, recurrent_dropout=0.2)\na = make(4)\nb = make(5)\n", "0.2", "0.0"),
    "an attribute": (
        "class M:\n    def __init__(self):\n        self.how = 'relu'\n\n    def layer(self):\n"
        "        return LSTM(4, activation=self.how)\n\nM().layer()\n",
        "'relu'",
        "'tanh'",
    ),
    "a base class": (
        "class Base:\n    RATE = 0.2\n\nclass M(Base):\n    def layer(self):\n"
        "        return LSTM(4, recurrent_dropout=self.RATE)\n\nM().layer()\n",
        "0.2",
        "0.0",
    ),
    "the default of a function that nobody calls": (
        "def make(rate=0.2):\n    return Bidirectional(LSTM(4, recurrent_dropout=rate))\n", "0.2", "0.0"
    ),
    "the default of a class that nobody makes": (
        "class M:\n    def __init__(self, loop=True):\n        self.loop = loop\n\n    def layer(self):\n"
        "        return LSTM(4, unroll=self.loop)\n",
        "loop=True",
        "loop=False",
    ),
    "a constant inside a Bidirectional": (
        "RATE = 0.2\na = Bidirectional(LSTM(4, recurrent_dropout=RATE))\n", "0.2", "0.0"
    ),
    "the layer that another one is copied from": (
        "a = LSTM(4, unroll=True)\nb = LSTM.from_config(a.get_config())\n", ", unroll=True", ""
    ),
}  # fmt: skip

AT_THE_CALL = {
    "a constant with another use": (
        "RATE = 0.2\na = LSTM(4, recurrent_dropout=RATE)\nb = Dropout(RATE)\n", ", recurrent_dropout=RATE", ""
    ),
    "a constant of another argument, too": (
        "ON = True\na = LSTM(4, unroll=ON, stateful=ON)\n", "unroll=ON, ", ""
    ),
    "a constant of a Dense, too": (
        "BIAS = False\na = GRU(4, use_bias=BIAS)\nb = Dense(4, use_bias=BIAS)\n", ", use_bias=BIAS)\nb", ")\nb"
    ),
    "a constant that is set twice": (
        "RATE = 0.1\nRATE = 0.2\na = LSTM(4, recurrent_dropout=RATE)\n", ", recurrent_dropout=RATE", ""
    ),
    "a dict with another use": (
        "C = {'units': 4, 'unroll': True}\na = LSTM(**C)\nprint(C)\n", "**C", '**{**C, "unroll": False}'
    ),
    "one of two values": (
        "import random\nRATE = 0.2 if random.random() > 0.5 else 0.3\na = LSTM(4, recurrent_dropout=RATE)\n",
        ", recurrent_dropout=RATE",
        "",
    ),
    "rates of a loop": (
        "for rate in [0.1, 0.2]:\n    LSTM(4, recurrent_dropout=rate)\n", ", recurrent_dropout=rate", ""
    ),
    "by its position": ("a = LSTM(4, 'relu', 'sigmoid')\n", "'relu'", "'tanh'"),
    "given to the constructor above": (
        "class Mine(LSTM):\n    def __init__(self, n):\n        super().__init__(n, unroll=True)\n\nMine(4)\n",
        ", unroll=True",
        "",
    ),
    "a default that a caller needs": (
        "def make(rate=0.2):\n    print(rate)\n    return LSTM(4, recurrent_dropout=rate)\n\nmake()\n",
        ", recurrent_dropout=rate",
        "",
    ),
}  # fmt: skip

NOWHERE = {
    "a layer that keeps it": (
        "def make(act):\n    return LSTM(4, activation=act), print(act)\n\nmake('relu')\nmake(open('f').read())\n",
        "the same call also makes a layer that needs activation",
    ),
    "a default with another use": (
        "def make(act='relu'):\n    return LSTM(4, activation=act), Dense(4, activation=act)\n",
        "activation is a default value here, and a caller may pass another value",
    ),
    "spread by position": (
        "def make(*given):\n    return LSTM(*given)\n\nmake(4, 'relu')\n",
        "activation may come from any of the spread arguments",
    ),
    "a stack that is called with a state": (
        "from keras.layers import RNN, LSTMCell\nx = keras.Input((3, 4))\n"
        "y = RNN([LSTMCell(4), LSTMCell(4)])(x, training=True)\n",
        "the RNN is called with other arguments than its input",
    ),
    "a stack with a name": (
        "from keras.layers import RNN, LSTMCell\nlayer = RNN([LSTMCell(4), LSTMCell(4)])\n"
        "y = layer(keras.Input((3, 4)))\n",
        "the RNN is neither called where it is made nor an entry of a Sequential",
    ),
    "cells from elsewhere": (
        "from keras.layers import RNN, LSTMCell\ncells = [LSTMCell(4), LSTMCell(4)]\n"
        "y = RNN(cells)(keras.Input((3, 4)))\n",
        "the cells are not made inside the RNN call",
    ),
    "a cell from elsewhere": (
        "from keras.layers import RNN, LSTMCell\ncell = LSTMCell(4)\nlayer = RNN(cell)\nprint(cell)\n",
        "the cell is not made inside the RNN call",
    ),
    "a name that is taken": (
        "from keras.layers import RNN, LSTMCell as Cell\nlayer = RNN(Cell(4))\n\nclass LSTM:\n    pass\n",
        "the name LSTM means something else in this file",
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path) -> None:
    (tmp_path / "cudnnlint.toml").write_text("")


@pytest.mark.parametrize("case", AT_THE_VALUE)
def test_the_value_is_changed_where_it_is_written(case: str, tmp_path: Path) -> None:
    text, old, new = AT_THE_VALUE[case]
    assert text.count(old) == 1
    assert fixed_text(tmp_path, HEAD + text) == HEAD + text.replace(old, new)


@pytest.mark.parametrize("case", AT_THE_CALL)
def test_what_something_else_hangs_on_is_changed_at_the_call(case: str, tmp_path: Path) -> None:
    text, old, new = AT_THE_CALL[case]
    assert text.count(old) == 1
    assert fixed_text(tmp_path, HEAD + text) == HEAD + text.replace(old, new)


@pytest.mark.parametrize("case", NOWHERE)
def test_what_cannot_be_changed_stays_and_says_why(case: str, tmp_path: Path) -> None:
    text, reason = NOWHERE[case]
    path = tmp_path / "program.py"
    path.write_text(HEAD + text)
    assert fixed(path, kinds=ALL)[0] == (HEAD + text).encode()
    fixes = [found.fix for found in pipeline.check(request(path)).report.diagnostics if found.fix is not None]
    assert fixes
    assert {(fix.applicability, fix.edits) for fix in fixes} == {(Applicability.DISPLAY_ONLY, ())}
    assert {fix.message.rpartition("cudnnlint cannot make this edit: ")[2] for fix in fixes} == {f"{reason}."}


LAYOUTS = {
    "the last of several": ("LSTM(4, dropout=0.1, unroll=True)", "LSTM(4, dropout=0.1)"),
    "the first": ("LSTM(unroll=True, units=4)", "LSTM(units=4)"),
    "one between": ("LSTM(4, unroll=True, dropout=0.1)", "LSTM(4, dropout=0.1)"),
    "with a comma behind": ("LSTM(4, unroll=True,)", "LSTM(4,)"),
    "on a line of its own": ("LSTM(\n    4,\n    unroll=True,\n)", "LSTM(\n    4,\n)"),
    "last on a line of its own": ("LSTM(\n    4,\n    unroll=True\n)", "LSTM(\n    4,\n)"),
    "at the end of its line": ("LSTM(4, unroll=True,\n     dropout=0.1)", "LSTM(4,\n     dropout=0.1)"),
    "before the bracket": ("LSTM(4,\n     unroll=True)", "LSTM(4)"),
    "with a comment": ("LSTM(\n    4,\n    unroll=True,  # fast\n)", "LSTM(\n    4,\n    # fast\n)"),
    "behind a comment": ("LSTM(4,  # units\n     unroll=True)", "LSTM(4,  # units\n     )"),
    "in parentheses": ("LSTM(4, unroll=(True))", "LSTM(4)"),
    "with spaces": ("LSTM( 4 , unroll = True )", "LSTM( 4 )"),
    "over several lines": ("LSTM(\n    4,\n    unroll=(\n        True\n    ),\n)", "LSTM(\n    4,\n)"),
    "in front of a dict": ("LSTM(4, unroll=True, **{})", "LSTM(4, **{})"),
}  # fmt: skip


@pytest.mark.parametrize("case", LAYOUTS)
def test_an_argument_goes_with_its_comma_and_leaves_the_comments(case: str, tmp_path: Path) -> None:
    old, new = LAYOUTS[case]
    assert fixed_text(tmp_path, f"{HEAD}a = {old}  # end\n") == f"{HEAD}a = {new}  # end\n"


CELLS = "import keras\nfrom keras.layers import RNN, GRUCell, LSTMCell, StackedRNNCells\n"
CLASSES = {
    "an imported cell": (
        CELLS + "a = RNN(LSTMCell(4, name='c'), True)\n",
        CELLS.replace("StackedRNNCells", "StackedRNNCells, LSTM") + "a = LSTM(4, return_sequences=True)\n",
    ),
    "a layer that is there already": (
        "from keras.layers import RNN, LSTM as L, LSTMCell\na = RNN(cell=LSTMCell(4), name='r')\n",
        "from keras.layers import RNN, LSTM as L, LSTMCell\na = L(4, name='r')\n",
    ),
    "a cell with a name of its own": (
        "import keras\ndef f(x):\n    cell = keras.layers.GRUCell(4, name='c')\n"
        "    return keras.layers.RNN(cell, True)(x)\nf(keras.Input((3, 4)))\n",
        "import keras\ndef f(x):\n    return keras.layers.GRU(4, return_sequences=True)(x)\nf(keras.Input((3, 4)))\n",
    ),
    "several lines": (
        "import keras\na = keras.layers.RNN(\n    keras.layers.GRUCell(\n"
        "        4,  # units\n    ),\n    name='r',\n)\n",
        "import keras\na = keras.layers.GRU(\n        4,  # units\n    name='r',\n)\n",
    ),
    "a chain on a tensor": (
        CELLS + "x = keras.Input((3, 4))\ny = RNN(StackedRNNCells([LSTMCell(4), GRUCell(5)]), name='r')(x)\n",
        CELLS.replace("StackedRNNCells", "StackedRNNCells, LSTM, GRU")
        + "x = keras.Input((3, 4))\ny = GRU(5, name='r')(LSTM(4, return_sequences=True)(x))\n",
    ),
    "a chain that is added": (
        "import keras\nfrom keras import layers as k\nm = keras.Sequential()\nif m:\n"
        "    m.add(k.RNN([k.LSTMCell(4), k.LSTMCell(5)]))\n",
        "import keras\nfrom keras import layers as k\nm = keras.Sequential()\nif m:\n"
        "    m.add(k.LSTM(4, return_sequences=True))\n    m.add(k.LSTM(5))\n",
    ),
    "an old class, imported": (
        "from keras.layers import CuDNNGRU, CuDNNLSTM, Dense\na = CuDNNLSTM(4)\nb = CuDNNGRU(4, time_major=False)\n",
        "from keras.layers import GRU, LSTM, Dense\na = LSTM(4)\nb = GRU(4)\n",
    ),
    "an old class beside the new one": (
        "from keras.layers import LSTM, CuDNNLSTM\na = CuDNNLSTM(4) if LSTM else 0\n",
        "from keras.layers import LSTM\na = LSTM(4) if LSTM else 0\n",
    ),
    "a shape of batches": (
        "import keras\nm = keras.Sequential()\n"
        "m.add(keras.layers.LSTM(4, batch_input_shape=(1, 2, 3), stateful=True))  # first\n",
        "import keras\nm = keras.Sequential()\nm.add(keras.layers.Input(batch_shape=(1, 2, 3)))\n"
        "m.add(keras.layers.LSTM(4, stateful=True))  # first\n",
    ),
}  # fmt: skip


def test_a_single_cell_in_a_stack_becomes_its_layer(tmp_path: Path) -> None:
    text = CELLS + "a = RNN(StackedRNNCells([GRUCell(4, name='c')]), True)\nb = RNN([GRUCell(4)], name='b')\n"
    new = CELLS.replace("StackedRNNCells", "StackedRNNCells, GRU")
    assert fixed_text(tmp_path, text, TARGET) == new + "a = GRU(4, return_sequences=True)\nb = GRU(4, name='b')\n"


@pytest.mark.parametrize(
    "made",
    [
        "RNN([LSTMCell(4)], return_state=True)",
        "RNN(StackedRNNCells([GRUCell(4)], dtype='float64'))",
        "RNN([\n    GRUCell(4),  # first\n])",
    ],
)
def test_a_single_cell_in_a_stack_is_left_where_a_layer_would_not_be_the_same(tmp_path: Path, made: str) -> None:
    assert fixed_text(tmp_path, f"{CELLS}a = {made}\n", TARGET) == f"{CELLS}a = {made}\n"


@pytest.mark.parametrize("case", CLASSES)
def test_one_class_takes_the_place_of_another(case: str, tmp_path: Path) -> None:
    old, new = CLASSES[case]
    assert fixed_text(tmp_path, old, TARGET) == new


def test_a_fix_that_takes_a_comment_along_is_not_safe(tmp_path: Path) -> None:
    text = HEAD + "a = LSTM(\n    4,\n    unroll=(\n        True  # why\n    ),\n)\n"
    path = tmp_path / "program.py"
    path.write_text(text)
    assert fixed(path, kinds=SAFE)[0] == text.encode()
    (found,) = pipeline.check(request(path)).report.diagnostics
    assert found.fix is not None
    assert found.fix.applicability is Applicability.UNSAFE
    assert found.fix.message.endswith("This also removes a comment.")


def test_a_fix_is_as_safe_as_it_is_for_the_least_of_the_targets(tmp_path: Path) -> None:
    text = "import tensorflow as tf\na = tf.keras.layers.LSTM(4, unroll=True, dropout=0.1)\n"
    path = tmp_path / "program.py"
    path.write_text(text)
    assert b"unroll" not in fixed(path, TARGET, kinds=SAFE)[0]
    both = f"{TARGET},tf_keras@{NEWEST_TF_KERAS}"
    assert fixed(path, both, kinds=SAFE)[0] == text.encode()
    found = pipeline.check(request(path, both)).report.diagnostics
    assert [one.fix.applicability for one in found if one.fix is not None] == [Applicability.UNSAFE] * 2
    assert b"unroll" not in fixed(path, both, kinds=ALL)[0]


#: Text that does more than give a value, and classes that are called by another name: no fix can be written for them.
LEFT_ALONE = {
    "a name is bound": "a = LSTM(4, unroll=(loop := True))\nprint(loop)\n",
    "a call that may do more": "log = []\na = LSTM(4, unroll=log.append(1) is None)\nassert log\n",
    "a value that a call gives": "seen = []\nhow = seen.append(1) is None\na = LSTM(4, unroll=how)\n",
    "a cell's name": "names = ['a']\na = keras.layers.RNN(keras.layers.LSTMCell(4, name=names.pop()))\n",
    "an attribute of an object": "class M:\n    def __init__(self):\n        self.kind = keras.layers.CuDNNGRU\n"
    "    def layer(self):\n        return self.kind(4)\nM().layer()\n",
    "an attribute with the class's name": "class M:\n    CuDNNGRU = keras.layers.CuDNNGRU\n    def layer(self):\n"
    "        return self.CuDNNGRU(4)\nM().layer()\n",
    "a cell in an attribute": "class M:\n    def __init__(self):\n        self.cell = keras.layers.LSTMCell\n"
    "    def layer(self):\n        return keras.layers.RNN(self.cell(4))\nM().layer()\n",
    "a namespace": "import types\nL = types.SimpleNamespace(CuDNNLSTM=keras.layers.CuDNNLSTM)\nL.CuDNNLSTM(4)\n",
}


@pytest.mark.parametrize("what", LEFT_ALONE)
def test_what_may_do_more_or_has_another_name_is_left_alone(what: str, tmp_path: Path) -> None:
    text = HEAD + LEFT_ALONE[what]
    assert fixed_text(tmp_path, text) == text


def test_a_call_inside_a_lambda_is_not_made_where_it_is_written(tmp_path: Path) -> None:
    text = HEAD + "a = LSTM(4, activation=lambda x: keras.ops.tanh(x))\n"
    assert fixed_text(tmp_path, text) == HEAD + "a = LSTM(4)\n"


@pytest.mark.parametrize("call", ["keras.layers.CuDNNGRU", "layers.CuDNNGRU", "tf.keras.layers.CuDNNGRU"])
def test_a_class_of_a_module_is_replaced(call: str, tmp_path: Path) -> None:
    text = f"import keras.layers\nimport tensorflow as tf\nlayers = keras.layers\n{call}(4)\n"
    assert fixed_text(tmp_path, text) == text.replace("CuDNN", "")
