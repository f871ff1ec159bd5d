"""What the installed Keras does with weights in half precision: one line of JSON.

    python undrawn_weights.py --framework keras        or tf_keras, tensorflow (tf.keras)

    {"framework", "keras", "tensorflow", "backend", "lines": {line: a letter}}

r: a functional model with this layer ran on a CPU. s: it stopped, while it was built or when it ran. The answers of
several releases are in fixtures/evidence/undrawn_weights.json, one a line. Runs on Python 3.7 and up.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

DTYPES = ("float16", "bfloat16", "float64")
MIXED = "mixed_float16"  # its weights are float32
OF_SEQUENCES = (
    "SimpleRNN(2, dtype={d})",
    "SimpleRNN(2, dtype={d}, recurrent_initializer='zeros')",
    "SimpleRNN(2, dtype={d}, recurrent_initializer='Orthogonal')",
    "LSTM(2, dtype={d}, activation='relu')",
    "GRU(2, dtype={d}, activation='relu', recurrent_initializer='glorot_uniform')",
    "GRU(2, dtype={d}, activation='relu', recurrent_initializer='zeros', kernel_initializer='orthogonal')",
    "GRU(2, dtype={d}, activation='relu', recurrent_initializer=keras.initializers.Orthogonal())",
    "RNN(layers.GRUCell(2, dtype={d}), dtype={d})",
    "RNN([layers.GRUCell(2, dtype={d}), layers.LSTMCell(2, dtype={d}, recurrent_initializer='zeros')], dtype={d})",
    "RNN(layers.SimpleRNNCell(2, dtype={d}, recurrent_initializer='zeros'), dtype={d})",
)
LINES = tuple(line.format(d=repr(dtype)) for dtype in DTYPES for line in OF_SEQUENCES) + tuple(
    line.format(d=repr(MIXED)) for line in OF_SEQUENCES if "[" not in line
)


def answer(keras: Any, line: str) -> str:
    """Build a model with the layer, and run it."""
    import numpy as np

    keras.backend.clear_session()
    try:
        given = keras.Input((3, 4))
        layer = eval(line, {"keras": keras, "layers": keras.layers, **vars(keras.layers)})
        keras.Model(given, layer(given))(np.ones((2, 3, 4), "float32"))
    except Exception:
        return "s"
    return "r"


def main() -> None:
    """Ask, print."""
    from ask import asked_of, named_keras

    framework, keras = named_keras(__doc__)
    asked = {**asked_of(framework, keras), "lines": {line: answer(keras, line) for line in LINES}}
    print(json.dumps(asked))


if __name__ == "__main__":
    main()
