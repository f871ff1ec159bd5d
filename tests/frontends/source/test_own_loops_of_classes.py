"""Whether a method of the user's own class reaches the one in which Keras chooses cuDNN, or calls the kernel itself.

Keras 3.15.1 and tf_keras 2.21.0 were asked: a method that calls `keras.src.backend.lstm` runs in cuDNN.
"""

from __future__ import annotations

import pytest

from cudnnlint.core.names import Names
from cudnnlint.frontends.source import read

KERNEL = "keras.src.backend.lstm(sequences, self.cell.kernel)"


@pytest.mark.parametrize(
    ("base", "name", "body", "calls_super", "may_call_super"),
    [
        ("LSTM", "inner_loop", "return super().inner_loop(sequences)", True, False),
        ("RNN", "inner_loop", "return super().inner_loop(sequences)", True, False),
        ("LSTM", "inner_loop", "return keras.layers.RNN.inner_loop(self, sequences)", False, False),
        ("LSTM", "inner_loop", f"return {KERNEL}", False, True),
        ("RNN", "inner_loop", f"return {KERNEL}", False, True),
        ("GRU", "call", "return keras.src.backend.gru(sequences)", False, True),
        ("LSTM", "call", "return tf.raw_ops.CudnnRNNV3(sequences)", False, True),
        ("LSTM", "call", "return recurrent.lstm_with_backend_selection(sequences)", False, True),
        ("RNN", "call", "return fast(sequences, 1)", False, True),
        ("RNN", "call", "return slow(sequences, 1)", False, False),
        ("RNN", "call", "return [self.cell(one) for one in sequences]", False, False),
        ("LSTM", "call", "return self.lstm(sequences)", False, False),
        ("LSTM", "call", "return unread(sequences)", False, True),
        ("RNN", "call", "return recurrent.loop(sequences)", False, True),
    ],
)
def test_a_method_reaches_the_kernel(
    base: str, name: str, body: str, calls_super: bool, may_call_super: bool, names: Names
) -> None:
    program = (
        f"import keras, recurrent\nimport tensorflow as tf\nfrom keras.layers import GRU, LSTM, RNN, LSTMCell\n"
        f"def fast(x, cell):\n    return {KERNEL.replace('self', 'x')}\ndef slow(x, cell):\n    return x\n"
        f"class Mine({base}):\n    def {name}(self, sequences, initial_state=None, mask=None, training=False):\n"
        f"        {body}\nMine({'LSTMCell(3)' if base == 'RNN' else 3})\n"
    )
    (layer,) = (one for one in read("p.py", program.encode(), names).layers if one.variants[0].subclass)
    made = layer.variants[0]
    assert made.overrides == (name,)
    assert (made.calls_super == (name,), made.may_call_super == (name,)) == (calls_super, may_call_super)
