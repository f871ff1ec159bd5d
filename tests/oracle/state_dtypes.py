"""What the installed Keras does with an initial state of each dtype under each policy: one line of JSON.

    python state_dtypes.py --framework keras            or tf_keras, tensorflow (tf.keras)

    {"framework", "keras", "tensorflow", "found": {class: {policy: a letter for each of DTYPES}}}

r: the model ran on a CPU. s: it stopped, while it was built or when it ran. The answers of several releases are in
fixtures/evidence/state_dtypes.json, one a line. Runs on Python 3.7 and up.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

CLASSES = {
    "LSTM": "layers.LSTM(4)",
    "GRU": "layers.GRU(4)",
    "SimpleRNN": "layers.SimpleRNN(4)",
    "RNN": "layers.RNN(layers.LSTMCell(4))",
    "without a kernel": 'layers.LSTM(4, activation="relu")',
    "Bidirectional": "layers.Bidirectional(layers.LSTM(4))",
}
STATES = {"GRU": 1, "SimpleRNN": 1, "Bidirectional": 4}
POLICIES = ("float32", "mixed_float16", "float64")
DTYPES = ("float16", "float32", "float64", "int32")


def call(kind: str, dtype: str) -> str:
    """The text of a call with states."""
    states = ", ".join([f'keras.Input((4,), dtype="{dtype}")'] * STATES.get(kind, 2))
    return f"{CLASSES[kind]}(keras.Input((5, 3)), initial_state=[{states}])"


def policy(keras: Any, name: str) -> None:
    """Set the global policy, by the name that it has in this release."""
    mixed = keras.mixed_precision
    if hasattr(mixed, "set_global_policy"):
        mixed.set_global_policy(name)
    else:
        mixed.experimental.set_policy(name)


def answer(keras: Any, text: str, name: str) -> str:
    """Build the model of a call, and run it."""
    import numpy as np

    keras.backend.clear_session()
    policy(keras, name)
    made: list[Any] = []

    class Noting:
        """Keras, which notes the Inputs."""

        @staticmethod
        def Input(*args: Any, **kwargs: Any) -> Any:
            made.append(keras.Input(*args, **kwargs))
            return made[-1]

    try:
        outputs = eval(text, {"keras": Noting, "layers": keras.layers})
        dtypes = [str(getattr(one.dtype, "name", one.dtype)) for one in made]
        data = [np.ones([2, *map(int, one.shape[1:])], dtype) for one, dtype in zip(made, dtypes)]
        keras.Model(made, outputs).predict(data, verbose=0)
    except Exception:
        return "s"
    return "r"


def main() -> None:
    """Ask, print."""
    from ask import named_keras

    framework, keras = named_keras(__doc__)
    found = {
        kind: {name: "".join(answer(keras, call(kind, dtype), name) for dtype in DTYPES) for name in POLICIES}
        for kind in CLASSES
    }
    import tensorflow

    release = str(getattr(keras, "__version__", ""))
    print(json.dumps({"framework": framework, "keras": release, "tensorflow": tensorflow.__version__, "found": found}))


if __name__ == "__main__":
    main()
