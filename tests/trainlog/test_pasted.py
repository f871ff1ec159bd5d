"""Code in a pasted text is found among prose and messages, line by line, with the release that the text states."""

import pytest

from cudnnlint.trainlog.pasted import MOST_LINES, pasted

QUESTION = """\
My model is slow, why?

WARNING:tensorflow:Layer lstm will not use cuDNN kernels since it doesn't meet the criteria.
```python
model = Sequential()
model.add(LSTM(64, activation='relu',
               input_shape=(30, 5)))
def more(x):
    return x
```
Thanks
loss: 0.25
Traceback (most recent call last):
  File "train.py", line 3, in <module>
    model.add(LSTM(64, unroll=True))
"""


def kept(text):
    """The rows that were taken for code, without the line of imports."""
    found = pasted(text.split("\n"))
    return {row: line for row, line in enumerate(found.source.split("\n"), 1) if line and row > 1}


def test_code_keeps_its_rows_and_the_rest_is_left_out():
    assert kept(QUESTION) == {
        5: "model = Sequential()",
        6: "model.add(LSTM(64, activation='relu',",
        7: "               input_shape=(30, 5)))",
        8: "def more(x):",
        9: "    return x",
    }


def test_prompts_and_indents_are_taken_off():
    assert kept("so:\n>>> x = LSTM(3)(y)\n    z = GRU(4)(x)\nIn [3]: w = GRU(2)(z)") == {
        2: "x = LSTM(3)(y)",
        3: "z = GRU(4)(x)",
        4: "w = GRU(2)(z)",
    }


@pytest.mark.parametrize(
    "text",
    ["I use an LSTM (two layers) here", "so:\n    model.add(LSTM(64,", "x = 1", "n\n" * MOST_LINES + "x = LSTM(3)"],
)
def test_text_without_a_layer_of_its_own_is_left_alone(text):
    assert pasted(text.split("\n")) is None


@pytest.mark.parametrize(
    ("stated", "target"),
    [
        ("TensorFlow version: 2.4.1", "tensorflow@2.4.1"),
        ("tensorflow-gpu==2.2.0", "tensorflow@2.2.0"),
        ("I run TF 2.10", "tensorflow@2.10"),
        ("TensorFlow 2.4 is slower than TensorFlow 2.3", None),
        ("- TensorFlow version (use command below): v2.1.0-rc2-17-ge5bf8de 2.1.0", "tensorflow@2.1.0"),
        ("tensorflow/python/ops.py 2.1, Keras 2.2.4-tf", None),
        ("from keras import layers\nKeras 2.2.5 on TensorFlow 1.14", "keras@2.2.5"),
        ("from keras import layers\nTensorFlow 2.15", None),
    ],
)
def test_the_release_that_a_text_states_is_the_target(stated, target):
    assert pasted([*stated.split("\n"), "x = LSTM(3)(y)"]).target == target


def test_a_block_in_the_first_line_gets_no_imports():
    assert pasted(["def f():", "    return LSTM(3)"]).source == "def f():\n    return LSTM(3)"


@pytest.mark.parametrize(
    ("stated", "targets", "target", "standalone"),
    [
        ("Keras 2.1.5", (), "keras@2.1.5", True),
        ("Keras 2.1.5, tf.keras", (), None, False),
        ("tensorflow 2.4.1", (), "tensorflow@2.4.1", False),
        ("", ("keras@1.2",), None, True),
        ("", ("keras@2.3", "tensorflow@2.4"), None, False),
        ("import tensorflow.keras", ("keras@2.3",), None, False),
    ],
)
def test_code_without_imports_takes_the_keras_that_is_asked_for_or_stated(stated, targets, target, standalone):
    found = pasted(["x = LSTM(3)(y)", *stated.split("\n")], targets)
    assert (found.target, found.source.startswith("import keras;")) == (target, standalone)


@pytest.mark.parametrize(
    ("text", "gpu"),
    [
        ("tensorflow-macos 2.8.0 tensorflow-metal 0.4 on M1", "metal"),
        ("on my MacBook with Apple silicon", "metal"),
        ("tensorflow-rocm 2.8.0 on MI100", "rocm"),
        ("tensorflow-directml-plugin, tensorflow 2.10.0, AMD RX7600", "directml"),
        ("AMD Ryzen 9 5900X", None),
        ("AMD Radeon inside, GeForce RTX 3070 used", None),
        ("M1 = Model(x, y)", None),
    ],
)
def test_a_gpu_without_cudnn_is_known_by_its_name(text, gpu):
    assert pasted([text, "x = LSTM(3)(y)"]).gpu == gpu
