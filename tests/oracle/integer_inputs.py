"""What the installed Keras does with integers and booleans in layers that have no kernel: one line of JSON.

    python integer_inputs.py --framework keras            or tf_keras, tensorflow (tf.keras)

    {"framework", "keras", "tensorflow", "backend", "found": {layer: {mode: a letter for each of DTYPES}}}

mode: graph (`model.predict`) or eager (`layer(tensor)`). r: it ran on a CPU. s: it stopped, while it was built or when
it ran. n: this release has no such class. What a layer with a kernel does on a GPU cannot be asked this way. The
answers of several releases are in fixtures/evidence/integer_inputs.json, one a line. Runs on Python 3.7 and up.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

DTYPES = ("int32", "int64", "uint8", "bool")
#: The layer, and the shape of its input without the batch.
LAYERS = {
    "LSTM": ('layers.LSTM(2, activation="relu")', (3, 4)),
    "GRU": ('layers.GRU(2, activation="relu")', (3, 4)),
    "SimpleRNN": ("layers.SimpleRNN(2)", (3, 4)),
    "RNN": ("layers.RNN(layers.LSTMCell(2))", (3, 4)),
    "RNN of several": ("layers.RNN([layers.LSTMCell(2), layers.GRUCell(2)])", (3, 4)),
    "Bidirectional": ("layers.Bidirectional(layers.SimpleRNN(2))", (3, 4)),
    "TimeDistributed": ("layers.TimeDistributed(layers.SimpleRNN(2))", (2, 3, 4)),
    "ConvLSTM1D": ("layers.ConvLSTM1D(2, 1)", (3, 4, 2)),
    "ConvLSTM2D": ("layers.ConvLSTM2D(2, 1)", (3, 4, 4, 2)),
    "ConvLSTM3D": ("layers.ConvLSTM3D(2, 1)", (3, 2, 2, 2, 2)),
    "ConvLSTM2D with dropout": ("layers.ConvLSTM2D(2, 1, dropout=0.2)", (3, 4, 4, 2)),
    "ConvLSTM2D with recurrent dropout": ("layers.ConvLSTM2D(2, 1, recurrent_dropout=0.2)", (3, 4, 4, 2)),
}
MODES = ("graph", "eager")


def answer(keras: Any, name: str, mode: str, dtype: str) -> str:
    """Call a layer with integers, and run it."""
    import numpy as np

    text, shape = LAYERS[name]
    keras.backend.clear_session()
    data = np.ones((2, *shape), dtype)
    try:
        layer = eval(text, {"layers": keras.layers})
    except AttributeError:
        return "n"
    try:
        if mode == "eager":
            layer(convert(keras, data))
        else:
            given = keras.Input(shape, dtype=dtype)
            keras.Model(given, layer(given)).predict(data, verbose=0)
    except Exception:
        return "s"
    return "r"


def convert(keras: Any, data: Any) -> Any:
    """Return an array as a tensor of the backend."""
    if hasattr(keras, "ops"):
        return keras.ops.convert_to_tensor(data)
    import tensorflow

    return tensorflow.convert_to_tensor(data)


def main() -> None:
    """Ask, print."""
    from ask import asked_of, named_keras

    framework, keras = named_keras(__doc__)
    found = {
        name: {mode: "".join(answer(keras, name, mode, dtype) for dtype in DTYPES) for mode in MODES} for name in LAYERS
    }
    print(json.dumps({**asked_of(framework, keras), "found": found}))


if __name__ == "__main__":
    main()
