"""What the layers of a Keras 2 write of themselves into a file: one line of JSON.

    python written_arguments.py --framework tf_keras        or tensorflow (tf.keras), keras (standalone Keras)

    {"framework", "keras", "tensorflow", "backend", "found": {class: [argument]}}

Each layer is made with no more than it needs; one that needs something else is left out. The answers of several
releases are in fixtures/evidence/written_arguments.json, one a line. Runs on Python 3.7 and up.
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

NUMBERS = {
    "units": 2, "filters": 2, "kernel_size": 2, "rate": 0.1, "stddev": 0.1, "input_dim": 3, "output_dim": 2, "n": 2,
    "axes": -1, "num_heads": 1, "key_dim": 1, "height": 2, "width": 2, "factor": 0.1, "scale": 2.0, "num_bins": 2,
    "num_tokens": 2, "target_shape": (2,), "dims": (1,), "function": abs, "activation": "tanh", "max_value": 1.0,
}  # fmt: skip


def made(keras: Any, name: str) -> Any:
    """Return a layer of a class; raises where it needs what is not here."""
    layers = keras.layers
    given = dict(
        NUMBERS, layer=lambda: layers.LSTM(2), cell=lambda: layers.LSTMCell(2), cells=lambda: [layers.LSTMCell(2)]
    )
    kind = getattr(layers, name)
    if name == "InputLayer":
        return kind(input_shape=(2,))
    needed = [one for one in inspect.signature(kind.__init__).parameters.values() if one.name != "self"]
    needed = [one.name for one in needed if one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD]
    values = {one: given[one] for one in needed}
    calling = {one: value() if one in ("layer", "cell", "cells") else value for one, value in values.items()}
    return kind(**calling)


def main() -> None:
    """Ask, print."""
    from ask import asked_of, named_keras

    framework, keras = named_keras(__doc__)
    found: dict[str, Any] = {}
    for name in sorted(vars(keras.layers)):
        if inspect.isclass(getattr(keras.layers, name)):
            try:
                found[name] = sorted(made(keras, name).get_config())
            except Exception as error:
                print(name, repr(error)[:100], file=sys.stderr)
    print(json.dumps(dict(asked_of(framework, keras), found=found)))


if __name__ == "__main__":
    main()
