"""Which layers with use_cudnn=True stop on a CPU in the installed Keras 3, where a subclass has methods of its own.

    python own_loops.py

One line of JSON: {"keras", "backend", "found": {class: {what is overridden: a letter for each of SETTINGS}}}.
r: the model ran. s: it stopped because cuDNN was insisted on. The answers of several releases are in
fixtures/evidence/own_loops.json, one a line.
"""

from __future__ import annotations

import json
import os
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

SETTINGS: tuple[dict[str, Any], ...] = ({}, {"recurrent_dropout": 0.2}, {"activation": "relu"}, {"unroll": True})


def overriding(keras: Any, base: Any) -> dict[str, Any]:
    """Return the class, and what may be overridden of it, with and without a call of Keras's own method."""
    loop = keras.layers.RNN.inner_loop

    class Loop(base):
        def inner_loop(self, sequences: Any, initial_state: Any, mask: Any, training: bool = False) -> Any:
            return loop(self, sequences, initial_state, mask, training)

    class Calling(base):
        def call(self, sequences: Any, initial_state: Any = None, mask: Any = None, training: bool = False) -> Any:
            return keras.ops.zeros((keras.ops.shape(sequences)[0], self.units))

    class Super(base):
        def call(self, sequences: Any, initial_state: Any = None, mask: Any = None, training: bool = False) -> Any:
            return super().call(sequences, initial_state=initial_state, mask=mask, training=training)

    return {"": base, "inner_loop": Loop, "call": Calling, "call, which calls super()": Super}


def answer(keras: Any, layer: Any) -> str:
    """Run a model of one layer."""
    import numpy as np

    try:
        keras.Sequential([keras.Input((3, 2)), layer]).predict(np.ones((2, 3, 2), "float32"), verbose=0)
    except ValueError as error:
        if "use_cudnn=True was specified" not in str(error):
            raise
        return "s"
    return "r"


def main() -> None:
    """Ask, and print the answers."""
    import keras

    found = {
        base.__name__: {
            what: "".join(answer(keras, one(4, use_cudnn=True, **given)) for given in SETTINGS)
            for what, one in overriding(keras, base).items()
        }
        for base in (keras.layers.LSTM, keras.layers.GRU)
    }
    print(json.dumps({"keras": keras.__version__, "backend": keras.backend.backend(), "found": found}))


if __name__ == "__main__":
    main()
