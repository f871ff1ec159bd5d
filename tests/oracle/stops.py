"""What the installed Keras does with states, cells, names and texts that stop in some releases: one line of JSON.

    python stops.py --framework keras            or tf_keras, tensorflow (tf.keras)

    {"framework", "keras", "tensorflow", "backend", "lines": {line: a letter}, "words": {argument: [what it takes]},
     "refused": {argument: [what it does not take]}}

r: the model that the line builds ran on a CPU, or could be built (stop_lines.py says which are run). s: it stopped,
while it was built or when it ran. n: this release has no such class. `words` are the texts that an LSTM takes for an
argument. The answers of several releases are in
fixtures/evidence/stops.json, one a line. Runs on Python 3.7 and up.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from stop_lines import BUILT, LINES, PARTS, WORDS


class Recording:
    """A Keras that remembers the inputs that it makes."""

    def __init__(self, keras: Any) -> None:
        self.keras = keras
        self.given: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.keras, name)

    def Input(self, *arguments: Any, **named: Any) -> Any:
        """Make an input."""
        self.given.append(self.keras.Input(*arguments, **named))
        return self.given[-1]


def answer(keras: Any, line: str) -> str:
    """Run a line, and the model that it builds where that is wanted."""
    import numpy as np

    keras.backend.clear_session()
    around, names = Recording(keras), {}
    try:
        exec(line, {"keras": around, "layers": keras.layers}, names)
        made: Any = names["y"]
        model = made if isinstance(made, keras.Model) else keras.Model(around.given, made)
        if line in LINES:
            given = around.given or model.inputs
            data = [np.ones([2, *map(int, one.shape[1:])], "float32") for one in given]
            model.predict(data if len(data) > 1 else data[0], verbose=0)
        else:
            list(model.losses)  # where tf_keras calls what it was given as a regularizer
    except AttributeError as error:
        return "n" if "has no attribute" in str(error) and "layers" in str(error) else "s"
    except Exception as error:
        say(line, error)
        return "s"
    return "r"


def takes(keras: Any, argument: str, word: str, given: Any) -> bool:
    """Return whether an LSTM may be made with this text for an argument, and called on an input."""
    try:
        units = 4
        model = keras.Model(given, keras.layers.LSTM(units, **{argument: word})(given))
        list(model.losses)
    except Exception as error:
        say(f"{argument} {word}", error)
        return False
    return True


def say(what: str, error: Exception) -> None:
    """Print why something stopped, where SAY is set."""
    if os.environ.get("SAY"):
        print(what, "|", type(error).__name__, str(error)[:200].replace("\n", " "), file=sys.stderr)


def main() -> None:
    """Ask, print."""
    from ask import asked_of, named_keras

    framework, keras = named_keras(__doc__)
    lines = {line: answer(keras, line) for line in (*LINES, *BUILT, *PARTS)}
    keras.backend.clear_session()
    given = keras.Input((5, 4))
    words = {name: [word for word in asked if takes(keras, name, word, given)] for name, asked in WORDS.items()}
    refused = {name: [word for word in asked if word not in words[name]] for name, asked in WORDS.items()}
    print(json.dumps({**asked_of(framework, keras), "lines": lines, "words": words, "refused": refused}))


if __name__ == "__main__":
    main()
