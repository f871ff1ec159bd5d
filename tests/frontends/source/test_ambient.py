"""What a file says once keeps a verdict from being guessed."""

from __future__ import annotations

import pytest

from cudnnlint import rulebook
from cudnnlint.core.fact import Known, Unknown
from cudnnlint.frontends.source.reader import read

LAYER = "layer = tf.keras.layers.LSTM(8)\n"


def around(text: str, name: str) -> object:
    source = f"import os\nimport tensorflow as tf\n{text}\n{LAYER}".encode()
    (layer,) = read("a.py", source, rulebook.load().tables.names).layers
    return layer.calls[0].around(name) if layer.calls else None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("tf.compat.v1.disable_eager_execution()", "eager_disabled"),
        ("with tf.Graph().as_default():\n    pass", "eager_disabled"),
        ('with tf.device("/device:CPU:0"):\n    pass', "device"),
        ("@tf.function(jit_compile=True)\ndef step(x):\n    return x", "xla"),
        ("def go(m):\n    m.compile(tf.keras.optimizers.Adam(1e-3), jit_compile=True)", "jit_compile"),
    ],
)
def test_what_is_not_followed_is_unknown_with_its_place(text: str, name: str) -> None:
    fact = around(text, name)
    assert isinstance(fact, Unknown)
    assert fact.place is not None


def test_a_gpu_hidden_at_the_top_is_known_and_in_a_branch_is_not_looked_at() -> None:
    assert isinstance(around('os.environ["CUDA_VISIBLE_DEVICES"] = "-1"', "device"), Known)
    assert around('if tf.x:\n    os.environ["CUDA_VISIBLE_DEVICES"] = "-1"', "device") is None


def test_nothing_said_leaves_the_calls_alone() -> None:
    assert around('with tf.device("/GPU:0"):\n    pass', "device") is None
