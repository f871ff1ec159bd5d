"""Recurrent layers that are no Keras layers: a file that has only those gets a note in place of silence."""

from __future__ import annotations

import re

#: What a file calls, and what is said of it. The first one that a file has counts.
_OTHERS = (
    (
        re.compile(r"\bcudnn_rnn\.Cudnn\w+\("),
        "The layers of tf.contrib.cudnn_rnn run in cuDNN, and on a GPU only. They are not Keras layers, so cudnnlint "
        "does not check them. TensorFlow 2 has none: there, LSTM and GRU of tf.keras use the same kernel.",
    ),
    (
        re.compile(r"\b(?:\w*(?:static|dynamic|raw)_rnn|static_bidirectional_rnn|rnn_cell\.\w+|contrib\.rnn\.\w+)\("),
        "Cells of TensorFlow 1 (tf.nn.rnn_cell, tf.contrib.rnn) run step by step in a loop, never in cuDNN. They are "
        "not Keras layers, so cudnnlint does not check them. LSTM and GRU of tf.keras in TensorFlow 2 run in cuDNN.",
    ),
    (
        re.compile(r"\bnn\.(?:LSTM|GRU|RNN)\("),
        "nn.LSTM, nn.GRU and nn.RNN of PyTorch choose cuDNN by themselves on a GPU. They are not Keras layers, so "
        "cudnnlint does not check them.",
    ),
)
_TORCH = re.compile(r"^\s*(?:import|from) torch\b", re.MULTILINE)


def notes(text: str) -> tuple[str, ...]:
    """Return what to say of a file in which no layer of Keras was found."""
    for called, note in _OTHERS:
        if called.search(text) and (called is not _OTHERS[-1][0] or _TORCH.search(text)):
            return (note,)
    return ()
