"""What the installed Keras does with what stops a program before its recurrent layer: one line of JSON.

    python wrapped_stops.py --framework keras > ANSWER          or tf_keras, tensorflow (tf.keras)
    python wrapped_stops.py --pack ANSWER... > ../../fixtures/evidence/wrapped_stops.json

    {"framework", "keras", "tensorflow", "backend", "lines": {line: a letter}}

r: the model that the line builds ran on a CPU, or could be built (before_lines.py says which are run). s: it stopped,
while it was built or when it ran. n: this release has no such class. The answers of several releases are in
fixtures/evidence/wrapped_stops.json: of each line a letter for each release, a blank where it was not asked. Runs on
Python 3.7 and up.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, Dict, Iterable

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from before_lines import BEFORE, RUN
from stops import answer, say

Json = Dict[str, Any]

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


def runs(keras: Any, line: str) -> str:
    """Run a line, and the model that it builds on as many rows as its steps are not."""
    import numpy as np

    names: Any = {}
    try:
        exec(line, {"keras": keras, "layers": keras.layers}, names)
        made = names["y"]
        model = made if isinstance(made, keras.Model) else keras.Model(names["x"], made) if "x" in names else None
        if model is not None:
            shape = (2, 3, 5, 4) if "(3, 5, 4)" in line else (2, 5, 4)
            model.predict(np.ones(shape, "float32"), verbose=0)
    except Exception as error:
        say(line, error)
        return "n" if "has no attribute" in str(error) and "layers" in str(error) else "s"
    return "r"


def packed(answers: Iterable[Json]) -> str:
    """The answers of several releases as the text of one file: a letter for each of them beside every line."""
    every = list(answers)
    lines = dict.fromkeys(line for one in every for line in one["lines"])
    letters = {line: "".join(one["lines"].get(line, " ") for one in every) for line in lines}
    asked = [{name: value for name, value in one.items() if name != "lines"} for one in every]
    rows = ",\n".join(f"{json.dumps(line)}: {json.dumps(found)}" for line, found in letters.items())
    return '{"asked": [\n' + ",\n".join(map(json.dumps, asked)) + '\n],\n"lines": {\n' + rows + "\n}}\n"


def unpacked(text: str) -> list[Json]:
    """The answers of a packed file, one for each release."""
    data = json.loads(text)
    found = [{line: letters[at] for line, letters in data["lines"].items()} for at in range(len(data["asked"]))]
    held = [{line: letter for line, letter in one.items() if letter != " "} for one in found]
    return [{**asked, "lines": lines} for asked, lines in zip(data["asked"], held)]


def main() -> None:
    """Ask, print."""
    if sys.argv[1:2] == ["--pack"]:
        print(packed(json.loads(Path(path).read_text(encoding="utf-8")) for path in sys.argv[2:]), end="")
        return
    from ask import asked_of, named_keras

    framework, keras = named_keras(__doc__)
    lines = {line: runs(keras, line) for line in (*LINES, *RUN)}
    lines.update((line, answer(keras, line)) for line in BEFORE)
    print(json.dumps({**asked_of(framework, keras), "lines": lines}))


if __name__ == "__main__":
    main()
