"""What the installed Keras does with names of models, wrapped layers and cells: one line of JSON.

    python scopes.py --framework keras            or tf_keras

    {"framework", "keras", "tensorflow", "backend", "found": {program: a letter}}

r: predict() ran on a CPU. s: the program stopped, while the model was built or when it ran. The answers of several
releases are in fixtures/evidence/scopes.json, one a line.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

FLAT, DEEP = "keras.Input((3, 4))", "keras.Input((2, 3, 4))"
#: Each builds one model, whose last layer is a recurrent one.
PROGRAMS = tuple(
    f"keras.Sequential([{shape}, {rest})"
    for shape, rest in (
        *((FLAT, f"layers.LSTM(2)], name={name!r}") for name in ("my model", "_model", "-model", ">model", "m", "1m")),
        *((FLAT, f"layers.Dense(4, name={name!r}), layers.LSTM(2)]") for name in ("a b", "a:b", "a-b", "a.b")),
        (FLAT, "keras.Sequential([layers.Dense(4)], name='a b'), layers.LSTM(2)]"),
        (FLAT, "keras.Sequential([layers.Dense(4, name='a b')]), layers.LSTM(2)]"),
        (FLAT, "layers.TimeDistributed(layers.Dense(4), name='a b'), layers.LSTM(2)]"),
        (FLAT, "layers.TimeDistributed(layers.Dense(4, name='a b')), layers.LSTM(2)]"),
        (DEEP, "layers.TimeDistributed(layers.LSTM(2, name='a b'))]"),
        (DEEP, "layers.TimeDistributed(layers.Bidirectional(layers.LSTM(2, name='a b')))]"),
        (DEEP, "layers.TimeDistributed(keras.Sequential([layers.Dense(4)], name='a b')), "
               "layers.TimeDistributed(layers.LSTM(2))]"),
        (DEEP, "layers.TimeDistributed(keras.Sequential([layers.Dense(4, name='a b')])), "
               "layers.TimeDistributed(layers.LSTM(2))]"),
        (FLAT, "layers.RNN(layers.LSTMCell(2, name='a b'))]"),
        (FLAT, "layers.RNN([layers.LSTMCell(2), layers.GRUCell(2, name='a b')])]"),
    )
)  # fmt: skip


def answer(keras: Any, program: str) -> str:
    """Build a model and run it, in a process of its own: Keras does not leave the scope in which it stopped."""
    child = os.fork()
    if child:
        return "r" if os.waitpid(child, 0)[1] == 0 else "s"
    try:
        run(keras, program)
    except BaseException:
        os._exit(1)
    os._exit(0)


def run(keras: Any, program: str) -> None:
    """Build a model, and run it."""
    import numpy as np

    model = eval(program, {"keras": keras, "layers": keras.layers})
    model.predict(np.ones((2, 2, 3, 4) if DEEP in program else (2, 3, 4), "float32"), verbose=0)


def main() -> None:
    """Ask, print."""
    from ask import asked_of, named_keras

    framework, keras = named_keras(__doc__)
    print(json.dumps({**asked_of(framework, keras), "found": {text: answer(keras, text) for text in PROGRAMS}}))


if __name__ == "__main__":
    main()
