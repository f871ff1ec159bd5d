"""What the installed Keras does with inputs and arguments that a layer is called with: one line of JSON.

    python call_keywords.py --framework keras            or tf_keras, tensorflow (tf.keras)

    {"framework", "keras", "tensorflow", "backend", "found": {layer: {keyword, or how the input is listed: a letter}}}

r: the call was taken. s: it stopped. n: this release has no such layer. The answers of several releases are in
fixtures/evidence/call_keywords.json, one a line. Runs on Python 3.7 and up.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

FIRST = ("inputs", "sequences", "sequence", "x", "input_tensor")  # the input itself under this name
LISTED = ("[{}]", "({},)", "[{}, *states]")  # the input in a list or a tuple, alone or with the states
FURTHER = ("mask", "training", "initial_state", "constants", "states", "state", "masks", "is_training")
#: The layer, and the shape of its input without the batch.
LAYERS = {
    "LSTM": ("layers.LSTM(2)", (3, 4)),
    "GRU": ("layers.GRU(2)", (3, 4)),
    "SimpleRNN": ("layers.SimpleRNN(2)", (3, 4)),
    "RNN": ("layers.RNN(layers.LSTMCell(2))", (3, 4)),
    "Bidirectional": ("layers.Bidirectional(layers.LSTM(2))", (3, 4)),
    "TimeDistributed": ("layers.TimeDistributed(layers.LSTM(2))", (2, 3, 4)),
    "ConvLSTM2D": ("layers.ConvLSTM2D(2, 1)", (3, 4, 4, 2)),
}

STATES = {"LSTM": 2, "RNN": 2, "Bidirectional": 4, "ConvLSTM2D": 0}  # of the other layers one


def text(layer: str, keyword: str) -> str:
    """Return the call as Python; what is passed besides the input is None, and so changes nothing."""
    made, shape = LAYERS[layer]
    given = f"layers.Input({shape})"
    if keyword in LISTED:
        states = ", ".join(["layers.Input((2,))"] * STATES.get(layer, 1))
        return f"{made}({keyword.format(given).replace('*states', states)})"
    return f"{made}({keyword}={given})" if keyword in FIRST else f"{made}({given}, {keyword}=None)"


def answer(keras: Any, layer: str, keyword: str) -> str:
    """Call the layer once."""
    if not hasattr(keras.layers, layer):
        return "n"
    keras.backend.clear_session()
    try:
        eval(text(layer, keyword), {"layers": keras.layers})
    except Exception:
        return "s"
    return "r"


def main() -> None:
    """Ask, print."""
    from ask import asked_of, named_keras

    framework, keras = named_keras(__doc__)
    found = {layer: {one: answer(keras, layer, one) for one in FIRST + FURTHER + LISTED} for layer in LAYERS}
    print(json.dumps({**asked_of(framework, keras), "found": found}))


if __name__ == "__main__":
    main()
