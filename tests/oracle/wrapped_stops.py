"""What the installed Keras does with masked attention and with what a TimeDistributed holds: one line of JSON.

    python wrapped_stops.py --framework keras

    {"framework", "keras", "tensorflow", "backend", "lines": {line: a letter}}

r: the model that the line builds ran on a CPU. s: it stopped, while it was built or when it ran. The answers of
several releases are in fixtures/evidence/wrapped_stops.json, one a line.
"""

from __future__ import annotations

import json
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

X = "x = keras.Input((5, 4)); e = layers.Masking()(x); "
IN = "i = keras.Input((4,)); "
HELD = {
    "keras.Model(i, layers.Dense(3)(i))": IN, "keras.Sequential([i, layers.Dense(3)])": IN,
    "keras.Sequential([layers.Dense(3)])": "", "layers.Dense(3)": "",
}  # fmt: skip
ATTENTION = ("Attention()([e, e])", "Attention()([e, e, e])", "Attention()([x, e])", "Attention()([x, x])")
LINES = (
    *(f"{IN}{X}y = layers.LSTM(4)(layers.TimeDistributed({held})(x))" for held in HELD),
    *(
        f"{IN}{X}y = keras.Sequential([keras.Input((5, 4)), layers.TimeDistributed({held}), layers.LSTM(4)])"
        for held in HELD
    ),
    *(f"{X}y = layers.LSTM(4)(layers.{kind}{call})" for kind in ("", "Additive") for call in ATTENTION),
    *(
        f"{X}y = layers.LSTM(4)(layers.{kind}(e, e))"
        for kind in ("MultiHeadAttention(2, 2)", "GroupQueryAttention(2, 2, 1)")
    ),
)


def main() -> None:
    """Ask, print."""
    from ask import asked_of, named_keras
    from stops import say

    framework, keras = named_keras(__doc__)
    import numpy as np

    lines = {}
    for line in LINES:
        names: dict = {}
        try:
            exec(line, {"keras": keras, "layers": keras.layers}, names)
            made = names["y"]
            model = made if isinstance(made, keras.Model) else keras.Model(names["x"], made)
            model.predict(np.ones((2, 5, 4), "float32"), verbose=0)
            lines[line] = "r"
        except Exception as error:
            say(line, error)
            lines[line] = "s"
    print(json.dumps({**asked_of(framework, keras), "lines": lines}))


if __name__ == "__main__":
    main()
