"""What the installed Keras does with values of arguments that it has no use for: one line of JSON.

    python argument_values.py --framework keras            or tf_keras, tensorflow (tf.keras)

    {"framework", "keras", "tensorflow", "backend", "found": {layer: {argument: a letter for each of VALUES}}}

r: a functional model with this layer ran on a CPU, as in training and as in inference (standalone Keras 2: in inference
alone). s: it stopped, while it was built or when it ran. n: this release has no such argument. The answers of several
releases are in fixtures/evidence/argument_values.json, one a line. Runs on Python 3.7 and up.
"""

from __future__ import annotations

import inspect
import json
import os
import sys
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

VALUES = (
    "None", "True", "False", "0", "1", "-1", "0.5", "1.0", "float('nan')", "np.int64(2)", "np.float32(0.5)",
    "np.bool_(True)", "''", "'x'", "b'x'", "[]", "[1]", "(1, 2)", "{}", "{'a': 1}", "object()", "len",
)  # fmt: skip
ARGUMENTS = (
    "units", "dropout", "recurrent_dropout", "activation", "recurrent_activation", "use_bias", "unroll", "stateful",
    "go_backwards", "return_sequences", "return_state", "implementation", "reset_after", "unit_forget_bias",
    "zero_output_for_mask", "name", "trainable", "seed", "dtype",
)  # fmt: skip
EVERYWHERE = ("name", "trainable", "dtype")  # which a constructor may take as **kwargs
#: LSTM is asked for all of them, the others for what is theirs.
LAYERS = {"LSTM": ARGUMENTS, "GRU": ("units", "reset_after"), "SimpleRNN": ("units",)}


def answers(keras: Any, layer: str, argument: str) -> str:
    """Return a letter for each value of an argument."""
    taken = inspect.signature(getattr(keras.layers, layer).__init__).parameters
    if argument not in taken and argument not in EVERYWHERE:
        return "n" * len(VALUES)
    symbolic = not hasattr(keras, "ops") and not eager()
    return "".join(answer(keras, text(layer, argument, value), symbolic) for value in VALUES)


def eager() -> bool:
    """Return whether TensorFlow runs what is called at once, as it does from 2.0 on unless old Keras is above it."""
    import tensorflow

    return tensorflow.executing_eagerly()


def text(layer: str, argument: str, value: str) -> str:
    """Return the construction as Python."""
    return f"layers.{layer}({value})" if argument == "units" else f"layers.{layer}(2, {argument}={value})"


def answer(keras: Any, made: str, symbolic: bool) -> str:
    """Build a model with this layer, and run it."""
    import numpy as np

    keras.backend.clear_session()
    data = np.ones((2, 3, 4), "float32")
    try:
        given = keras.layers.Input(batch_shape=(2, 3, 4))
        found = eval(made, {"layers": keras.layers, "np": np})(given)
        model = keras.models.Model(given, found)
        if symbolic:
            model.predict(data)
        else:
            model(data, training=True)
            model(data, training=False)
    except Exception:
        return "s"
    return "r"


def main() -> None:
    """Ask, print."""
    from ask import asked_of, named_keras

    framework, keras = named_keras(__doc__)
    found = {layer: {one: answers(keras, layer, one) for one in asked} for layer, asked in LAYERS.items()}
    print(json.dumps({**asked_of(framework, keras), "found": found}))


if __name__ == "__main__":
    main()
