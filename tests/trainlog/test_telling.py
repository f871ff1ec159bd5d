"""What an error tells whatever its wording: whose line stopped, and what its numbers, names and values say."""

from __future__ import annotations

import io
import json

import pytest

from cudnnlint.dev.keras_names import written
from cudnnlint.trainlog import known_names, python_messages, run, told_shapes
from cudnnlint.trainlog.frames import stop

OWN = '  File "/home/u/train.py", line 7, in main\n    model.fit(x, y)\n'
KERAS = '  File "/usr/site-packages/keras/src/layers/rnn/lstm.py", line 9, in call\n    raise ValueError(x)\n'
TORCH = '  File "/usr/lib/python3.11/site-packages/torch/nn/modules/rnn.py", line 9, in forward\n    x\n'
SKLEARN = '  File "/usr/lib/python3.11/site-packages/sklearn/utils/validation.py", line 9, in check_array\n    x\n'
RAISED = '  File "/home/u/data.py", line 3, in read\n    raise ValueError("no files")\n'


def entry(text):
    told = json.loads(run(io.BytesIO(text.encode()), None, "json")[0])["entries"]
    assert len(told) == 1
    return told[0]


@pytest.mark.parametrize(
    ("text", "owner", "where"),
    [
        (OWN, "own", "train.py:7 in main: `model.fit(x, y)`"),
        (OWN + RAISED, "raised", 'data.py:3 in read: `raise ValueError("no files")`'),
        (KERAS, "recurrent", "it ends in keras/src/layers/rnn/lstm.py, call"),
        (OWN + TORCH, "torch", "train.py:7 in main: `model.fit(x, y)`; it ends in torch/nn/modules/rnn.py, forward"),
        (SKLEARN, "package", "it ends in sklearn/utils/validation.py, check_array"),
        (KERAS + OWN, "own", "train.py:7 in main: `model.fit(x, y)`"),
        ("nothing of the kind\n", "", ""),
    ],
)  # fmt: skip
def test_a_traceback_says_whose_line_stopped(text, owner, where):
    stopped = stop(text)
    assert (stopped.owner, str(stopped)) == (owner, where)


@pytest.mark.parametrize(
    ("message", "fact"),
    [
        ("cannot reshape array of size 99 into shape (1,100,1)", "takes 100 numbers and there are 99: 1 too few"),
        ("Incompatible shapes: [100,24,1] vs. [100,24]", "(100, 24) lacks the last axis"),
        ("Incompatible shapes: [19] vs. [30]", "the rows differ, 19 and 30"),
        ("Shapes (None, 3) and (None, 50, 3) are incompatible", "one has an axis for the steps and the other has not"),
        ("Operands could not be broadcast together with shapes (1, 810) (10, 81)", "`reshape` makes (10, 81)"),
        ("could not broadcast input array from shape (4794,1) into shape (0,1)", "one of them is empty"),
        ("indices[0,2] = -1 is not in [0, 15663)", "-1 is below 0"),
        ("indices[1038,1] = 509 is not in [0, 500)", "509 wants 510 rows or classes at least, and there are 500"),
    ],
)  # fmt: skip
def test_the_numbers_of_a_message_are_explained(message, fact):
    assert fact in " ".join(told_shapes.said(message))


@pytest.mark.parametrize("message", ["loss: 0.25 in epoch 3", "shape (3, 4) of the picture", "ValueError: 4 and 5", ""])
def test_numbers_that_no_message_compares_are_left_alone(message):
    assert told_shapes.said(message) == []


@pytest.mark.parametrize(
    ("message", "fact"),
    [
        ("cannot import name 'CuDNNLSTM' from 'tensorflow.keras.layers'", "no later release of Keras has `CuDNNLSTM`"),
        ("cannot import name 'Recurrent' from 'keras.layers.recurrent'", "has `Recurrent` in Keras 1.2.2 to 2.3.1"),
        ("cannot import name 'Layer' from 'keras.engine'", "today it is `keras.Layer`"),
        ("module 'keras.layers' has no attribute 'LSMT'", "`keras.layers.LSTM` is meant"),
        ("name 'LSTM' is not defined", "`LSTM` was never imported: `from keras.layers import LSTM`"),
        ("name 'x' is not defined", "no line before this one gives `x` a value"),
        ("cannot import name 'Net' from 'model' (/home/u/model.py)", "`model` is a file of the program itself"),
        ("No module named 'helper'", "then run it from the folder of helper.py"),
    ],
)  # fmt: skip
def test_a_name_that_is_missing_is_looked_up(message, fact):
    assert fact in " ".join(known_names.said(message))


def test_an_import_without_a_module_is_read_in_the_line_above():
    above = '  File "a.py", line 1, in <module>\n    from keras.layers import Merge, Dense\n'
    told = " ".join(known_names.said("cannot import name 'Merge'", above))
    assert "`keras.layers` has `Merge` in Keras 1.2.2" in told
    assert known_names.said("cannot import name 'Nothing'") == []


def test_of_pythons_messages_the_first_that_fits_is_told():
    assert "`n` gets its value" in python_messages.said("local variable 'n' referenced before assignment")[0]
    assert python_messages.said("ValueError: something else") == []


def test_an_attribute_that_the_own_class_never_set_is_told_from_one_of_a_value():
    own = '  File "/home/u/net.py", line 8, in call\n    return self.gru(x)\n'
    facts = entry(f"{own}AttributeError: 'Net' object has no attribute 'gru'")["facts"]
    assert "no line of the class Net has given `self.gru`" in facts[0]
    listed = "AttributeError: 'list' object has no attribute 'items'"
    assert "is a list" in entry(f"{OWN}{listed}")["facts"][0]
    inside = KERAS.replace("in call", "in class_and_config_for_serialized_keras_object")
    told = entry(f"{inside}{listed}")
    assert told["facts"] == []
    assert "while it read the configuration in a file" in told["means"]


def test_what_kind_of_value_it_is_stays_away_from_a_message_that_is_known():
    lines = "    v = f.attrs['keras_version'].decode('utf8')\nAttributeError: 'str' object has no attribute 'decode'"
    told = entry(lines)
    assert "h5py" in told["means"]
    assert told["facts"] == []


def test_ranges_of_releases_are_written_with_their_gaps():
    found = {
        "a": {"keras.layers": {0, 2}},
        "b": {"tensorflow.keras": {1, 2}},
        "__c": {"keras": {0}},
    }
    text = written(["1.0", "2.0", "3.0"], found)
    assert 'a = "K.layers 1.0,3.0-"' in text
    assert 'b = "T 2.0-"' in text
    assert "__c" not in text
