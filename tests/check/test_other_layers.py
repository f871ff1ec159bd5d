"""A file whose recurrent layers are none of Keras gets a note in place of silence."""

import pytest


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("a = GRUCell(3)\no, _ = tf.nn.bidirectional_dynamic_rnn(a, a, x)\n", "Cells of TensorFlow 1"),
        ("import tensorflow as tf\nc = tf.contrib.rnn.LSTMCell(4)\n", "Cells of TensorFlow 1"),
        ("import tensorflow as tf\nc = tf.contrib.cudnn_rnn.CudnnLSTM(1, 4)\n", "run in cuDNN, and on a GPU only"),
        ("import torch.nn as nn\nlayer = nn.LSTM(3, 4)\n", "nn.LSTM, nn.GRU and nn.RNN of PyTorch"),
        ("layer = nn.LSTM(3, 4)\n", None),
        ("import keras\nimport torch.nn as nn\nlayer = keras.layers.LSTM(3)\nother = nn.LSTM(3, 4)\n", None),
        ("import keras\nimport torch.nn as nn\nd = keras.layers.Dense(3)\nother = nn.LSTM(3, 4)\n", "PyTorch"),
    ],
)
def test_layers_of_others_are_noted(run, tmp_path, source, told):
    (tmp_path / "m.py").write_text(source, encoding="utf-8")
    said = " ".join(run("m.py").out.split())
    assert ("m.py: note: " in said and told in said) if told else "note:" not in said
