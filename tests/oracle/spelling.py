"""How a generated script spells Keras: its imports, names and call layout. Imports no framework."""

from __future__ import annotations

import random
from typing import Sequence

WIDTH = 96
BACKENDS = {"tf": "import tensorflow as tf", "jax": "import jax", "torch": "import torch", "np": "import numpy as np"}


def release(text: str) -> tuple[int, ...]:
    """A release as numbers, to compare."""
    return tuple(int(part) for part in text.split(".")[:3])


class Spelling:
    """One way to import Keras, kept up through a script; notes what the header must import."""

    def __init__(self, rng: random.Random, framework: str, version: str, backend: str) -> None:
        self.rng = rng
        self.keras3 = framework == "keras" and release(version) >= (3,)
        self.root = "tensorflow.keras" if framework == "tensorflow" else framework
        self.names: set[str] = set()
        self.extras: set[str] = set()
        self.style = rng.choice(styles(framework, self.keras3, backend))
        # Python 3.7, which TensorFlow 2.1 needs, names the last line of a call that is spread over several.
        self.spread = framework != "tensorflow" or release(version) >= (2, 2)

    def layer(self, name: str) -> str:
        """A layer's class."""
        if self.style == "names":
            self.names.add(name)
            return name
        prefix = {"dotted": "keras.layers.", "alias": "K.layers.", "short": "L.", "tf": "tf.keras.layers."}
        return prefix.get(self.style, "layers.") + name

    def keras(self, name: str) -> str:
        """Anything else of Keras, by its dotted name."""
        return {"alias": "K.", "tf": "tf.keras."}.get(self.style, "keras.") + name

    def imported(self, text: str) -> str:
        """A name of a backend: the same, its import noted."""
        line = BACKENDS.get(text.split(".")[0])
        if line and "." in text:
            self.extras.add(line)
        return text

    def header(self) -> list[str]:
        """The import lines."""
        lines = {
            "dotted": [f"import {self.root} as keras" if self.root != "keras" else "import keras"],
            "alias": [f"import {self.root} as K"],
            "tf": ["import tensorflow as tf"],
            "layers": [self.plain(), f"from {self.root} import layers"],
            "short": [self.plain(), f"from {self.root} import layers as L"],
            "names": [self.plain(), "from {}.layers import {}".format(self.root, ", ".join(sorted(self.names)))],
            "from-tf": ["from tensorflow import keras", "from tensorflow.keras import layers"],
        }[self.style]
        return lines + sorted(self.extras.difference(lines))

    def plain(self) -> str:
        """The import that binds `keras`."""
        return {"keras": "import keras", "tensorflow.keras": "from tensorflow import keras"}.get(
            self.root, f"import {self.root} as keras"
        )

    def call(self, callee: str, positional: Sequence[str], named: dict[str, str] | None = None) -> str:
        """A call; spread over lines when it is long, and sometimes when it is not."""
        arguments = [*positional, *("{}={}".format(*item) if item[1] else item[0] for item in (named or {}).items())]
        line = "{}({})".format(callee, ", ".join(arguments))
        if not (arguments and self.spread) or (len(line) <= WIDTH and self.rng.random() > 0.12):
            return line
        body = ",\n".join("    " + argument.replace("\n", "\n    ") for argument in arguments)
        return f"{callee}(\n{body},\n)"


def styles(framework: str, keras3: bool, backend: str) -> list[str]:
    """The ways to import that mean this very framework."""
    own = ["dotted", "layers", "layers", "names", "short"]
    if framework == "tensorflow":
        return [*own[1:], "tf", "tf", "from-tf"]
    if framework == "keras" and keras3 and backend == "tensorflow":
        return [*own, "alias", "tf", "from-tf"]
    return [*own, "alias"]
