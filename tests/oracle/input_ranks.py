"""What the installed Keras does with an input of each rank, and with each number of initial states: one line of JSON.

    python input_ranks.py --framework keras            or tf_keras, tensorflow (tf.keras)

    {"framework", "keras", "tensorflow", "ranks": {class: a letter for each of RANKS},
     "open": {class: the letter for an input that has no number of features},
     "behind": {layer: {rank that goes in: rank that comes out}}, "states": {class: a letter for each of COUNTS}}

r: the model ran on a CPU. s: it stopped, while it was built or when it ran. n: this release has no such class. The
answers of several releases are in fixtures/evidence/input_ranks.json, one a line. Runs on Python 3.7 and up.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

RANKS = (2, 3, 4, 5, 6)
TAKEN = 3  # what an LSTM takes
CLASSES = {
    "LSTM": "layers.LSTM(4)",
    "GRU": "layers.GRU(4)",
    "SimpleRNN": "layers.SimpleRNN(4)",
    "RNN": "layers.RNN(layers.LSTMCell(4))",
    "without a kernel": 'layers.LSTM(4, activation="relu")',
    "Bidirectional": "layers.Bidirectional(layers.LSTM(4))",
    "TimeDistributed": "layers.TimeDistributed(layers.LSTM(4))",
    "ConvLSTM1D": "layers.ConvLSTM1D(2, 1)",
    "ConvLSTM2D": "layers.ConvLSTM2D(2, 1)",
    "ConvLSTM3D": "layers.ConvLSTM3D(2, 1)",
}
#: Layers whose output has a rank of its own.
BEHIND = {
    "Flatten": "layers.Flatten()",
    "GlobalMaxPooling1D": "layers.GlobalMaxPooling1D()",
    "GlobalAveragePooling1D": "layers.GlobalAveragePooling1D()",
    "GlobalMaxPooling2D": "layers.GlobalMaxPooling2D()",
    "GlobalAveragePooling2D": "layers.GlobalAveragePooling2D()",
    "GlobalMaxPooling3D": "layers.GlobalMaxPooling3D()",
    "GlobalAveragePooling3D": "layers.GlobalAveragePooling3D()",
    "GlobalMaxPooling2D keepdims": "layers.GlobalMaxPooling2D(keepdims=True)",
    "Conv1D": "layers.Conv1D(2, 1)",
    "Conv2D": "layers.Conv2D(2, 1)",
    "MaxPooling1D": "layers.MaxPooling1D(1)",
    "AveragePooling2D": "layers.AveragePooling2D(1)",
    "ZeroPadding1D": "layers.ZeroPadding1D(1)",
    "Cropping2D": "layers.Cropping2D(1)",
    "UpSampling1D": "layers.UpSampling1D(1)",
    "Permute": "layers.Permute({permuted})",
    "RepeatVector": "layers.RepeatVector(3)",
    "Dense": "layers.Dense(4)",
    "Dropout": "layers.Dropout(0.5)",
    "BatchNormalization": "layers.BatchNormalization()",
    "LSTM": "layers.LSTM(4)",
    "LSTM sequences": "layers.LSTM(4, return_sequences=True)",
    "TimeDistributed Flatten": "layers.TimeDistributed(layers.Flatten())",
    "TimeDistributed Dense": "layers.TimeDistributed(layers.Dense(4))",
}
STATES = ("LSTM", "GRU", "SimpleRNN", "RNN", "without a kernel", "Bidirectional")
COUNTS = (1, 2, 3, 4, 5)
#: The dimensions behind the batch, of which as many are taken as a rank has.
SIZES = (5, 4, 3, 2, 2)


def ran(keras: Any, tensors: list[Any], outputs: Any) -> None:
    """Run the model between these tensors."""
    import numpy as np

    data = [np.ones([2, *map(int, one.shape[1:])], "float32") for one in tensors]
    keras.Model(tensors, outputs).predict(data, verbose=0)


def with_rank(keras: Any, text: str, rank: int) -> tuple[str, int]:
    """Put an input of a rank into a layer; return the letter, and the rank of what comes out."""
    keras.backend.clear_session()
    text = text.replace("{permuted}", str(tuple(range(rank - 1, 0, -1))))
    try:
        given = keras.Input(SIZES[: rank - 1])
        made = eval(text, {"layers": keras.layers})(given)
        ran(keras, [given], made)
    except AttributeError as error:
        return ("n" if "layers" in str(error) else "s"), 0
    except Exception:
        return "s", 0
    return "r", len(made.shape)


def with_states(keras: Any, text: str, count: int) -> str:
    """Call a layer with so many states."""
    keras.backend.clear_session()
    try:
        given = [keras.Input((5, 4)), *(keras.Input((4,)) for _ in range(count))]
        made = eval(text, {"layers": keras.layers})(given[0], initial_state=given[1:])
        ran(keras, given, made)
    except Exception:
        return "s"
    return "r"


def without_features(keras: Any, text: str) -> str:
    """Call a layer with an input that leaves the number of features open."""
    keras.backend.clear_session()
    try:
        eval(text, {"layers": keras.layers})(keras.Input((5, None)))
    except Exception:
        return "s"
    return "r"


def behind(keras: Any, text: str) -> dict[str, int]:
    """Return the rank of what comes out of a layer, for each rank that it takes."""
    found = {str(rank): with_rank(keras, text, rank)[1] for rank in RANKS[:4]}
    return {rank: out for rank, out in found.items() if out}


def main() -> None:
    """Ask, print."""
    from ask import named_keras

    framework, keras = named_keras(__doc__)
    import tensorflow

    found = {
        "framework": framework,
        "keras": str(getattr(keras, "__version__", "")),
        "tensorflow": tensorflow.__version__,
        "ranks": {kind: "".join(with_rank(keras, text, rank)[0] for rank in RANKS) for kind, text in CLASSES.items()},
        "open": {kind: without_features(keras, CLASSES[kind]) for kind in STATES},
        "behind": {kind: behind(keras, text) for kind, text in BEHIND.items()},
        "states": {kind: "".join(with_states(keras, CLASSES[kind], count) for count in COUNTS) for kind in STATES},
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
