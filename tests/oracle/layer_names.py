"""What the installed Keras does with names of layers: one line of JSON.

    python layer_names.py --framework keras            or tf_keras, tensorflow (tf.keras)

    {"framework", "keras", "tensorflow", "backend", "names": {name: a letter}}

r: a functional model with an LSTM of this name ran on a CPU. s: it stopped, while it was built or when it ran. The
answers of several releases are in fixtures/evidence/layer_names.json, one a line. Runs on Python 3.7 and up.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

NAMES = (
    "lstm", "my lstm", "LSTM 1", "lstm:1", "schicht_\u00e4", "lstm(1)", "lstm,1", "lstm#1", "lstm-1", "1lstm",
    "lstm_1", "lstm\\1", "", "lstm=1",
)  # fmt: skip


def answer(keras: Any, name: str) -> str:
    """Build a model with a layer of this name, and run it."""
    import numpy as np

    keras.backend.clear_session()
    try:
        given = keras.Input((3, 4))
        model = keras.Model(given, keras.layers.Dense(1)(keras.layers.LSTM(2, name=name)(given)))
        model.predict(np.ones((2, 3, 4), "float32"), verbose=0)
    except Exception:
        return "s"
    return "r"


def main() -> None:
    """Ask, print."""
    from ask import asked_of, named_keras

    framework, keras = named_keras(__doc__)
    asked = {
        **asked_of(framework, keras),
        "names": {name: answer(keras, name) for name in NAMES},
    }
    print(json.dumps(asked))


if __name__ == "__main__":
    main()
